import GRDB
import Messages

/// How many mails someone may still order from a service: a token bucket for each account, kept in
/// the store, so that neither a restart nor a kill fills it.
struct MailAllowance: Equatable {
    /// Most mails at once; each recipient counts.
    static let most: Int64 = 500
    /// How long it takes until one more may be ordered: milliseconds.
    static let refill: Int64 = 7_200

    /// When the bucket is full again, milliseconds since 1970. What is missing by now is what was
    /// ordered lately.
    private(set) var full: Int64

    /// Uses some of it for mails.
    ///
    /// - Throws: a `Refusal` that says how long to wait; nothing is taken then.
    mutating func take(_ count: Int, at now: Int64) throws(Refusal) {
        let room = Self.most * Self.refill
        let count = Int64(clamping: count)
        guard count <= Self.most else {
            throw .invalid("these are \(count) mails; at most \(Self.most) can be ordered at once")
                .because(.mailLimit)
        }
        // What lies further ahead was written before the clock was set back, and would never end.
        let begin = full > now + room ? now : max(now, full)
        let end = begin + count * Self.refill
        guard end - now <= room else {
            let minutes = (end - now - room + 59_999) / 60_000
            throw .conflict(
                "you have ordered many mails lately; there is room for \(count) more in \(minutes) "
                    + "minutes"
            ).because(.mailLimit, ["minutes": "\(minutes)"])
        }
        full = end
    }

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: how many mails an account may order") { db in
            try db.execute(
                sql: """
                    CREATE TABLE mailAllowance (
                        account TEXT NOT NULL PRIMARY KEY, "full" INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }

    fileprivate static func of(_ account: String, _ db: Database) throws -> MailAllowance {
        let full = try Int64.fetchOne(
            db, sql: "SELECT \"full\" FROM mailAllowance WHERE account = ?", arguments: [account])
        return MailAllowance(full: full ?? 0)
    }

    fileprivate func save(of account: String, at now: Int64, _ db: Database) throws {
        // Those that are full again need no row.
        try db.execute(sql: "DELETE FROM mailAllowance WHERE \"full\" <= ?", arguments: [now])
        try db.execute(
            sql: "INSERT OR REPLACE INTO mailAllowance (account, \"full\") VALUES (?, ?)",
            arguments: [account, full])
    }
}

extension Transaction {
    /// Counts mails that the asker orders, each recipient of each mail. What a service orders by
    /// itself is not counted.
    ///
    /// - Throws: a `Refusal` with the reason ``RefusalReason/mailLimit`` when the asker has ordered
    ///   too many lately.
    public func countMails(_ count: Int) throws {
        guard let allowance = try allowance(after: count) else { return }
        try allowance.save(of: principal.account, at: now, db)
    }

    /// Refuses as ``countMails(_:)`` does, before any work for them is begun, and counts nothing.
    public func requireMails(_ count: Int) throws { _ = try allowance(after: count) }

    private func allowance(after count: Int) throws -> MailAllowance? {
        guard principal.kind != .system else { return nil }
        var allowance = try MailAllowance.of(principal.account, db)
        try allowance.take(count, at: now)
        return allowance
    }
}
