import Bus
import Messages
import ServiceRuntime

/// The handlers of one subject. What they deny and what they change is part of the audit. The role
/// that a message needs depends on the account it is about, so its handler decides.
protocol AuditedHandlers {
    /// The messages that are handled here, and who may send them.
    static var handlers: [MessageHandler] { get }
}

extension AuditedHandlers {
    /// The asker: the account of the token, or that of the machine's owner. A session that began
    /// with a code may do only what sets `allowsCode`: set a password and log out.
    static func asker(_ transaction: Transaction, allowsCode: Bool = false) throws -> Asker {
        let principal = transaction.principal
        guard principal.kind == .account else {
            let owner = try Fact.owner.read(transaction.db) ?? ""
            return Asker(account: try Account.required(id: owner, transaction.db), session: "")
        }
        let account = try Account.required(id: principal.account, transaction.db)
        guard !account.isDisabled,
            let session = try LiveSession.find(principal.session, transaction.db),
            session.ended == 0
        else { throw Refusal.sessionOver }
        guard allowsCode || !session.mustChangePassword else {
            throw Refusal.forbidden("set your own password first: steward passwd")
                .because(.passwordTemporary)
        }
        return Asker(account: account, session: principal.session)
    }

    /// The source of a message: its key, or without keys its account. Empty for unidentified
    /// senders on a bus without keys, who can't be told apart.
    ///
    /// - Parameters:
    ///   - transaction: the one in which the message is handled.
    ///   - place: where the person is on whose behalf a service sends the message, in its own
    ///     words; empty for none.
    static func source(_ transaction: Transaction, at place: String = "") -> String {
        let sender =
            transaction.principal.peer.map { "key \($0.name)" } ?? transaction.principal.account
        let place = told(place, transaction)
        return place.isEmpty ? sender : "\(sender) \(place)"
    }

    /// Where a person is, as stated by a service; empty if anyone else states it, because they
    /// could choose a new place for each attempt.
    static func told(_ place: String, _ transaction: Transaction) -> String {
        let principal = transaction.principal
        let isService =
            principal.peer.map { $0.role == .service } ?? (principal.kind == .machineOwner)
        return isService ? place : ""
    }

    /// Wraps a handler so that its denials are recorded in the audit. The handler must decide
    /// before it writes.
    static func audited<C: ProtobufMessage, R>(
        _ handle: @escaping (C, Transaction) throws -> R
    ) -> (C, Transaction) throws -> R {
        { command, transaction in
            do { return try handle(command, transaction) } catch let refusal as Refusal
                where refusal.code == .forbidden
            {
                let asker = try asker(transaction, allowsCode: true).account
                try AuditTrail.note(
                    Denial(type: C.protobufName), to: asker.id, organisation: asker.organisation,
                    at: transaction.now, transaction.db)
                throw NotedRefusal(refusal)
            }
        }
    }

    /// Records in the audit what an account did.
    static func note(
        _ action: AuditAction, by actor: Account, on subject: Account? = nil, detail: String = "",
        in transaction: Transaction
    ) throws {
        try AuditTrail.note(
            action, by: actor.id, on: subject?.id ?? "", detail,
            organisation: subject?.organisation ?? actor.organisation, at: transaction.now,
            transaction.db)
    }

    /// Saves an account, and publishes the change.
    static func changed(_ account: Account, in transaction: Transaction) throws {
        try account.save(transaction.db)
        try transaction.publish(AccountChanged(account: account), subject: account.id)
    }

    /// Saves an account and revokes its access tokens.
    static func revoke(_ account: inout Account, in transaction: Transaction) throws {
        account.authEpoch += 1
        try Codes.forget(.logIn, of: account.id, transaction.db)
        try changed(account, in: transaction)
        try transaction.publish(
            AccessRevoked(account: account.id, authEpoch: account.authEpoch), subject: account.id)
    }

    /// Saves an organisation without its sites, or one of its sites, and publishes the change.
    ///
    /// - Returns: what is published: the organisation with this site alone.
    static func changed(
        _ organisation: Organisation, _ site: Site? = nil, in transaction: Transaction
    ) throws -> Organisation {
        if let site {
            try site.save(of: organisation.id, transaction.db)
        } else {
            try organisation.save(transaction.db)
        }
        let told = organisation.telling(site)
        try transaction.publish(OrganisationChanged(organisation: told), subject: told.id)
        return told
    }
}
