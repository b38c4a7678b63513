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

    @Test func `a store is brought up to date although a journey or its alerts can't be read`()
        throws
    {
        let queue = try DatabaseQueue()
        try TransitStore.migrator.migrate(queue, upTo: "transit: organisations")
        let begun = "01900000-0000-7000-8000-000000000000"
        let damaged = Data([0xFF])
        let ended = Data(Journey(id: "b", feed: "city", ended: 7000).packed())
        let standing = String(
            decoding: try JSONEncoder().encode([AlertRaised(key: "kept", subject: "d")]),
            as: UTF8.self)
        try queue.write { db in
            for (id, isActive, journey, alerts) in [
                (begun, false, damaged, "[]"), ("b", false, ended, "[]"),
                ("c", true, damaged, "[{"), ("d", true, damaged, standing),
            ] {
                try db.execute(
                    sql: """
                        INSERT INTO journey (id, owner, file, isActive, journey, lines, alerts)
                        VALUES (?, 'ann', 'city.feed', ?, ?, '', ?)
                        """,
                    arguments: [id, isActive, journey, alerts])
            }
        }

        try TransitStore.migrator.migrate(queue)

        try queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT id, journey, ended FROM journey")
            let times: [String: Int64] = Dictionary(
                uniqueKeysWithValues: rows.map { ($0["id"] as String, $0["ended"] as Int64) })
            // It isn't deleted as if it had ended in 1970.
            #expect(times == [begun: 1_717_986_918_400, "b": 7000, "c": 0, "d": 0])
            let kept = rows.filter { ($0["journey"] as Data) == damaged }
            #expect(kept.count == 3)
            let keys = try String.fetchAll(db, sql: "SELECT key FROM standingAlert")
            #expect(keys == ["kept"])
        }
    }
}
