import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct KillTests {
        /// The number of kills: `KILLS` in the environment, otherwise 40.
        static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 40

        @Test(arguments: Seed.some(1))
        func `no acknowledged edit is lost or made twice, whenever the service is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.beds(1)).id
            var moved: Int32 = 0
            var added = 1
            var revision: UInt64 = 1
            var states = [try office.read(plan).items]

            for _ in 0..<Self.kills {
                // A repeated move would show in the bed's place, a repeated addition in the count.
                let isMove = seed.oneIn(2)
                if isMove { moved += 10 } else { added += 1 }
                let action: PlanAction.Action =
                    isMove
                    ? .move("bed-1", by: (10, 0))
                    : .add(.element("", at: (0, Int32(added) * 5_000)))
                let edited = try office.killed(
                    EditPlan(plan: plan, actions: [PlanAction(action: action)]),
                    for: PlanEdited.self, after: .microseconds(seed.below(4_000)))
                revision += 1
                #expect(edited.plan?.revision == revision && edited.changed == 1, "\(seed)")
                states.append(try office.read(plan).items)
            }

            let kept = try office.read(plan)
            #expect(kept.plan.revision == revision && kept.items.count == added)
            #expect(kept.items[0] == .element("bed-1", at: (moved, 0)))
            let steps = try office.history(plan)
            #expect(steps.map(\.number) == (1...UInt64(Self.kills)).reversed())
            let told = try office.told(PlanChanged.self).map(\.plan.revision)
            #expect(told == Array(1...revision))
            for state in states.dropLast().reversed() {
                try office.undo(plan)
                #expect(try office.read(plan).items == state)
            }
        }
    }
}
