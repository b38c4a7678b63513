import GRDB

extension AllowanceTable {
    /// How many bytes of replies may be kept for each account, so that nobody fills the disk with
    /// what is kept for a day in case a command comes again: 512 MiB. The slack is an hour, because
    /// the slow commands of an account that are under way together may each have a reply of 1 MiB.
    static let replies = AllowanceTable(
        name: "replyAllowance", migration: "steward: how much is kept for an account",
        limit: Allowance.Limit(most: 512 << 20, period: 24 * 3600 * 1000, slack: 3600 * 1000))
}

/// How many more bytes of replies may be kept for each account. A row of the store is written for
/// each MiB, so a kill loses at most that much of an account's count.
struct ReplyAllowances {
    /// What a row takes besides its reply, in bytes.
    static let overhead: Int64 = 100
    /// How far a row may be behind: 1 MiB, in milliseconds of an allowance.
    static let lag = AllowanceTable.replies.limit.time(of: 1 << 20)

    /// An allowance, and when the bucket is full again according to the row of the store.
    private typealias Entry = (allowance: Allowance, saved: Int64)
    private var entries = BoundedCache<String, Entry>(mostEntries: 1000)

    /// How long an account has to wait with its next command, in milliseconds; 0 if it needn't.
    mutating func wait(of account: String, at now: Int64, _ db: Database) throws -> Int64 {
        let entry = try take(account, db)
        entries.put(entry, for: account)
        // How large the reply will be is not known yet.
        return entry.allowance.wait(for: 0, at: now)
    }

    /// Counts a reply that is kept.
    mutating func count(_ bytes: Int, for account: String, at now: Int64, _ db: Database) throws {
        var entry = try take(account, db)
        entry.allowance.use(Int64(clamping: bytes) + Self.overhead, at: now)
        // After the clock was set back the row is further ahead than anything that follows.
        if entry.saved > entry.allowance.full { entry.saved = 0 }
        if entry.allowance.full - max(now, entry.saved) >= Self.lag {
            try AllowanceTable.replies.keep(entry.allowance, of: account, at: now, db)
            entry.saved = entry.allowance.full
        }
        entries.put(entry, for: account)
    }

    private mutating func take(_ account: String, _ db: Database) throws -> Entry {
        if let entry = entries.take(account) { return entry }
        let kept = try AllowanceTable.replies.allowance(of: account, db)
        return (kept, kept.full)
    }
}
