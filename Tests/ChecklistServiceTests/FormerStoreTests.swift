import Foundation
import GRDB
import Messages
import Testing

@testable import ChecklistService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a store is migrated even if an alert can't be read`() throws {
        let queue = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(
            queue, upTo: "checklist: versions as changes of the next one")
        let alert = AlertRaised(key: "b", subject: "shift", recipient: "ann")
        try queue.write { db in
            for (key, bytes) in [("a", Data([0xFF])), ("b", Data(alert.packed()))] {
                try db.execute(
                    sql: "INSERT INTO shiftAlert VALUES (?, 'shift', 1000, 2000, 1, ?)",
                    arguments: [key, bytes])
            }
        }

        try ChecklistStore.migrator.migrate(queue)

        let alerts = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT key, occasion, acknowledged FROM standingAlert")
                .map { "\($0[0] as String) \($0[1] as Int64) \($0[2] as Int64)" }
        }
        #expect(alerts == ["b 1000 2000"])
    }
}
