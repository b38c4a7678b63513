import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct StandingAlertTests {
        @Test func `a store of an earlier version keeps its alerts and raises none twice`() throws {
            let restaurant = try Restaurant()
            let system = restaurant.system
            try restaurant.set { ($0.grace, $0.escalateAfter) = (0, 5) }
            let list = try restaurant.keep(
                .list("Rush", .before, tasks: 2) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                    task.timeCritical = true
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let keys = ["t1", "t2"].map { "shift/\(shift.id)/task/\(list)/\($0)" }
            let told = try restaurant.raised()
            try #require(told.map(\.key) == keys)
            restaurant.kill()
            // The first was acknowledged, the second not.
            try system.forgetStandingAlerts(
                of: .checklist, migration: "checklist: standing alerts",
                """
                CREATE TABLE shiftAlert (
                    key TEXT NOT NULL PRIMARY KEY, shift TEXT NOT NULL, due INTEGER NOT NULL,
                    since INTEGER NOT NULL,
                    isAcknowledged INTEGER NOT NULL CHECK (isAcknowledged IN (0, 1)),
                    alert BLOB NOT NULL
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX alertByShift ON shiftAlert (shift);
                INSERT INTO shiftAlert
                    SELECT key, subject, occasion, since, key = '\(keys[0])', alert
                    FROM standingAlert
                """)

            try restaurant.pass(minutes: 30)
            try restaurant.restart()

            let escalated = "\(keys[1])/escalated/\(shift.manager)"
            try eventually("only unacknowledged tasks are escalated") {
                // A travel path may become due at the same time.
                try restaurant.raised().map(\.key).filter {
                    $0.hasPrefix("shift/\(shift.id)/task") && $0.contains("/escalated/")
                } == [escalated]
            }
            #expect(try restaurant.raised().filter { keys.contains($0.key) } == told)
            let page = try restaurant.client.replay(Replay(epoch: 1, limit: 500))
            let snapshot = try page.events.map { try Envelope(unpacking: $0) }
                .filter { $0.type == AlertRaised.protobufName }
                .map { try AlertRaised(unpacking: $0.data).key }.sorted()
            #expect(
                snapshot.filter { $0.hasPrefix("shift/\(shift.id)/task") } == [keys[1], escalated])

            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            #expect(try restaurant.openKeys() == [])
            #expect(Set(try restaurant.withdrawn()).isSuperset(of: keys + [escalated]))
        }
    }
}
