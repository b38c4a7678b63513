import GRDB
import Testing

@testable import ServiceRuntime

/// How much may be used of what comes back with time.
@Suite struct AllowanceTests {
    private static let now: Int64 = 1_795_000_000_000
    /// One each two seconds, and up to seven more than there is.
    private static let limit = Allowance.Limit(most: 50, period: 100_000, slack: 14_000)

    private static let fresh = Allowance(limit: limit, full: 0)

    @Test func `all of it can be used at once, and comes back steadily`() {
        var allowance = Self.fresh
        #expect(allowance.wait(for: 50, at: Self.now) == 0)
        allowance.use(50, at: Self.now)

        #expect(allowance.wait(for: 0, at: Self.now) == 0)
        #expect(allowance.wait(for: 1, at: Self.now) == 2_000)
        #expect(allowance.wait(for: 50, at: Self.now) == 100_000)
        #expect(allowance.wait(for: 1, at: Self.now + 1_999) == 1)
        #expect(allowance.wait(for: 1, at: Self.now + 2_000) == 0)
        #expect(allowance.wait(for: 50, at: Self.now + 99_999) == 1)
        #expect(allowance.wait(for: 50, at: Self.now + 100_000) == 0)
    }

    @Test func `what is used while it is full again counts from then`() {
        var allowance = Self.fresh
        allowance.use(50, at: Self.now)
        allowance.use(1, at: Self.now + 1_000_000)

        #expect(allowance.full == Self.now + 1_002_000)
    }

    @Test func `a part of a millisecond counts as a whole one`() {
        var allowance = Allowance(limit: Allowance.Limit(most: 3, period: 10), full: 0)
        allowance.use(1, at: Self.now)

        #expect(allowance.full == Self.now + 4)
    }

    @Test(arguments: [8, 101, Int64.max])
    func `more than there is can be used up to the slack`(amount: Int64) {
        var allowance = Self.fresh
        allowance.use(50, at: Self.now)
        allowance.use(amount, at: Self.now)

        #expect(allowance.wait(for: 0, at: Self.now) == 14_000)
        #expect(allowance.wait(for: 0, at: Self.now + 14_000) == 0)
    }

    @Test func `a clock that was set back a little uses up no more than the whole and the slack`() {
        let used = Allowance(limit: Self.limit, full: Self.now + 114_000)
        #expect(used.wait(for: 0, at: Self.now) == 14_000)
    }

    @Test(arguments: [Self.now + 114_001, Int64.max])
    func `it is whole again when the clock was set back further`(full: Int64) {
        var allowance = Allowance(limit: Self.limit, full: full)
        #expect(allowance.wait(for: 50, at: Self.now) == 0)
        allowance.use(1, at: Self.now)
        #expect(allowance.full == Self.now + 2_000)
    }

    @Test func `a time before all others is one at which it is full`() {
        let allowance = Allowance(limit: Self.limit, full: .min)
        #expect(allowance.wait(for: 50, at: Self.now) == 0)
    }

    @Test func `of each account what was used is kept, until it is full again`() throws {
        let table = AllowanceTable(name: "water", migration: "how much water", limit: Self.limit)
        var migrator = DatabaseMigrator()
        table.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        try store.write { db in
            let uses: [(account: String, amount: Int64)] = [("ann", 2), ("bob", 3), ("ann", 4)]
            for (account, amount) in uses {
                var allowance = try table.allowance(of: account, db)
                allowance.use(amount, at: Self.now)
                try table.keep(allowance, of: account, at: Self.now, db)
            }
            #expect(try table.allowance(of: "ann", db).full == Self.now + 12_000)
            #expect(try table.allowance(of: "bob", db).full == Self.now + 6_000)
            #expect(try table.allowance(of: "eve", db) == Self.fresh)

            try table.keep(Self.fresh, of: "eve", at: Self.now + 6_000, db)
            let left = try String.fetchAll(db, sql: "SELECT account FROM water ORDER BY account")
            #expect(left == ["ann", "eve"])
        }
    }

    @Test(arguments: [AllowanceTable.mails, AllowanceTable.replies])
    func `the table of an earlier version is read`(table: AllowanceTable) throws {
        let names = [
            "mailAllowance": "steward: how many mails an account may order",
            "replyAllowance": "steward: how much is kept for an account",
        ]
        var former = DatabaseMigrator()
        former.registerMigration(try #require(names[table.name])) { db in
            try db.execute(
                sql: """
                    CREATE TABLE \(table.name) (
                        account TEXT NOT NULL PRIMARY KEY, "full" INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    INSERT INTO \(table.name) VALUES ('ann', \(Self.now));
                    """)
        }
        let store = try DatabaseQueue()
        try former.migrate(store)

        var migrator = DatabaseMigrator()
        table.register(in: &migrator)
        try migrator.migrate(store)

        let full = try store.read { db in try table.allowance(of: "ann", db).full }
        #expect(full == Self.now)
    }
}
