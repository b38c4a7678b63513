import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct ViewTests {
        @Test func `each account has its own view of a plan, and keeps it`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room)
            let ann = try office.token("ann", Grant(role: .crew))
            let change = { (change: ChangePlanView) in
                try office.ask(change, for: PlanView.self)
            }
            #expect(try change(ChangePlanView(plan: plan.id)) == PlanView(plan: plan.id))

            let zoomed = try change(ChangePlanView(plan: "storgata 1", zoom: 200))
            // The walls are 100 mm thick, and a tenth is left free around them.
            #expect(zoomed.centre == PlanPoint(x: 2_000, y: 1_500) && zoomed.width == 2_255)
            let panned = try change(
                ChangePlanView(plan: plan.id, pan: PlanPoint(x: -500, y: 250)))
            #expect(panned.centre == PlanPoint(x: 1_500, y: 1_750) && panned.width == 2_255)

            try office.restart()
            #expect(try office.ask(ReadPlanView(plan: plan.id), for: PlanView.self) == panned)
            #expect(
                try office.ask(ReadPlanView(plan: plan.id), for: PlanView.self, as: ann)
                    == PlanView(plan: plan.id))
            #expect(
                try change(ChangePlanView(plan: plan.id, fit: true)) == PlanView(plan: plan.id))
        }

        @Test func `locked zoom and pan stay until they are unlocked`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room)
            let locked = try office.ask(
                ChangePlanView(plan: plan.id, zoom: 300, lock: true), for: PlanView.self)
            #expect(locked.locked)
            for change in [
                ChangePlanView(plan: plan.id, zoom: 50), ChangePlanView(plan: plan.id, fit: true),
                ChangePlanView(plan: plan.id, pan: PlanPoint(x: 1, y: 0)),
            ] {
                let refusal = try office.refusal(of: change)
                #expect(refusal?.code == .conflict && refusal?.message.contains("unlock") == true)
            }
            #expect(try office.ask(ReadPlanView(plan: plan.id), for: PlanView.self) == locked)
            let free = try office.ask(
                ChangePlanView(plan: plan.id, zoom: 50, unlock: true), for: PlanView.self)
            #expect(!free.locked && free.width == 2 * locked.width)
        }

        @Test func `a zoom to nothing is refused, and zooming has a limit`() throws {
            let office = try Office()
            let plan = try office.make()
            #expect(
                try office.refusal(of: ChangePlanView(plan: plan.id, zoom: 0))?.code == .invalid)
            let near = try office.ask(
                ChangePlanView(plan: plan.id, zoom: 1_000_000), for: PlanView.self)
            #expect(near.width == 100)
            let far = try office.ask(
                ChangePlanView(
                    plan: plan.id, zoom: 1, pan: PlanPoint(x: .max, y: .min)), for: PlanView.self)
            #expect(far.width == 10_000 && far.centre == PlanPoint(x: 1_000_000, y: -1_000_000))
        }
    }
}
