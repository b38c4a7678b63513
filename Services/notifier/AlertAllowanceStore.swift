import GRDB
import Messages
import ServiceRuntime

/// How often an account may request alerts, which are kept for weeks with all their deliveries, and
/// how many mails it gets: the mailbox may be somebody else's. Deliveries that aren't urgent are
/// also limited per minute.
enum AlertAllowance: String, Sendable {
    /// Alerts that test a channel.
    case test
    /// Calls of people.
    case call
    /// Mails of alerts that aren't urgent.
    case mail
    /// Mails of urgent alerts.
    case urgentMail
    /// Mails with the code that confirms a mailbox.
    case mailbox
    /// Mails of alerts that aren't urgent, within a minute.
    case mailTurn
    /// Deliveries of alerts that aren't urgent by a channel, within a minute.
    case delivery

    /// The allowance of mails of alerts of a severity.
    static func mails(_ severity: Severity) -> AlertAllowance {
        severity == .urgent ? .urgentMail : .mail
    }

    /// The maximum number within ``period``.
    var most: Int {
        switch self {
        case .test: 60
        case .call: 500
        case .mail: 200
        case .urgentMail: 1_000
        case .mailbox: 10
        case .mailTurn, .delivery: 30
        }
    }

    /// How long one counts, in milliseconds: an hour for tests, a day for calls and mails, a minute
    /// for turns.
    var period: Int64 {
        switch self {
        case .test: 3_600_000
        case .call, .mail, .urgentMail, .mailbox: 86_400_000
        case .mailTurn, .delivery: 60_000
        }
    }

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: which alerts accounts have requested") { db in
            try db.execute(
                sql: """
                    CREATE TABLE requestedAlert (
                        kind TEXT NOT NULL, account TEXT NOT NULL, time INTEGER NOT NULL,
                        id TEXT NOT NULL, PRIMARY KEY (kind, account, time, id)
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }

    /// Counts an alert that the asker requests. The owner of the machine is not counted.
    ///
    /// - Throws: a `Refusal` if there were too many lately.
    func use(in transaction: Transaction) throws {
        guard transaction.principal.kind == .account else { return }
        try use(
            "\(transaction.id)", by: transaction.principal.account, at: transaction.now,
            transaction.db)
    }

    /// Counts an alert with an id that an account requests, or that is mailed to it.
    ///
    /// - Throws: a `Refusal` if there were too many lately.
    func use(_ id: String, by account: String, at now: Int64, _ db: Database) throws {
        guard let end = try wait(for: id, of: account, at: now, db) else { return }
        throw Refusal.requestedTooOften(self, wait: end - now)
    }

    /// Counts an alert with an id, unless there were too many lately.
    ///
    /// - Returns: when there may be another one, in milliseconds since 1970; nil if it was counted.
    func wait(for id: String, of account: String, at now: Int64, _ db: Database) throws -> Int64? {
        if let end = try end(of: account, at: now, db) { return end }
        try note(id, of: account, at: now, db)
        return nil
    }

    /// When there may be another one, in milliseconds since 1970; nil if that is now.
    func end(of account: String, at now: Int64, _ db: Database) throws -> Int64? {
        // Those with a later time were counted before the clock was set back.
        try db.cachedStatement(
            sql: """
                DELETE FROM requestedAlert
                WHERE kind = ? AND account = ? AND (time <= ? OR time > ?)
                """
        ).execute(arguments: [rawValue, account, now - period, now])
        let newest = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT time FROM requestedAlert WHERE kind = ? AND account = ?
                    ORDER BY time DESC LIMIT ?
                    """), arguments: [rawValue, account, most])
        guard newest.count == most, let first = newest.last else { return nil }
        return first + period
    }

    /// Counts an alert with an id, even if there were too many lately.
    func note(_ id: String, of account: String, at now: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO requestedAlert (kind, account, time, id) VALUES (?, ?, ?, ?)
                """
        ).execute(arguments: [rawValue, account, now, id])
    }

    /// Deletes the counts of an account.
    func forget(_ account: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM requestedAlert WHERE kind = ? AND account = ?",
            arguments: [rawValue, account])
    }
}

extension Refusal {
    /// The refusal when an account has requested too many alerts.
    fileprivate static func requestedTooOften(_ kind: AlertAllowance, wait: Int64) -> Refusal {
        let seconds = (wait + 999) / 1000
        let arguments = ["most": "\(kind.most)", "seconds": "\(seconds)"]
        switch kind {
        case .test:
            return .conflict(
                "you have tested channels \(kind.most) times in the last hour; try again in "
                    + "\(seconds) seconds"
            ).because(.testLimit, arguments)
        case .call:
            return .conflict(
                "you have called people \(kind.most) times in the last 24 hours; try again in "
                    + "\(seconds) seconds, or let somebody else call them"
            ).because(.callLimit, arguments)
        case .mailbox:
            return .conflict(
                "\(kind.most) codes were mailed to new addresses for you in the last 24 hours; try "
                    + "again in \(seconds) seconds"
            ).because(.mailboxLimit, arguments)
        case .mail, .urgentMail, .mailTurn, .delivery:
            let which = kind == .urgentMail ? "urgent alerts" : "alerts that aren't urgent"
            return .conflict("\(kind.most) \(which) were mailed in the last 24 hours")
        }
    }
}
