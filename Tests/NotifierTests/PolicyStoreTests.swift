import GRDB
import Messages
import Synchronization
import Testing

@testable import Notifier

/// How the policy that escalates an alert is found among many.
@Suite struct PolicyStoreTests {
    /// How often SQL has read a column.
    private final class Tally: Sendable {
        private let reads = Mutex(0)
        var count: Int { reads.withLock { $0 } }

        /// An SQL function that returns its argument and counts.
        func function(_ name: String) -> DatabaseFunction {
            DatabaseFunction(name, argumentCount: 1) { values in
                self.reads.withLock { $0 += 1 }
                return values[0]
            }
        }
    }

    private func alert(
        _ severity: Severity = .warning, kind: String = "late", key: String = "k/1",
        at site: String
    ) -> AlertRaised {
        AlertRaised(
            key: key, kind: kind, severity: severity, needsAcknowledgement: true, site: site)
    }

    @Test func `of 10,000 policies only the one that escalates an alert is unpacked`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue)
        let (keys, policies) = (Tally(), Tally())
        try queue.write { db in
            for number in 0..<9_000 {
                try EscalationPolicy(
                    name: "p\(number)", source: "toy", kind: "late", key: "k/",
                    site: "site\(number)"
                ).save("hotel", db)
            }
            for number in 0..<1_000 {
                try EscalationPolicy(
                    name: "a\(number)", source: "toy", kind: "late", from: .urgent
                ).save("hotel", db)
            }
            db.add(function: keys.function("readKey"))
            db.add(function: policies.function("readPolicy"))
            // What is read of the table is counted.
            try db.execute(
                sql: """
                    ALTER TABLE policy RENAME TO keptPolicy;
                    CREATE VIEW policy AS SELECT organisation, name, source, kind, site, least,
                        readKey(key) AS key, readPolicy(policy) AS policy FROM keptPolicy;
                    """)
        }

        let found = try queue.read { db in
            try EscalationPolicy.first(
                for: alert(at: "site8000"), from: "toy", of: "hotel", db)?.name
        }

        #expect(found == "p8000")
        #expect(policies.count == 1)
        #expect(keys.count < 20)
    }

    @Test func `the first policy by name is found that fits in everything`() throws {
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue)
        try queue.write { db in
            var number = 0
            for site in ["b", "", "a"] {
                for (source, kind) in [("toy", "late"), ("", "late"), ("toy", ""), ("", "")] {
                    for (key, from) in [("k/", Severity.urgent), ("", .warning), ("k/2", .info)] {
                        // The numbers are in no order.
                        number = (number + 7) % 37
                        try EscalationPolicy(
                            name: "p\(number)", source: source, kind: kind, key: key, site: site,
                            from: from
                        ).save("hotel", db)
                    }
                }
            }
            try EscalationPolicy(name: "a", from: .info).save("other", db)
        }

        try queue.read { db in
            let all = try EscalationPolicy.all(of: "hotel", db)
            #expect(all.count == 36)
            #expect(all.map(\.name) == all.map(\.name).sorted())
            for severity in [Severity.info, .warning, .urgent, .unspecified] {
                for site in ["a", "b", "c", ""] {
                    for (key, source) in [("k/1", "toy"), ("k/2", "toy"), ("x", "plan")] {
                        for kind in ["late", "early"] {
                            let raised = alert(severity, kind: kind, key: key, at: site)
                            let found = try EscalationPolicy.first(
                                for: raised, from: source, of: "hotel", db)
                            #expect(found == all.first { $0.escalates(raised, from: source) })
                        }
                    }
                }
            }
        }
    }

    @Test func `maintenance that was begun while the clock was ahead is not in force, nor kept`()
        throws
    {
        let (now, hour) = (1_800_000_000_000 as Int64, 3_600_000 as Int64)
        var ids = MessageID.Generator()
        let queue = try DatabaseQueue()
        try NotifierStore.migrator.migrate(queue)
        let windows = [now - hour, now + 24 * hour].map {
            MaintenanceWindow(
                id: "\(ids.next(at: $0))", kind: "late", from: now - hour, until: now + 48 * hour)
        }

        #expect(
            windows.map { $0.holds(alert(at: ""), .warning, from: "toy", at: now) }
                == [true, false])
        try queue.write { db in
            for window in windows { try window.save("hotel", db) }
            try MaintenanceWindow.prune(begunAfter: now, db)
            #expect(try MaintenanceWindow.all(of: "hotel", at: now, db) == [windows[0]])
        }
    }
}
