import Messages
import ServiceRuntime

/// The mails that tell people of their alerts.
extension Notifier {
    /// How long an urgent mail may take before the spare channels deliver its alert as well: 20
    /// seconds in milliseconds.
    static let mailPatience: Int64 = 20_000
    /// The kind of the timer that looks whether it was sent by then; the subject is the alert.
    static let lateMail = "lateMail"

    /// Has an alert mailed, unless it was already since it was opened, at this severity.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - alert: the alert.
    ///   - due: when to send it, in milliseconds since 1970.
    ///   - transaction: the transaction that keeps it.
    static func mailAlert(
        _ mail: MailRequested, of alert: Alert, due: Int64, in transaction: Transaction
    ) throws {
        let mails = try request(mail, from: name.rawValue, due: due, in: transaction)
        guard !mails.isEmpty, alert.severity == .urgent, due <= transaction.now else { return }
        try transaction.setTimer(
            lateMail, subject: alert.id, due: transaction.now + mailPatience)
    }

    /// Has the spare channels deliver an urgent alert whose mail was not sent in time: the server
    /// may hang, or there is none.
    static func tellLateMail(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard let alert = try Alert.known(id, transaction.db), alert.state == .open,
            let mail = try Mail.of(alert, transaction.db).first(where: \.isUrgent),
            mail.state != .sent
        else { return }
        try tellSpares(insteadOf: mail, isLate: true, in: transaction)
    }
}
