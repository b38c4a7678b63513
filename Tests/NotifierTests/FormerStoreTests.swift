import Foundation
import GRDB
import Messages
import Testing

@testable import Notifier

/// Stores with the tables of an earlier version, and what they had.
@Suite struct FormerStoreTests {
    @Test func `a closed alert that is beyond today's limits is brought up to date`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue, upTo: "notifier: preferences")
        let alert = Alert(id: "a", source: String(repeating: "s", count: 300), closed: 7000)
        #expect(throws: ProtobufError.self) { _ = try Alert(unpacking: alert.packed()) }
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO alert (id, source, key, feed, state, time, alert)
                    VALUES ('a', 's', 'k', 'f', 2, 1000, ?)
                    """,
                arguments: [Data(alert.packed())])
        }

        try NotifierStore.migrator.migrate(queue)

        let closed = try queue.read { try Int64.fetchAll($0, sql: "SELECT closed FROM alert") }
        #expect(closed == [7000])
    }

    @Test func `a store is brought up to date although a closed alert can't be read`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue, upTo: "notifier: preferences")
        let alert = Alert(id: "b", source: "s", closed: 7000)
        try queue.write { db in
            for (id, bytes) in [("a", Data([0xFF])), ("b", Data(alert.packed()))] {
                try db.execute(
                    sql: """
                        INSERT INTO alert (id, source, key, feed, state, time, alert)
                        VALUES (?, 's', ?, 'f', 2, 1000, ?)
                        """,
                    arguments: [id, id, bytes])
            }
        }

        try NotifierStore.migrator.migrate(queue)

        let closed = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT closed FROM alert ORDER BY id")
        }
        #expect(closed == [0, 7000])
    }

    @Test func `the policies of an earlier version are found by their sites`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue, upTo: "notifier: policies and maintenance")
        let sites = ["a", "b"].map {
            EscalationPolicy(name: "p\($0)", site: $0, from: .warning)
        }
        try queue.write { db in
            for policy in sites {
                try db.execute(
                    sql: "INSERT INTO policy VALUES ('hotel', ?, '', '', '', ?)",
                    arguments: [policy.name, Data(policy.packed())])
            }
            try db.execute(sql: "INSERT INTO policy VALUES ('hotel', 'damaged', '', '', '', x'FF')")
        }

        try NotifierStore.migrator.migrate(queue)

        let found = try queue.read { db in
            try [Severity.info, .warning].map { severity in
                try EscalationPolicy.first(
                    for: AlertRaised(
                        key: "k", severity: severity, needsAcknowledgement: true, site: "b"),
                    from: "toy", of: "hotel", db)
            }
        }
        #expect(found == [nil, sites[1]])
    }

    @Test func `accounts are requested as they are, to learn who cares for whom`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue, upTo: "notifier: members of organisations")
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE cursor (producer TEXT, epoch INTEGER, sequence INTEGER);
                    INSERT INTO cursor VALUES ('account-service', 7, 3), ('plan-service', 7, 4);
                    INSERT INTO member VALUES ('ann', 'o', x'');
                    """)
        }

        try NotifierStore.migrator.migrate(queue)

        // For a follower with an unknown history there is no answer but the present state.
        let epochs = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT epoch FROM cursor ORDER BY sequence")
        }
        #expect(epochs == [1, 7])
        // Nobody is forgotten until that has come.
        let members = try queue.read {
            try String.fetchAll($0, sql: "SELECT account FROM member")
        }
        #expect(members == ["ann"])
    }
}
