import Bus
import Messages
import ServiceRuntime

/// Keeps accounts and what each may do: logs people in, issues the tokens that every service
/// verifies by itself, and revokes them.
@main struct AccountService: Service {
    static let name = ServiceName.account
    static let tokenIssuer = ServiceName.account
    static let migrator = AccountStore.migrator
    static let belongings = AccountStore.belongings

    /// The role that a message needs depends on the account it is about, so its handler decides.
    static var handlers: [MessageHandler] {
        [
            .slow(
                isSecret: true, prepare: beginLogIn, work: { try $0.check() }, finish: logIn,
                .anyone),
            .slow(prepare: beginSignUp, work: { try $0.hash() }, finish: signUp, .anyone),
            .slow(
                prepare: beginPasswordChange, work: { try $0.check() }, finish: changePassword,
                .account),
            .secret(refresh, .anyone), .command(audited(logOut), .account),
            .secret(audited(resetPassword), .account), .command(audited(setDisabled), .account),
            .command(audited(grantRole), .account), .command(audited(revokeRole), .account),
            .secret(audited(makeLogInCode), .account), .secret(audited(invite), .account),
            .command(audited(addCarer), .account),
            .command(audited(removeCarer), .account),
            .command(audited(createOrganisation), .account),
            .command(audited(createSite), .account), .command(audited(changeSite), .account),
            .command(audited(setSignUp), .account), .query(audited(whoAmI), .account),
            .query(audited(listSessions), .account), .query(audited(listAccounts), .account),
            .query(audited(listOrganisations), .account), .query(audited(readAudit), .account),
        ]
    }
    /// Denials by the other services are part of the audit too.
    static var follows: [ServiceName: [EventHandler]] {
        let others = ServiceName.allCases.filter { $0 != name }
        return Dictionary(uniqueKeysWithValues: others.map { ($0, [EventHandler(denied)]) })
    }
    static var timers: [TimerHandler] {
        [
            TimerHandler(rotation, rotateKeys), TimerHandler(pruning, prune),
            TimerHandler(OwnerCode.timer) { _, _, transaction in
                try OwnerCode.offer(in: transaction)
            },
        ]
    }

    /// Timer kinds.
    static let rotation = "rotate"
    static let pruning = "prune"
    /// How often expired rows are deleted: every hour, in milliseconds.
    static let pruningInterval: Int64 = 3_600_000

    static func prepare(_ transaction: Transaction) throws {
        AccountStore.closeFile(in: transaction.dataDirectory)
        try PasswordTrial.prepare()
        try makeOwner(in: transaction)
        try makeFirstKey(in: transaction)
        let epoch = try AccountStore.epoch(transaction.db)
        if let known = try Fact.epoch.read(transaction.db), known != epoch {
            try beginAfresh(in: transaction)
        }
        try Fact.epoch.remember(epoch, transaction.db)
        try OwnerCode.offer(in: transaction)
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
    }

    /// A store that has gone back has sessions that have ended since, as a restored backup has.
    static func historyReplaced(_ transaction: Transaction) throws {
        try beginAfresh(in: transaction)
        try Fact.epoch.remember(try AccountStore.epoch(transaction.db), transaction.db)
        try OwnerCode.offer(in: transaction)
    }

    static func tell(_ transaction: Transaction, to teller: Teller) throws {
        for key in try IssuingKey.all(at: transaction.now, transaction.db).reversed() {
            try teller(key.published, "")
        }
        for organisation in try Organisation.all(transaction.db) {
            for told in [organisation.telling()] + organisation.sites.map(organisation.telling) {
                try teller(OrganisationChanged(organisation: told), organisation.id)
            }
        }
        try Account.forEach(transaction.db) { account in
            try teller(AccountChanged(account: account), account.id)
            let revoked = AccessRevoked(account: account.id, authEpoch: account.authEpoch)
            if account.authEpoch > 0 { try teller(revoked, account.id) }
        }
        let tokensOf = transaction.now - LiveSession.tokenLife - IssuingKey.grace
        for session in try LiveSession.ended(since: tokensOf, transaction.db) {
            try teller(
                AccessRevoked(account: session.account, session: session.id), session.account)
        }
    }

    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let (db, now) = (transaction.db, transaction.now)
        // What can't be brought back is deleted by the believed time.
        let believed = transaction.retentionTime
        try LiveSession.prune(at: believed, db)
        try Codes.prune(at: believed, db)
        try Throttle.prune(at: believed, db)
        try IssuingKey.prune(at: now, db)
        try AuditTrail.prune(at: believed, db)
        try transaction.setTimer(pruning, subject: "", due: now + pruningInterval)
    }

    // MARK: The first start, and a restored backup

    /// Makes the account of the machine's owner at the first start. Its id is the name by which the
    /// services know the machine's owner, so that what the owner starts without logging in, such as
    /// a ride, is there after logging in too, and its alerts have one feed. It has no password, so
    /// nobody can log in to it before the owner has set one.
    private static func makeOwner(in transaction: Transaction) throws {
        guard try Fact.owner.read(transaction.db) == nil else { return }
        let organisation = try changed(
            Organisation(id: Principal.localOrganisation, name: Principal.localOrganisation),
            in: transaction)
        let name = try ownerName(in: transaction)
        let machine = Principal.machineOwner.account
        let isFree = try Account.find(machine, transaction.db) == nil
        let account = Account(
            id: isFree ? machine : "\(transaction.makeID())", name: name, displayName: name,
            organisation: organisation.id, grants: [Grant(role: .owner)], created: transaction.now)
        try account.insert(password: "", transaction.db)
        try transaction.publish(AccountChanged(account: account), subject: account.id)
        try Fact.owner.remember(account.id, transaction.db)
    }

    /// The name of the machine account, with a number after it if somebody who moved here from
    /// another installation logs in with that name.
    private static func ownerName(in transaction: Transaction) throws -> String {
        let machine = Principal.machineOwner.account
        var (name, number) = (machine, 1)
        while try Account.find(logIn: Account.folded(name), transaction.db) != nil {
            number += 1
            name = "\(machine)-\(number)"
        }
        if name != machine {
            Log(service: Self.name.rawValue, threshold: .notice)
                .write(.warning, "owner has another name", [.id: name])
        }
        return name
    }

    /// Ends all sessions, tokens, codes and keys, because the store was restored from a backup or
    /// has gone back, and those that have ended since are still valid there.
    private static func beginAfresh(in transaction: Transaction) throws {
        let (db, now) = (transaction.db, transaction.now)
        for var account in try Account.all(of: .all, db) {
            try LiveSession.endAll(of: account.id, at: now, db)
            // Higher than any value reached after the backup.
            account.authEpoch = max(account.authEpoch + 1, UInt64(clamping: now))
            try revoke(&account, in: transaction)
        }
        try Codes.forgetAll(db)
        try replaceKeys(in: transaction)
        try AuditTrail.note(
            .backupRestored, by: "", organisation: Principal.localOrganisation, at: now, db)
    }
}

// MARK: What the handlers share

extension AccountService {
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

    /// Records the messages that another service has denied.
    static func denied(
        _ event: AccessDenied, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try AuditTrail.note(event, of: envelope.source, at: envelope.time, transaction.db)
    }

    /// Records the messages that this service has denied.
    static func denied(_ event: AccessDenied, _ transaction: Transaction) throws {
        try AuditTrail.note(event, of: name.rawValue, at: transaction.now, transaction.db)
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
