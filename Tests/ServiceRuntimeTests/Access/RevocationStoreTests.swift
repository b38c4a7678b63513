import GRDB
import TestSupport
import Testing

@testable import ServiceRuntime

/// The table of revocations, which every store has.
struct RevocationStoreTests {
    @Test func `a revocation doesn't look at all that came before it`() throws {
        var migrator = DatabaseMigrator()
        Ledger.register(in: &migrator, now: 0)
        AccessKeys.register(in: &migrator)
        let store = try DatabaseQueue()
        try migrator.migrate(store)
        let steps = try store.read { db in try db.steps(of: AccessKeys.forgetting, [0]) }
        let step = try #require(steps.first)
        #expect(steps.count == 1 && step.hasPrefix("SEARCH"), "\(steps)")
        #expect(step.contains("accessRevocationByTime"), "\(steps)")
    }
}
