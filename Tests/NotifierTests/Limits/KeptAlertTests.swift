import GRDB
import Messages
import Testing

@testable import Notifier

/// How many alerts a feed has.
struct KeptAlertTests {
    @Test func `beyond 200,000 alerts of a feed, closed ones make room, and no open one`() throws {
        #expect(KeptAlerts.most == 200_000)
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            func save(_ id: String, _ state: AlertState, for recipient: String = "ann") throws {
                try Alert(
                    id: id, source: "toy", raised: AlertRaised(key: id, recipient: recipient),
                    state: state
                ).save(db)
            }
            func ids() throws -> [String] {
                try String.fetchAll(db, sql: "SELECT id FROM alert ORDER BY id")
            }
            try save("a", .open)
            try save("b", .acknowledged)
            try save("c", .withdrawn)
            try save("d", .withdrawn, for: "bob")
            try db.execute(
                sql: """
                    INSERT INTO delivery (
                        id, feed, channel, alert, isUrgent, state, due, changed, delivery)
                    VALUES ('1', '', '', 'b', 0, 3, 0, 0, x''), ('2', '', '', 'd', 0, 3, 0, 0, x'')
                    """)
            let counts = "SELECT count FROM alertSize ORDER BY count"
            #expect(try Int.fetchAll(db, sql: counts) == [1, 3])

            let set = "UPDATE alertSize SET count = ? WHERE count > 1"
            try db.execute(sql: set, arguments: [KeptAlerts.most - 1])
            try save("e", .open)
            #expect(try ids() == ["a", "b", "c", "d", "e"])
            try save("f", .open)

            #expect(try ids() == ["a", "d", "e", "f"])
            #expect(try String.fetchAll(db, sql: "SELECT alert FROM delivery") == ["d"])
            let count = "SELECT max(count) FROM alertSize"
            #expect(try Int.fetchOne(db, sql: count) == KeptAlerts.most - 1)
        }
    }

    @Test func `those closed first make room, and none whose end is still to be delivered`() throws
    {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        try store.write { db in
            func save(_ id: String, _ state: AlertState, closed: Int64 = 0) throws {
                try Alert(
                    id: id, source: "toy", raised: AlertRaised(key: id, recipient: "ann"),
                    state: state, closed: closed
                ).save(db)
            }
            func ids() throws -> [String] {
                try String.fetchAll(
                    db, sql: "SELECT id FROM alert WHERE id NOT LIKE 'n%' ORDER BY id")
            }
            let full = "UPDATE alertSize SET count = ?"
            try save("a", .open)
            try save("b", .withdrawn, closed: 8)
            try save("c", .withdrawn, closed: 1)
            for number in 0..<100 { try save("n\(number)", .withdrawn, closed: 2) }
            try db.execute(
                sql: """
                    INSERT INTO delivery (
                        id, feed, channel, alert, isUrgent, state, due, changed, delivery)
                    VALUES ('1', '', '', 'c', 0, 1, 0, 0, x'')
                    """)

            try db.execute(sql: full, arguments: [KeptAlerts.most + 1])
            try save("a", .withdrawn, closed: 9)
            #expect(try ids() == ["a", "b", "c"])

            try db.execute(sql: full, arguments: [KeptAlerts.most + 1])
            try save("d", .withdrawn, closed: 10)
            #expect(try ids() == ["c", "d"])
        }
    }
}
