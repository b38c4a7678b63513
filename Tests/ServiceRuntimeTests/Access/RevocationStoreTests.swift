import GRDB
import TestSupport
import Testing

@testable import ServiceRuntime

/// The table of revocations, which every store has.
struct RevocationStoreTests {
    private let store: DatabaseQueue

    init() throws {
        var migrator = DatabaseMigrator()
        Ledger.register(in: &migrator, now: 0)
        AccessKeys.register(in: &migrator)
        store = try DatabaseQueue()
        try migrator.migrate(store)
    }

    @Test func `only ends of sessions are deleted, and none while a token of it may live`() throws {
        // A token lives ten minutes, and clocks differ.
        #expect(AccessKeys.sessionMemory >= 3_600_000)
        let left = try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO accessRevocation (account, session, authEpoch, time)
                    VALUES ('ann', 'old', 0, 1), ('ann', 'new', 0, 9), ('bob', '', 2, 1)
                    """)
            try db.execute(sql: AccessKeys.forgetting, arguments: [5])
            return try String.fetchAll(
                db, sql: "SELECT account || session FROM accessRevocation ORDER BY account")
        }
        #expect(left == ["annnew", "bob"])
    }

    @Test func `a revocation doesn't look at all that came before it`() throws {
        let steps = try store.read { db in try db.steps(of: AccessKeys.forgetting, [0]) }
        let step = try #require(steps.first)
        #expect(steps.count == 1 && step.hasPrefix("SEARCH"), "\(steps)")
        #expect(step.contains("accessRevocationByTime"), "\(steps)")
    }
}
