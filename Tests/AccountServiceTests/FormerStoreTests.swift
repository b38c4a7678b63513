import Foundation
import GRDB
import Messages
import Testing

@testable import AccountService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a store is migrated even if an organisation can't be read`() throws {
        let queue = try DatabaseQueue()
        try AccountStore.migrator.migrate(queue, upTo: "account: e-mail")
        let damaged = Data([0xFF])
        let north = Organisation(
            id: "n", name: "North", sites: [Site(id: "h", name: "Harbour")])
        try queue.write { db in
            for (id, bytes) in [("d", damaged), ("n", Data(north.packed()))] {
                try db.execute(
                    sql: "INSERT INTO organisation VALUES (?1, ?1, ?2)", arguments: [id, bytes])
            }
        }

        try AccountStore.migrator.migrate(queue)

        try queue.read { db in
            #expect(try Organisation.find("n", db) == north)
            let kept = try Data.fetchOne(
                db, sql: "SELECT organisation FROM organisation WHERE id = 'd'")
            #expect(kept == damaged)
        }
    }
}
