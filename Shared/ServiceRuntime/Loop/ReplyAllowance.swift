import GRDB

/// How many more bytes of replies may be kept for an account: a token bucket, so that nobody fills
/// the disk with what is kept for a day in case a command comes again.
struct ReplyAllowance: Equatable {
    /// The maximum size of the replies that are kept at once: 512 MiB.
    static let most: Int64 = 512 << 20
    /// How long it takes until an empty bucket is full again: a day in milliseconds, as long as
    /// replies are kept.
    static let period: Int64 = 24 * 3600 * 1000
    /// What a row takes besides its reply, in bytes.
    static let overhead: Int64 = 100
    /// How far the last replies may go beyond the limit: an hour in milliseconds. The slow commands
    /// of an account that are under way together may have 1 MiB each.
    private static let slack: Int64 = 3600 * 1000

    /// When the bucket is full again, in milliseconds since 1970.
    private(set) var full: Int64

    /// How long the account has to wait with its next command, in milliseconds; 0 if it needn't.
    func wait(at now: Int64) -> Int64 { max(0, begin(at: now) - now - Self.period) }

    /// Uses up part of it for a reply. The last one may go beyond the limit, by the slack at most.
    mutating func take(_ bytes: Int, at now: Int64) {
        let size = Int64(clamping: bytes) + Self.overhead
        let next = begin(at: now) + (size * Self.period + Self.most - 1) / Self.most
        full = min(next, now + Self.period + Self.slack)
    }

    /// A time further ahead was written before the clock was set back, and would block the account
    /// for as long.
    private func begin(at now: Int64) -> Int64 {
        full - Self.period - Self.slack > now ? now : max(now, full)
    }
}

/// The allowances of all accounts. A row of the store is written for each MiB, so a kill forgets at
/// most that much of an account.
struct ReplyAllowances {
    /// How far a row may be behind: 1 MiB, in milliseconds of an allowance.
    static let lag: Int64 = (1 << 20) * ReplyAllowance.period / ReplyAllowance.most

    private typealias Entry = (allowance: ReplyAllowance, saved: ReplyAllowance)
    private var entries = BoundedCache<String, Entry>(mostEntries: 1000)

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: how much is kept for an account") { db in
            try db.execute(
                sql: """
                    CREATE TABLE replyAllowance (
                        account TEXT NOT NULL PRIMARY KEY, "full" INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }

    /// How long an account has to wait with its next command, in milliseconds; 0 if it needn't.
    mutating func wait(of account: String, at now: Int64, _ db: Database) throws -> Int64 {
        let entry = try take(account, db)
        entries.put(entry, for: account)
        return entry.allowance.wait(at: now)
    }

    /// Counts a reply that is kept.
    mutating func count(_ bytes: Int, for account: String, at now: Int64, _ db: Database) throws {
        var entry = try take(account, db)
        entry.allowance.take(bytes, at: now)
        // After the clock was set back the row is further ahead than anything that follows.
        if entry.saved.full > entry.allowance.full { entry.saved = ReplyAllowance(full: 0) }
        if entry.allowance.full - max(now, entry.saved.full) >= Self.lag {
            // Accounts whose bucket is full again need no row.
            try db.execute(
                sql: "DELETE FROM replyAllowance WHERE \"full\" <= ?", arguments: [now])
            try db.execute(
                sql: "INSERT OR REPLACE INTO replyAllowance (account, \"full\") VALUES (?, ?)",
                arguments: [account, entry.allowance.full])
            entry.saved = entry.allowance
        }
        entries.put(entry, for: account)
    }

    private mutating func take(_ account: String, _ db: Database) throws -> Entry {
        if let entry = entries.take(account) { return entry }
        let full = try Int64.fetchOne(
            db, sql: "SELECT \"full\" FROM replyAllowance WHERE account = ?", arguments: [account])
        let kept = ReplyAllowance(full: full ?? 0)
        return (kept, kept)
    }
}
