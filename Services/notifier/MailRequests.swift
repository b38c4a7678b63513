import Messages
import ServiceRuntime

/// The requests of mails, by services and by the notifier itself.
enum MailRequests {
    static func requested(
        _ event: MailRequested, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try request(event, from: envelope.source, in: transaction)
    }

    /// Keeps a mail for each recipient, unless the source has already requested the same.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - source: the service that requests it.
    ///   - due: when to send it, in milliseconds since 1970; 0 for now.
    ///   - transaction: the transaction that keeps it.
    @discardableResult
    static func request(
        _ request: MailRequested, from source: String, due: Int64 = 0, in transaction: Transaction
    ) throws -> [Mail] {
        try request.validate()
        guard try request.keep(from: source, transaction.db) else { return [] }
        return try request.to.map { recipient in
            var mail = Mail(
                id: transaction.makeID(), source: source, request, to: recipient,
                at: transaction.now)
            mail.due = max(mail.due, due)
            if mail.organisation.isEmpty { mail.organisation = Principal.localOrganisation }
            try mail.save(transaction.db)
            return mail
        }
    }
}
