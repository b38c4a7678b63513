import Bus
import Messages
import ServiceRuntime

/// Keeps accounts and what each may do: logs people in, issues the tokens that every service
/// verifies by itself, and revokes them.
@main struct AccountService: Service, AuditedHandlers {
    static let name = ServiceName.account
    static let tokenIssuer = ServiceName.account
    static let migrator = AccountStore.migrator
    static let belongings = AccountStore.belongings

    static var handlers: [MessageHandler] {
        LogInHandling.handlers + AccountHandling.handlers + SessionHandling.handlers
            + Roles.handlers + OrganisationHandling.handlers
    }
    /// Denials by the other services are part of the audit too.
    static var follows: [ServiceName: [EventHandler]] {
        let others = ServiceName.allCases.filter { $0 != name }
        return Dictionary(uniqueKeysWithValues: others.map { ($0, [EventHandler(denied)]) })
    }
    static var timers: [TimerHandler] {
        [
            TimerHandler(Keys.rotation, Keys.rotateKeys), TimerHandler(pruning, prune),
            // Runs whatever the clock shows: once it is set back, the present code is no longer
            // valid.
            TimerHandler(
                OwnerCode.timer,
                atAnyTime: { _, _, transaction in try OwnerCode.offer(in: transaction) }),
        ]
    }

    /// The kind of the timer that deletes expired rows.
    static let pruning = "prune"
    /// How often expired rows are deleted: every hour, in milliseconds.
    static let pruningInterval: Int64 = 3_600_000

    static func prepare(_ transaction: Transaction) throws {
        AccountStore.closeFile(in: transaction.dataDirectory)
        try PasswordTrial.prepare()
        try makeOwner(in: transaction)
        try Keys.makeFirstKey(in: transaction)
        let epoch = try AccountStore.epoch(transaction.db)
        if let known = try Fact.epoch.read(transaction.db), known != epoch {
            try beginAfresh(in: transaction)
        }
        try Fact.epoch.remember(epoch, transaction.db)
        try OwnerCode.offer(in: transaction)
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
    }

    /// A store that has gone back, like a restored backup, still has sessions that were ended
    /// since.
    static func historyReplaced(_ transaction: Transaction) throws {
        try beginAfresh(in: transaction)
        try Fact.epoch.remember(try AccountStore.epoch(transaction.db), transaction.db)
        try OwnerCode.offer(in: transaction)
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        for key in try IssuingKey.all(at: transaction.now, transaction.db).reversed() {
            try receiver(key.published, "")
        }
        try Organisation.each(in: transaction) { organisation in
            for told in [organisation.telling()] + organisation.sites.map(organisation.telling) {
                try receiver(OrganisationChanged(organisation: told), organisation.id)
            }
        }
        try Account.each(in: transaction) { account in
            try receiver(AccountChanged(account: account), account.id)
            let revoked = AccessRevoked(account: account.id, authEpoch: account.authEpoch)
            if account.authEpoch > 0 { try receiver(revoked, account.id) }
        }
        // By the believed time, because a leap of the clock here doesn't end tokens elsewhere.
        let tokensOf = transaction.retentionTime - LiveSession.tokenLife - IssuingKey.grace
        for session in try LiveSession.ended(since: tokensOf, transaction.db) {
            try receiver(
                AccessRevoked(account: session.account, session: session.id), session.account)
        }
    }

    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let (db, now) = (transaction.db, transaction.now)
        // What can't be brought back is deleted by the believed time.
        let believed = transaction.retentionTime
        let areSessionsLeft = try LiveSession.prune(at: believed, db)
        try Codes.prune(at: believed, db)
        let areFailuresLeft = try Throttle.prune(at: believed, db)
        try IssuingKey.prune(at: now, db)
        let areEntriesLeft = try AuditTrail.prune(at: believed, db)
        let isMore = areSessionsLeft || areFailuresLeft || areEntriesLeft
        try transaction.setTimer(
            pruning, subject: "", due: now + (isMore ? 1000 : pruningInterval))
    }

    // MARK: The audit of denials

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
        try LiveSession.endAll(at: now, db)
        var accounts: [Account] = []
        // The tokens of one that can't be read end with the keys.
        try Account.each(in: transaction) { accounts.append($0) }
        for var account in accounts {
            // Higher than any value reached after the backup.
            account.authEpoch = max(account.authEpoch + 1, UInt64(clamping: now))
            try revoke(&account, in: transaction)
        }
        try Codes.forgetAll(db)
        try Keys.replaceKeys(in: transaction)
        try AuditTrail.note(
            .backupRestored, by: "", organisation: Principal.localOrganisation, at: now, db)
    }
}
