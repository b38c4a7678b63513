import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct StandingAlertTests {
        @Test func `a store of an earlier version keeps its alerts and raises none twice`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", CheckTests.home(clear: 600)) {
                $0.standards = ["tek17"]
            }
            try office.untilChecked()
            let told = try office.system.raised(by: .plan)
            try #require(told.count == 1)
            office.stop()
            try office.system.forgetStandingAlerts(
                of: .plan, migration: "plan: standing alerts",
                """
                CREATE TABLE planAlert (
                    plan TEXT NOT NULL PRIMARY KEY REFERENCES plan ON DELETE CASCADE,
                    key TEXT NOT NULL UNIQUE, alert BLOB NOT NULL
                ) WITHOUT ROWID, STRICT;
                INSERT INTO planAlert SELECT subject, key, alert FROM standingAlert
                """)

            try office.restart()
            #expect(try office.system.raisedInSnapshot(of: .plan) == told)
            // Nothing new fails.
            try office.edit(plan.id, .move("chair", by: (10, 0)))
            try office.untilChecked()
            #expect(try office.system.raised(by: .plan) == told)

            _ = try office.ask(DeletePlan(plan: plan.id), for: PlanDeleted.self)
            #expect(try office.told(AlertWithdrawn.self).map(\.key) == told.map(\.key))
        }
    }
}
