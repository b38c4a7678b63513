import Foundation
import GRDB
import Messages
import Testing

@testable import TransitAlertService

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a journey that is beyond today's limits is brought up to date`() throws {
        let queue = try DatabaseQueue()
        try TransitStore.migrator.migrate(queue, upTo: "transit: organisations")
        let journey = Journey(id: "j", feed: String(repeating: "f", count: 1001), ended: 7000)
        #expect(throws: ProtobufError.self) { _ = try Journey(unpacking: journey.packed()) }
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO journey (id, owner, file, isActive, journey, lines, alerts)
                    VALUES ('j', 'ann', 'city.feed', 0, ?, '', '[]')
                    """,
                arguments: [Data(journey.packed())])
        }

        try TransitStore.migrator.migrate(queue)

        let ended = try queue.read { try Int64.fetchAll($0, sql: "SELECT ended FROM journey") }
        #expect(ended == [7000])
    }
}
