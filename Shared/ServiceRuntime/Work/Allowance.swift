public import GRDB

/// How much more of something an account may use: a token bucket.
public struct Allowance: Equatable, Sendable {
    /// How much may be used, in any unit.
    public struct Limit: Equatable, Sendable {
        /// The maximum used together.
        let most: Int64
        /// How long it takes until an empty bucket is full again, in milliseconds.
        let period: Int64
        /// How far the last uses may go beyond the limit, in milliseconds, at most the period. It
        /// is for uses whose amount is not known in advance.
        let slack: Int64

        /// - Parameters:
        ///   - most: the maximum used together.
        ///   - period: how long it takes until an empty bucket is full again, in milliseconds.
        ///   - slack: how far the last uses may go beyond the limit, in milliseconds.
        public init(most: Int64, period: Int64, slack: Int64 = 0) {
            (self.most, self.period, self.slack) = (most, period, slack)
        }

        /// How long it takes until an amount has come back, in milliseconds. Twice the limit is
        /// beyond any slack, so a larger amount counts as that, and nothing overflows.
        func time(of amount: Int64) -> Int64 {
            (min(amount, 2 * most) * period + most - 1) / most
        }
    }

    let limit: Limit
    /// When the bucket is full again, in milliseconds since 1970. The difference from now is what
    /// was used lately.
    private(set) var full: Int64

    /// How long the account has to wait until it may use an amount, in milliseconds; 0 if it
    /// needn't.
    ///
    /// - Parameter amount: at most the limit; for 0 it waits until nothing is used beyond the
    ///   limit.
    public func wait(for amount: Int64, at now: Int64) -> Int64 {
        max(0, begin(at: now) + limit.time(of: amount) - now - limit.period)
    }

    /// Uses up an amount. It may go beyond the limit, by the slack at most.
    public mutating func use(_ amount: Int64, at now: Int64) {
        full = min(begin(at: now) + limit.time(of: amount), now + limit.period + limit.slack)
    }

    /// A time further ahead was written before the clock was set back, and would block the account
    /// too long.
    private func begin(at now: Int64) -> Int64 {
        full > now + limit.period + limit.slack ? now : max(now, full)
    }
}

/// A table with the allowance of each account, so that a restart or a kill refills none.
public struct AllowanceTable: Sendable {
    let name: String
    let migration: String
    let limit: Allowance.Limit

    /// - Parameters:
    ///   - name: the name of the table.
    ///   - migration: the name of the migration that makes it.
    ///   - limit: how much each account may use.
    public init(name: String, migration: String, limit: Allowance.Limit) {
        (self.name, self.migration, self.limit) = (name, migration, limit)
    }

    /// Registers the migration that makes the table.
    public func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration(migration) { [name] db in
            try db.execute(
                sql: """
                    CREATE TABLE \(name) (
                        account TEXT NOT NULL PRIMARY KEY, "full" INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }

    /// The allowance of an account.
    public func allowance(of account: String, _ db: Database) throws -> Allowance {
        let full = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT \"full\" FROM \(name) WHERE account = ?"),
            arguments: [account])
        return Allowance(limit: limit, full: full ?? 0)
    }

    /// Saves the allowance of an account.
    public func keep(
        _ allowance: Allowance, of account: String, at now: Int64, _ db: Database
    ) throws {
        // Accounts whose bucket is full again need no row.
        try db.cachedStatement(sql: "DELETE FROM \(name) WHERE \"full\" <= ?")
            .execute(arguments: [now])
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO \(name) (account, \"full\") VALUES (?, ?)"
        ).execute(arguments: [account, allowance.full])
    }
}
