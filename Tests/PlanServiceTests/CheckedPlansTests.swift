import FloorPlan
import Messages
import TestSupport
import Testing

@testable import PlanService

/// Checks of plans that were checked before.
struct CheckedPlansTests {
    private static func survey(
        _ id: String, _ plan: FloorPlan, _ change: (inout PlanDetails) -> Void = { _ in }
    ) -> PlanSurvey {
        var details = PlanDetails(
            name: id, tolerance: 5, standards: ["tek17", "husbanken", "adm"])
        if plan.elements["chair"]?.kind == .wheelchair { details.chair = "chair" }
        change(&details)
        return PlanSurvey(plan: Plan(id: id, details: details), drawing: plan)
    }

    /// A hall with an entrance, and a bathroom behind it.
    fileprivate static var home: [PlanItem] {
        func room(_ id: String, _ use: RoomUse, _ y: Int32) -> PlanItem {
            let corners = [(50, y + 50), (3_950, y + 50), (3_950, y + 2_950), (50, y + 2_950)]
                .map { PlanPoint(x: $0.0, y: $0.1) }
            return PlanItem(item: .room(Room(id: id, name: id, use: use, corners: corners)))
        }
        return Processes.CheckTests.home(clear: 900).filter { $0.id != "room-1" } + [
            room("hall", .hall, 0), room("bathroom", .bathroom, 3_000),
            .wall("far-east", (4_000, 3_000), (4_000, 6_000)),
            .wall("far-north", (4_000, 6_000), (0, 6_000)),
            .wall("far-west", (0, 6_000), (0, 3_000)),
            .door("door-2", in: "north", at: 1_000, width: 800),
            .element("toilet", .toilet, at: (700, 5_500), 400, 700),
            .element("shower", .shower, at: (3_400, 5_400), 900, 900),
        ]
    }

    @Test(arguments: Seed.some(4))
    func `whatever was changed since, a check finds what a full inspection finds`(
        seed: Seed
    ) throws {
        var seed = seed
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("nothing") }
        var open = OpenPlan([])
        _ = try open.make([PlanAction(action: .add(AddItems(items: Self.home)))], force: true) {
            try reader.complete($0, in: $1)
        }
        let checked = CheckedPlans()
        var steps: [[DrawnChange]] = []
        for _ in 0..<12 {
            let before = open.plan
            for _ in 0...seed.below(3) {
                if seed.oneIn(5), let last = steps.popLast() {
                    open.apply(last.reversed().map(\.reversed))
                    continue
                }
                let made = try? open.make([.any(inHome: open.plan, &seed)], force: true) {
                    try reader.complete($0, in: $1)
                }
                if let made { steps.append(made.changes) }
            }
            var followed = before
            for change in open.plan.changes(since: before) { followed.apply(change) }
            #expect(followed == open.plan)
            let survey = Self.survey("home", open.plan) {
                if seed.oneIn(8) { $0.tolerance = 20 }
                if seed.oneIn(8) { $0.standards = ["tek17"] }
            }
            let found = try checked.findings(in: survey, at: 0)
            let anew = try CheckedPlans().findings(in: survey, at: 0)
            if found != anew {
                Issue.record("\(seed): \(Set(found).symmetricDifference(anew))")
                return
            }
        }
    }

    @Test func `only the most recently checked plans are kept in memory, and not for long`() throws
    {
        let checked = CheckedPlans()
        let (small, large) = (FloorPlan(PlanItem.beds(2)), FloorPlan(PlanItem.beds(9_999)))
        for number in 1...6 {
            _ = try checked.findings(in: Self.survey("\(number)", small), at: 0)
        }
        #expect(checked.plans == ["3", "4", "5", "6"])
        _ = try checked.findings(in: Self.survey("3", small), at: 1_000)
        #expect(checked.plans == ["4", "5", "6", "3"])
        checked.forget("4")
        checked.forgetIdle(at: CheckedPlans.life + 1)
        #expect(checked.plans == ["3"])
        _ = try checked.findings(in: Self.survey("large", large), at: 2_000)
        #expect(checked.plans == ["large"])
        // The clock was set back.
        checked.forgetIdle(at: 1_000)
        #expect(checked.plans == [])
    }
}

extension Processes {
    @Suite struct CheckPropertyTests {
        @Test(arguments: Seed.some(1))
        func `after any edits the reported failures are those of a full inspection`(
            seed: Seed
        ) throws {
            var seed = seed
            let office = try Office()
            let plan = try office.make("Storgata 1", CheckedPlansTests.home, force: true) {
                ($0.standards, $0.chair) = (["tek17", "adm"], "chair")
            }.id
            for _ in 0..<12 {
                let drawing = FloorPlan(try office.read(plan).items)
                let edit = EditPlan(
                    plan: plan, actions: [.any(inHome: drawing, &seed)], force: true)
                _ = try office.refusal(of: edit)
                if seed.oneIn(4) { _ = try office.refusal(of: UndoEdits(plan: plan)) }
                if seed.oneIn(2) { try office.expectFindingsTold(of: plan, "\(seed)") }
            }
            try office.expectFindingsTold(of: plan, "\(seed)")
        }
    }
}

extension PlanAction {
    /// Any edit of a home by a person, including changes of its rooms' uses.
    fileprivate static func any(inHome plan: FloorPlan, _ seed: inout Seed) -> PlanAction {
        guard seed.oneIn(4), let id = plan.rooms.keys.sorted().randomElement(using: &seed),
            var room = plan.rooms[id]
        else { return PlanAction(action: .any(in: plan, &seed)) }
        room.use = seed.pick([.hall, .bathroom, .bedroom, .living])
        return PlanAction(action: .replace(PlanItem(item: .room(room))))
    }
}
