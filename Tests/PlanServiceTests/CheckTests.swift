import Bus
import FloorPlan
import Messages
import Phrases
import TestSupport
import Testing

@testable import PlanService

extension Processes {
    @Suite struct CheckTests {
        /// A room of 4 x 3 m with an entrance of this clear width, and a wheelchair outside it.
        static func home(clear: UInt32) -> [PlanItem] {
            let corners = [(50, 50), (3_950, 50), (3_950, 2_950), (50, 2_950)]
                .map { PlanPoint(x: Int32($0.0), y: Int32($0.1)) }
            let walls = PlanItem.room.filter { $0.id != "door-1" }
            return walls + [
                PlanItem(
                    item: .opening(
                        Opening(
                            id: "door-1", wall: "south", kind: .door, offset: 500, width: 1_000,
                            height: 2_100, clearWidth: clear, entrance: true, label: "Entrance"))),
                PlanItem(
                    item: .room(
                        Room(id: "room-1", name: "Stue", use: .living, corners: corners))),
                .element("chair", .wheelchair, at: (1_000, -2_000), 650, 1_100),
            ]
        }

        func widen(_ clear: UInt32) throws -> PlanAction.Action {
            .replace(try #require(Self.home(clear: clear).first { $0.id == "door-1" }))
        }

        @Test func `a check reports what fails by which clause, and which rooms the chair reaches`()
            throws
        {
            let office = try Office()
            let plan = try office.make("Storgata 1", Self.home(clear: 600)) { $0.chair = "chair" }
            let check = try office.ask(
                CheckPlan(plan: "storgata 1", failingOnly: true), for: PlanCheck.self)
            let door = try #require(check.findings.first { $0.item == "door-1" })
            #expect(check.plan == plan && check.failed > 0)
            #expect(check.standards.map(\.id) == ["tek17"] && check.passedOver == PassedOver())
            #expect(door.verdict == .fail && door.standard == "tek17" && door.measured == 600)
            #expect(door.person?.verdict == .fail)
            #expect(check.findings.allSatisfy { $0.verdict != .pass })
            #expect(check.reach?.rooms.map(\.reached) == [.fail])

            try office.edit(plan.id, widen(900))
            let reach = try office.ask(ReachPlan(plan: plan.id, to: "STUE"), for: PlanReach.self)
            #expect(reach.rooms.map(\.reached) == [.pass] && reach.width == 650)
            #expect(reach.route.count > 1)
            let wide = try office.ask(
                ReachPlan(plan: plan.id, width: 950, length: 1_200), for: PlanReach.self)
            #expect(wide.doors.map(\.door) == ["door-1"] && wide.doors[0].missing == 50)
        }

        @Test func `a door that satisfies the clause is reported if the chair doesn't pass`()
            throws
        {
            let office = try Office()
            let wide = PlanItem.element("chair", .wheelchair, at: (1_000, -2_000), 950, 1_200)
            let items = Self.home(clear: 900).map { $0.id == "chair" ? wide : $0 }
            let plan = try office.make("Storgata 1", items) { $0.chair = "chair" }
            let check = try office.ask(
                CheckPlan(plan: plan.id, failingOnly: true), for: PlanCheck.self)
            let door = try #require(
                check.findings.first { $0.item == "door-1" && $0.rule == "door-entrance" })
            #expect(door.verdict == .pass && door.person?.verdict == .fail)
        }

