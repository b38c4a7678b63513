import Foundation
import GRDB
import Messages
import Testing

@testable import RoutineService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a store is migrated even if an alert can't be read`() throws {
        let queue = try DatabaseQueue()
        try RoutineStore.migrator.migrate(queue, upTo: "routine: what devices have kept")
        let alert = AlertRaised(key: "b", subject: "ann/2026-05-04", recipient: "ann")
        try queue.write { db in
            for (key, bytes) in [("a", Data([0xFF])), ("b", Data(alert.packed()))] {
                try db.execute(
                    sql: "INSERT INTO dayAlert VALUES (?, 'ann', '2026-05-04', ?)",
                    arguments: [key, bytes])
            }
        }

        try RoutineStore.migrator.migrate(queue)

        let subjects = try queue.read {
            try String.fetchAll($0, sql: "SELECT key || ' ' || subject FROM standingAlert")
        }
        #expect(subjects == ["b ann/2026-05-04"])
    }
}
