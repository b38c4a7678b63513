import FloorPlan
import Messages
import TestSupport
import Testing

@testable import PlanService

/// Properties of an open plan that every sequence of edits, undos and redos preserves.
struct OpenPlanTests {
    @Test(arguments: Seed.some(20))
    func `edits are undone and redone exactly, even in a plan that is reopened`(
        seed: Seed
    ) throws {
        var seed = seed
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("nothing") }
        var open = OpenPlan([])
        _ = try open.make([PlanAction(action: .add(AddItems(items: PlanItem.room)))], force: false)
        { try reader.complete($0, in: $1) }
        var states = [open.items]
        var steps: [[DrawnChange]] = []
        var place = 0
        for _ in 0..<80 {
            if seed.oneIn(4) { open = OpenPlan(open.items) }
            switch seed.below(4) {
            case 0 where place > 0:
                place -= 1
                open.apply(steps[place].reversed().map(\.reversed))
            case 1 where place < steps.count:
                open.apply(steps[place])
                place += 1
            default:
                let actions = (0...seed.below(3)).map { _ in
                    PlanAction(action: .any(in: open.plan, &seed))
                }
                let made = try? open.make(actions, force: seed.oneIn(2)) {
                    try reader.complete($0, in: $1)
                }
                guard let made, !made.changes.isEmpty else { break }
                steps[place...] = [made.changes]
                states[(place + 1)...] = [open.items]
                place += 1
            }
            #expect(open.items == states[place])
            #expect(open.plan == FloorPlan(open.items.map(\.item)))
            #expect(Set(open.items.map(\.position)).count == open.count)
        }
    }

    @Test func `a thing added under the id of an undone one is drawn last`() throws {
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("nothing") }
        var open = OpenPlan([])
        func add(_ id: String, at x: Int32) throws -> [DrawnChange] {
            let action = PlanAction(action: .add(.element(id, at: (x, 0))))
            return try open.make([action], force: false) { try reader.complete($0, in: $1) }.changes
        }
        let first = try add("bed-1", at: 0)
        open.apply(first.reversed().map(\.reversed))
        _ = try add("bed-2", at: 5_000)
        let again = try add("bed-1", at: 0)

        #expect(open.plan.order == ["bed-2", "bed-1"])
        #expect(OpenPlan(open.items).plan.order == ["bed-2", "bed-1"])
        #expect(open.items.map(\.position) == open.items.map(\.position).sorted())
        #expect(Set(open.items.map(\.position)).count == 2 && again.count == 1)
    }

    @Test func `undo in a reopened plan restores the drawing order`()
        throws
    {
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("nothing") }
        var open = OpenPlan([])
        _ = try open.make(
            [PlanAction(action: .add(AddItems(items: PlanItem.beds(3))))], force: false
        ) { try reader.complete($0, in: $1) }
        let removed = try open.make([PlanAction(action: .remove("bed-2"))], force: false) {
            try reader.complete($0, in: $1)
        }.changes
        open = OpenPlan(open.items)
        open.apply(removed.map(\.reversed))

        #expect(open.plan.order == ["bed-1", "bed-2", "bed-3"])
    }
}

extension Processes {
    @Suite struct HistoryPropertyTests {
        @Test(arguments: Seed.some(4))
        func
            `whatever is done, undone, redone and restarted, the store holds what was acknowledged`(
                seed: Seed
            ) throws
        {
            var seed = seed
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room).id
            var states = [PlanItem.room]
            var place = 0
            for _ in 0..<60 {
                if seed.oneIn(12) { try office.restart() }
                let before = FloorPlan(states[place])
                switch seed.below(5) {
                case 0 where place > 0:
                    let steps = 1 + seed.below(min(place, 3))
                    place -= steps
                    try office.undo(plan, UInt32(steps))
                case 1 where place < states.count - 1:
                    place += 1
                    try office.redo(plan)
                default:
                    let actions = (0...seed.below(3)).map { _ in
                        PlanAction(action: .any(in: before, &seed))
                    }
                    let edit = EditPlan(plan: plan, actions: actions, force: seed.oneIn(2))
                    guard try office.refusal(of: edit) == nil else { break }
                    let now = try office.read(plan)
                    // An edit that changed nothing can't be undone.
                    guard now.plan.undoable > place || now.items != states[place] else { break }
                    states[(place + 1)...] = [now.items]
                    place += 1
                    let after = FloorPlan(now.items)
                    let torn = before.joins.subtracting(after.joins).filter {
                        $0.allSatisfy { after.walls[$0] != nil }
                    }
                    #expect(torn.isEmpty && after.lostOpenings.isEmpty, "\(seed)")
                }
                let now = try office.read(plan)
                #expect(now.items == states[place], "\(seed)")
                #expect(now.plan.undoable == UInt32(place))
                #expect(now.plan.redoable == UInt32(states.count - 1 - place))
                #expect(now.plan.items == UInt32(now.items.count))
            }
            let history = try office.history(plan)
            #expect(history.map(\.number) == (1..<UInt64(states.count)).reversed())
            #expect(history.count { $0.undone } == states.count - 1 - place)
            try office.restart()
            if place > 0 { try office.undo(plan, UInt32(place)) }
            #expect(try office.read(plan).items == PlanItem.room)
        }
    }
}
