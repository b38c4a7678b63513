import GRDB
import Messages

/// How many more mails someone may order from a service: a token bucket for each account, kept in
/// the store, so that a restart or a kill does not refill it.
struct MailAllowance: Equatable {
    /// The maximum number of mails requested together; each recipient counts.
    static let most: Int64 = 500
    /// How long it takes until one more mail may be ordered, in milliseconds.
    static let refill: Int64 = 7_200

    /// When the bucket is full again, in milliseconds since 1970. The difference from now is what
    /// was ordered lately.
    private(set) var full: Int64

    /// Uses up part of it for mails.
    ///
    /// - Throws: a `Refusal` that says how long to wait; then nothing is used up.
    mutating func take(_ count: Int, at now: Int64) throws(Refusal) {
        let room = Self.most * Self.refill
        let count = Int64(clamping: count)
        guard count <= Self.most else {
            throw .invalid("these are \(count) mails; at most \(Self.most) may be sent at once")
                .because(.mailLimit)
        }
        // A time further ahead was written before the clock was set back, and would block orders
        // too long.
        let begin = full > now + room ? now : max(now, full)
        let end = begin + count * Self.refill
        guard end - now <= room else {
            let minutes = (end - now - room + 59_999) / 60_000
            throw .conflict(
                "you have sent many mails lately; there is room for \(count) more in \(minutes) "
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
        // Accounts whose bucket is full again need no row.
        try db.execute(sql: "DELETE FROM mailAllowance WHERE \"full\" <= ?", arguments: [now])
        try db.execute(
            sql: "INSERT OR REPLACE INTO mailAllowance (account, \"full\") VALUES (?, ?)",
            arguments: [account, full])
    }
}

extension Transaction {
    /// Counts mails that the asker orders, each recipient of each mail. Mails that a service orders
    /// by itself are not counted.
    ///
    /// - Throws: a `Refusal` with the reason ``RefusalReason/mailLimit`` when the asker has ordered
    ///   too many lately.
    public func countMails(_ count: Int) throws {
        guard let allowance = try allowance(after: count) else { return }
        try allowance.save(of: principal.account, at: now, db)
    }

    /// Refuses as ``countMails(_:)`` does, before any work for them is started, and counts nothing.
    public func requireMails(_ count: Int) throws { _ = try allowance(after: count) }

    private func allowance(after count: Int) throws -> MailAllowance? {
        guard principal.kind != .system else { return nil }
        var allowance = try MailAllowance.of(principal.account, db)
        try allowance.take(count, at: now)
        return allowance
    }
}
