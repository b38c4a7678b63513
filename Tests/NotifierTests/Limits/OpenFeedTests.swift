import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// What a person sees first of very many open alerts.
@Suite(.serialized, .waiting) struct OpenFeedTests {
    @Test func `a feed with more open alerts than fit into an answer opens with the most severe`()
        throws
    {
        let office = try PostOffice(hasServer: false)
        var alert = AlertRaised(
            key: "now", severity: .urgent, title: "Get off now", recipient: "ann",
            needsAcknowledgement: true)
        try office.raise(alert)
        alert.severity = .info
        alert.body = String(repeating: "a b ", count: 16_000)
        for number in 0..<40 {
            alert.key = "k\(number)"
            try office.raise(alert)
        }
        try eventually("all of them are kept") {
            try office.system.query(.notifier, "SELECT count(*) FROM alert") == [["41"]]
        }

        let feed = try office.ask(OpenFeed(recipient: "ann"), for: AlertFeed.self)
        let open = feed.open

        #expect(!feed.isComplete)
        #expect(try office.ask(OpenFeed(recipient: "bob"), for: AlertFeed.self).isComplete)
        let keys = open.map { $0.raised?.key }
        #expect((3..<41).contains(keys.count))
        #expect(keys.first == "now" && keys.last == "k39")
        #expect(open.map(\.id) == open.map(\.id).sorted())
    }

    @Test func `of more than 500 open alerts the most severe are found, and of these the newest`()
        throws
    {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store)
        let found: [Alert] = try store.write { db in
            for number in 1_000..<1_600 {
                var alert = Alert(
                    id: "\(number)", source: "toy",
                    raised: AlertRaised(key: "\(number)", recipient: "ann"), state: .open,
                    severity: .info)
                try alert.save(db)
                guard number == 1_001 else { continue }
                // It gets louder.
                alert.severity = .urgent
                try alert.save(db)
            }
            return try Alert.loudest(
                of: AlertFeedAddress(organisation: "", recipient: "ann"), db)
        }

        #expect(found.count == 500)
        #expect(found.prefix(3).map(\.id) == ["1001", "1599", "1598"])
    }

    @Test func `the open alerts of an earlier version are known by their severities`() throws {
        let store = try DatabaseQueue()
        try NotifierStore.migrator.migrate(store, upTo: "notifier: how many alerts a feed has")
        let (info, urgent) = (Alert(severity: .info), Alert(severity: .urgent))
        let bytes = [Data(info.packed()), Data(urgent.packed()), Data([0xFF])]
        try store.write { db in
            for (number, bytes) in bytes.enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO alert (id, source, key, feed, state, time, alert)
                        VALUES (?, 's', ?, 'f', 1, 1000, ?)
                        """, arguments: ["\(number)", "\(number)", bytes])
            }
        }

        try NotifierStore.migrator.migrate(store)

        let kept = try store.read {
            try Int32.fetchAll($0, sql: "SELECT severity FROM alert ORDER BY id")
        }
        #expect(kept == [Severity.info, .urgent, .urgent].map(\.rawValue))
    }
}
