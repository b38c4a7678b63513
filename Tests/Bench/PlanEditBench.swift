import Bus
import Foundation
import Messages

/// How long a person waits for an edit, by the size of the plan.
enum PlanEditBench {
    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child(ServiceName.plan.rawValue, scratch)
        let client = try Client(scratch.connection(), to: .plan, isPatient: true)
        // A plan has at most 10,000 items, and some are added.
        for (things, most) in [(1_000, 10.0), (9_900, 50.0)] {
            try edit(things, most, client, scratch, &figures)
        }
        service.stop()
    }

    private static func edit(
        _ things: Int, _ most: Double, _ client: Client, _ scratch: Scratch,
        _ figures: inout Figures
    ) throws {
        var plan = Plan()
        let name = "Home of \(things)"
        let made = try time {
            plan = try client.ask(
                CreatePlan(details: PlanDetails(name: name), items: home(things)),
                for: Plan.self, deadline: .seconds(60))
        }
        figures.add("plan of \(things) things: made", made / .milliseconds(1), "ms")
        var edits = Samples()
        var refusals = Samples()
        var undos = Samples()
        var reads = Samples()
        for round in 0..<300 {
            let action = action(round, of: things)
            edits.add(
                try time {
                    _ = try client.ask(
                        EditPlan(plan: plan.id, actions: [action]), for: PlanEdited.self)
                })
            if round.isMultiple(of: 10) {
                undos.add(
                    try time {
                        _ = try client.ask(UndoEdits(plan: plan.id), for: PlanEdited.self)
                    })
                refusals.add(
                    try time {
                        do {
                            let wrong = MoveItems(ids: ["bed-1"], by: PlanPoint(x: 1_000))
                            _ = try client.ask(
                                EditPlan(
                                    plan: plan.id, actions: [PlanAction(action: .move(wrong))]),
                                for: PlanEdited.self)
                        } catch ClientError.refused {}
                    })
            }
            if round.isMultiple(of: 50) { reads.add(try time { try read(plan.id, client) }) }
        }
        let sets = [("edited", edits), ("refused", refusals), ("taken back", undos)]
        for (what, samples) in sets {
            figures.add(
                "plan of \(things) things: \(what), half", samples.percentile(0.5) / 1_000, "ms")
            figures.add(
                "plan of \(things) things: \(what), 99 %", samples.percentile(0.99) / 1_000, "ms",
                goal: .atMost(most))
        }
        figures.add(
            "plan of \(things) things: read", reads.percentile(0.5) / 1_000, "ms",
            goal: .atMost(500))
        if things == 1_000 { try commands(name, scratch, &figures) }
    }

    /// The same at the command line: from the start of the program to its end.
    private static func commands(
        _ plan: String, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        let commands: [(words: [String], goal: Double?)] = [
            (["plan", "move", "bed-7", "--by", "0,1"], 100), (["plan", "undo"], 100),
            (["plan", "show"], 500), (["plan", "draw"], nil), (["plan", "check"], nil),
        ]
        for (words, goal) in commands {
            var samples = Samples()
            for _ in 0..<9 {
                samples.add(try time { try steward(words + ["--plan", plan], scratch) })
            }
            figures.add(
                "plan of 1,000 things: steward \(words[0]) \(words[1]), half of 9",
                samples.percentile(0.5) / 1_000, "ms", goal: goal.map { .atMost($0) } ?? .none)
        }
    }

    private static func read(_ plan: String, _ client: Client) throws {
        var from: UInt32 = 0
        repeat {
            from = try client.ask(ReadPlan(plan: plan, from: from), for: PlanContents.self).next
        } while from > 0
    }

    /// One item in ten is a wall with a door; the rest are beds side by side.
    private static func home(_ things: Int) -> [PlanItem] {
        let walls = things / 20
        let lines = (0..<walls).flatMap { number -> [PlanItem] in
            let y = Int32(number) * -1_000 - 5_000
            return [
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall-\(number)", start: PlanPoint(x: 0, y: y),
                            end: PlanPoint(x: 4_000, y: y), thickness: 100))),
                PlanItem(
                    item: .opening(
                        Opening(
                            id: "door-\(number)", wall: "wall-\(number)", kind: .door,
                            offset: 500, width: 900))),
            ]
        }
        let beds = (0..<things - 2 * walls).map { number in
            PlanItem(
                item: .element(
                    Element(
                        id: "bed-\(number)", kind: .bed,
                        centre: PlanPoint(
                            x: Int32(number % 100) * 1_000, y: Int32(number / 100) * 2_100),
                        width: 900, depth: 2_000)))
        }
        return lines + beds
    }

    private static func action(_ round: Int, of things: Int) -> PlanAction {
        let bed = "bed-\(round % (things * 9 / 10))"
        let wall = round % (things / 20)
        switch round % 4 {
        case 0: return PlanAction(action: .move(MoveItems(ids: [bed], by: PlanPoint(x: 0, y: 20))))
        case 1:
            return PlanAction(
                action: .dock(
                    DockOpening(
                        opening: "door-\(wall)", wall: "wall-\(wall)",
                        offset: UInt32(600 + round))))
        case 2:
            return PlanAction(
                action: .add(
                    AddItems(items: [
                        PlanItem(
                            item: .element(
                                Element(
                                    kind: .table,
                                    centre: PlanPoint(x: -5_000, y: Int32(round) * 1_000),
                                    width: 800, depth: 800)))
                    ])))
        default:
            return PlanAction(
                action: .setLength(
                    SetWallLength(wall: "wall-\(wall)", length: 4_000 + UInt32(round))))
        }
    }
}
