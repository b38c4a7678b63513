import Foundation
import GRDB
import Messages
import Testing

@testable import PlanService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a store is migrated even if an alert can't be read`() throws {
        let queue = try DatabaseQueue()
        try PlanStore.migrator.migrate(
            queue, upTo: "plan: more letters that are compared as others")
        let alert = AlertRaised(key: "b", subject: "q", recipient: "ann")
        try queue.write { db in
            for (plan, key, bytes) in [
                ("p", "a", Data([0xFF])), ("q", "b", Data(alert.packed())),
            ] {
                try db.execute(
                    sql: "INSERT INTO plan VALUES (?1, 'o', ?1, '', 1, 1, '', 'ann', 'o', x'')",
                    arguments: [plan])
                try db.execute(
                    sql: "INSERT INTO planAlert VALUES (?, ?, ?)", arguments: [plan, key, bytes])
            }
        }

        try PlanStore.migrator.migrate(queue)

        let subjects = try queue.read {
            try String.fetchAll($0, sql: "SELECT key || ' ' || subject FROM standingAlert")
        }
        #expect(subjects == ["b q"])
    }
}