        @Test func `what can't be checked is refused with a list of what can`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room)
            for (query, message) in [
                (CheckPlan(plan: plan.id, standards: ["tek18"]), "tek17"),
                (CheckPlan(plan: plan.id, chair: "door-1"), "door-1"),
                (CheckPlan(plan: plan.id, language: "xx"), "nb"),
            ] {
                #expect(try office.refusal(of: query)?.message.contains(message) == true)
            }
            #expect(try office.refusal(of: ReachPlan(plan: plan.id))?.code == .invalid)
            #expect(
                try office.refusal(of: ReachPlan(plan: plan.id, width: 600, length: 1, to: ""))?
                    .code == .invalid)
            let standards = try office.ask(ListStandards(), for: Messages.Standards.self)
            #expect(standards.standards.contains { $0.id == "tek17" && $0.rules > 0 })
        }

        @Test
        func `a new failure in a saved plan raises one alert, which is withdrawn when it passes`()
            throws
        {
            let office = try Office()
            let plan = try office.make("Storgata 1", Self.home(clear: 900)) {
                $0.standards = ["tek17"]
            }
            try office.untilChecked()
            let first = try office.told(FindingsChanged.self).flatMap(\.failing).map(\.id)
            #expect(!first.contains { $0.hasSuffix("/door-1") })

            try office.edit(plan.id, widen(600))
            try office.untilChecked()
            let told = try office.told(FindingsChanged.self)
            let failing = try #require(told.last).failing
            #expect(failing.contains { $0.item == "door-1" && $0.measured == 600 })
            #expect(told.last?.revision == 2)
            let alert = try #require(try office.told(AlertRaised.self).last)
            #expect(alert.kind == "plan.finding" && alert.subject == plan.id)
            #expect(alert.title.contains("Storgata 1") && alert.body.contains("Entrance"))
            #expect(alert.recipient != "")
            let norwegian = alert.said(in: .norwegian)
            #expect(norwegian.title.hasSuffix(" ikke oppfylt i «Storgata 1»"))
            #expect(norwegian.body.contains("Entrance: Fri bredde: 600 mm, "))
            #expect(norwegian.body.contains(" mm for lite. (§ 12-13 (2) "))

            // Nothing new fails.
            try office.edit(plan.id, .move("chair", by: (10, 0)))
            try office.untilChecked()
            #expect(try office.told(AlertRaised.self).last == alert)
            #expect(try office.told(FindingsChanged.self).count == told.count)

            var details = try #require(plan.details)
            details.standards = []
            _ = try office.ask(ChangePlanDetails(plan: plan.id, details: details), for: Plan.self)
            try office.untilChecked()
            #expect(try office.told(AlertWithdrawn.self).map(\.key) == [alert.key])
            #expect(
                Set(try office.told(FindingsChanged.self).flatMap(\.resolved))
                    == Set(first + failing.map(\.id)))
        }

        @Test func `a change to a threshold of 60 mm raises an alert under TEK17`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", Self.home(clear: 900)) {
                $0.standards = ["tek17"]
                $0.chair = "chair"
            }
            try office.untilChecked()
            let first = try office.told(FindingsChanged.self).flatMap(\.failing).map(\.id)
            #expect(!first.contains("tek17/threshold/door-1"))

            let door = try #require(Self.home(clear: 900).first { $0.id == "door-1" })
            guard case .opening(var high) = door.item else {
                Issue.record("the door is missing")
                return
            }
            high.threshold = 60
            try office.edit(plan.id, .replace(PlanItem(item: .opening(high))))
            try office.untilChecked()

            let told = try #require(try office.told(FindingsChanged.self).last)
            #expect(told.failing.map(\.id) == ["tek17/threshold/door-1"])
            let alert = try #require(try office.told(AlertRaised.self).last)
            #expect(alert.body.contains("Entrance: The chair doesn't get over 60 mm"))
        }

        @Test func `a check that a kill interrupted is made after the restart`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", Self.home(clear: 600)) {
                $0.standards = ["tek17"]
            }
            try office.restart()
            try office.untilChecked()
            let told = try office.told(FindingsChanged.self)
            #expect(told.count == 1 && told[0].plan == plan.id)
            #expect(told[0].failing.contains { $0.item == "door-1" })
        }

        @Test func `a plan that can't be read isn't checked, and the others are`() throws {
            let office = try Office()
            let plans = try ["Storgata 1", "Storgata 2"].map { name in
                try office.make(name, Self.home(clear: 600)) { $0.standards = ["tek17"] }.id
            }
            try office.untilChecked()
            let before = try office.told(FindingsChanged.self)
            office.stop()
            try office.system.edit(
                .plan,
                """
                UPDATE item SET item = x'FF' WHERE plan = '\(plans[0])';
                DELETE FROM failing WHERE plan = '\(plans[1])';
                INSERT INTO checkOrder (plan, asked, due, isTaken, interrupted)
                VALUES ('\(plans[0])', 1, 0, 0, 0), ('\(plans[1])', 1, 1, 0, 0)
                """)

            try office.restart()
            try office.untilChecked()

            #expect(try office.told(SetAside.self).map(\.type) == ["checks"])
            // The findings in the other plan were lost, so they are found again.
            let later = try office.told(FindingsChanged.self).dropFirst(before.count)
            #expect(later.map(\.plan) == [plans[1]])
        }

        @Test
        func `a deleted plan's alert is withdrawn, and an acknowledged one isn't raised again`()
            throws
        {
            let office = try Office()
            try office.system.start("notifier")
            let notifier = try office.system.client(of: .notifier)
            let first = try office.make("Storgata 1", Self.home(clear: 600)) {
                $0.standards = ["tek17"]
            }
            let second = try office.make("Storgata 2", Self.home(clear: 600)) {
                $0.standards = ["tek17"]
            }
            var open: [Alert] = []
            try eventually("both are told") {
                open = try notifier.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts
                return open.count == 2
            }
            _ = try office.ask(DeletePlan(plan: first.id), for: PlanDeleted.self)
            let other = try #require(open.first { $0.raised?.subject == second.id })
            _ = try notifier.ask(AcknowledgeAlert(id: other.id), for: AlertAcknowledged.self)
            try eventually("neither is open") {
                try notifier.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts.isEmpty
            }
            try eventually("the notice has come") {
                try office.system.query(.plan, "SELECT acknowledgedBy <> '' FROM standingAlert")
                    == [["1"]]
            }
            let page = try office.client.replay(Replay(epoch: 1, limit: 500))
            let types = try page.events.map { try Envelope(unpacking: $0).type }
            #expect(types == [PlanChanged.protobufName, FindingsChanged.protobufName])
        }
    }
}

