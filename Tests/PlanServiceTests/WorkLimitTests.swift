import FloorPlan
import Messages
import TestSupport
import Testing

@testable import PlanService

/// Examining a plan ends within a time limit, however much is in the plan.
@Suite struct WorkLimitTests {
    /// Halls side by side, 300 m long, with things in them, an entrance, and a chair in front of
    /// it.
    private static func survey(things: Int) -> PlanSurvey {
        func room(_ number: Int32) -> PlanItem {
            let left = number * 30_000
            let corners = [
                (left, 0), (left + 29_900, 0), (left + 29_900, 300_000), (left, 300_000),
            ]
            .map { PlanPoint(x: $0.0, y: $0.1) }
            return PlanItem(
                item: .room(Room(id: "r\(number)", name: "\(number)", use: .hall, corners: corners))
            )
        }
        let entrance = PlanItem(
            item: .opening(
                Opening(
                    id: "door", wall: "south", kind: .door, offset: 2_000, width: 1_000,
                    height: 2_100, entrance: true)))
        var items: [PlanItem] = (0..<10).map { room(Int32($0)) }
        items.append(.wall("south", (0, -50), (300_000, -50)))
        items.append(entrance)
        items.append(.element("chair", .wheelchair, at: (2_500, -3_000), 650, 1_100))
        for number in 0..<things {
            let (column, row) = (Int32(number % 50), Int32(number / 50))
            items.append(
                .element("thing-\(number)", at: (column * 6_000 + 2_000, row * 2_500 + 3_000)))
        }
        let details = PlanDetails(name: "Halls", standards: ["tek17"], chair: "chair")
        return PlanSurvey(plan: Plan(id: "p", details: details), drawing: FloorPlan(items))
    }

    @Test func `a check, a route and a report of a plan that is too large are given up in time`()
        throws
    {
        let survey = Self.survey(things: 4_000)
        let looks: [() throws -> Void] = [
            { _ = try survey.check(CheckPlan(repairs: true)) },
            { _ = try survey.reached(ReachPlan(to: "r9")) },
            { _ = try survey.failing(among: CheckedPlans(), at: 1) },
        ]
        for look in looks {
            let begin = ContinuousClock.now
            #expect(throws: Refusal.tooMuchWork) { try PlanSurvey.limited(to: 0.2, look) }
            // Work that can't be stopped at once takes less than a minute, even on a busy machine.
            #expect(ContinuousClock.now - begin < .seconds(60))
        }
    }

    @Test func `an inspection within the time limit gives the same result as without one`() throws {
        let survey = PlanSurvey(
            plan: Plan(details: PlanDetails(name: "Home", standards: ["tek17"], chair: "chair")),
            drawing: FloorPlan(Processes.CheckTests.home(clear: 900)))
        let query = CheckPlan(repairs: true)

        #expect(try PlanSurvey.limited { try survey.check(query) } == survey.check(query))
    }

    @Test func `one person's checks leave a worker for the next person`() throws {
        let office = try Office()
        let ann = try office.token("ann", Grant(role: .crew))
        let bob = try office.token("bob", Grant(role: .crew))
        let plan = try office.make("Large", Self.survey(things: 300).drawing.items, force: true) {
            ($0.standards, $0.chair) = (["tek17"], "chair")
        }
        let small = try office.make("Small", Processes.CheckTests.home(clear: 900)) {
            $0.chair = "chair"
        }
        let other = try office.system.client(of: .plan, as: "other")
        other.token = ann
        for _ in 0..<8 {
            _ = try other.send(CheckPlan(plan: plan.id), deadline: .seconds(300))
        }
        try eventually("ann's first check is under way") {
            try other.receive(within: .milliseconds(1)).isEmpty
        }

        _ = try office.ask(CheckPlan(plan: small.id), for: PlanCheck.self, as: bob)

        // Bob was answered although most of ann's checks are still to come.
        #expect(try other.receive(within: .milliseconds(1)).count < 4)
    }
}

extension FloorPlan {
    fileprivate var items: [PlanItem] { order.compactMap { item($0) } }
}