extension Office {
    /// Waits until no plan is waiting for a check.
    func untilChecked() throws {
        try eventually("every plan is checked") {
            try system.query(.plan, "SELECT plan FROM checkOrder").isEmpty
        }
    }

    /// Waits until the only plan is checked, and expects that the events report each finding once
    /// when it begins to fail and once when it ends, that they raise an alert for new failures, and
    /// that the failures are those found by checking the whole plan.
    ///
    /// - Returns: the keys of the alerts that are open.
    @discardableResult
    func expectFindingsTold(of plan: String, _ comment: Comment) throws -> [String] {
        try untilChecked()
        var failing: Set<String> = []
        var open: [String] = []
        var untold = false
        for envelope in try system.published(by: .plan) {
            switch envelope.type {
            case FindingsChanged.protobufName:
                let event = try FindingsChanged(unpacking: envelope.data)
                let (new, old) = (Set(event.failing.map(\.id)), Set(event.resolved))
                #expect(!untold && failing.isDisjoint(with: new), comment)
                #expect(failing.isSuperset(of: old), comment)
                failing = failing.subtracting(old).union(new)
                untold = !new.isEmpty
            case AlertWithdrawn.protobufName:
                #expect(open == [try AlertWithdrawn(unpacking: envelope.data).key], comment)
                open = []
            case AlertRaised.protobufName:
                let raised = try AlertRaised(unpacking: envelope.data)
                #expect(untold && (open.isEmpty || open == [raised.key]), comment)
                open = [raised.key]
                untold = false
            default: continue
            }
        }
        #expect(!untold && open.isEmpty == failing.isEmpty, comment)
        let (now, items) = try read(plan)
        let fresh = try PlanSurvey(plan: now, drawing: FloorPlan(items))
            .failing(among: CheckedPlans(), at: 0)
        #expect(Set(fresh.map(\.id)) == failing, comment)
        return open
    }
}
