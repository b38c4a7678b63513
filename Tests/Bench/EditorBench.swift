import FloorPlan
import Foundation
import Messages

/// The processor time of edits of large plans, including all validation, and of a chair's path.
enum EditorBench {
    static func run(_ figures: inout Figures) throws {
        for (count, limit) in [(1_000, 10.0), (10_000, 50)] {
            let editor = try Self.editor(count)
            try edits(editor, limit: limit, &figures)
            try copies(editor, &figures)
        }
        try routes(&figures)
    }

    /// A plan of about this many items: rooms of 4 by 3 m side by side, each with walls that it
    /// shares with its neighbours, a door and six elements in it.
    private static func editor(_ count: Int) throws -> PlanEditor {
        var editor = PlanEditor(FloorPlan())
        let columns = Int(Double(count / 10).squareRoot().rounded(.up))
        var number = 0
        while editor.plan.count < count {
            let (column, row) = (number % columns, number / columns)
            let corner = PlanPoint(x: Int32(column * 4_100), y: Int32(row * 3_100))
            _ = try editor.make(
                [
                    .drawRoom(
                        DrawRoom(
                            room: Room(id: "r\(number)"), start: corner, clockwise: false,
                            sides: DrawRoom.rectangle(4_000, 3_000), wallThickness: 100)),
                    .add(things(of: number, at: corner)),
                ], force: true)
            number += 1
        }
        return editor
    }

    private static func things(of number: Int, at corner: PlanPoint) -> [PlanItem] {
        let door = Opening(
            id: "d\(number)", wall: "r\(number)-wall-2", kind: .door, offset: 900, width: 900,
            height: 2_000, entrance: number == 0)
        let boxes = (0..<6).map { index in
            PlanItem(
                item: .element(
                    Element(
                        id: "e\(number)-\(index)", kind: .cupboard,
                        centre: PlanPoint(
                            x: corner.x + 400 + Int32(index % 3) * 1_100,
                            y: corner.y + (index < 3 ? 300 : 2_700)), width: 600, depth: 400,
                        height: 900)))
        }
        return [PlanItem(item: .opening(door))] + boxes
    }

    private static func edits(
        _ editor: PlanEditor, limit: Double, _ figures: inout Figures
    ) throws {
        var editor = editor
        let rooms = editor.plan.rooms.count
        var (all, walls) = (Samples(), Samples())
        for number in 0..<2_000 {
            let room = number * 7_919 % rooms
            let id = "e\(room)-\(number % 6)"
            let back = PlanPoint(x: number % 2 == 0 ? 20 : -20, y: 0)
            let isOfWall = number % 8 == 7
            let edit: PlanAction =
                switch number % 8 {
                case 0, 1, 2: .move([id], by: back)
                case 3: .rotate(id, to: UInt32(number % 90) * 1_000)
                case 4: .resize(id, width: 600, depth: UInt32(380 + number % 40), height: nil)
                case 5: .dock("d\(room)", wall: "r\(room)-wall-2", offset: UInt32(number % 800))
                case 6: .copy(id, as: "c\(number)", by: PlanPoint(x: 0, y: 20))
                default: .move(["r\(room)-wall-2"], by: back)
                }
            let took = processorTime {
                // A refused edit counts too, because it takes as long.
                do { _ = try editor.make(edit) } catch {}
            }
            all.add(took)
            if isOfWall { walls.add(took) }
        }
        let count = editor.plan.count
        figures.add(
            "plan: an edit of \(count) things with all checks, p50",
            all.percentile(0.5) / 1e3, "ms")
        figures.add(
            "plan: an edit of \(count) things with all checks, p99",
            all.percentile(0.99) / 1e3, "ms", goal: .atMost(limit))
        figures.add(
            "plan: moving a wall with its rooms there, p99", walls.percentile(0.99) / 1e3, "ms",
            goal: .atMost(limit))
    }

    /// The cost of being able to discard an edit: by editing a copy, or by reversing the edit.
    private static func copies(_ editor: PlanEditor, _ figures: inout Figures) throws {
        var editor = editor
        let edit = PlanAction.move(["e0-0"], by: PlanPoint(x: 5, y: 0))
        var (copied, reversed) = (Samples(), Samples())
        for _ in 0..<50 {
            let start = ContinuousClock.now
            var copy = editor
            _ = try copy.make(edit)
            copied.add(ContinuousClock.now - start)
            let second = ContinuousClock.now
            editor.apply(try editor.make(edit).changes.reversed)
            reversed.add(ContinuousClock.now - second)
        }
        figures.add(
            "plan: an edit of \(editor.plan.count) things taken back, p50",
            reversed.percentile(0.5) / 1e3, "ms",
            reference: ("ms on a copy", copied.percentile(0.5) / 1e3))
    }

    /// The nine rooms of a flat, with doors between them.
    private static func routes(_ figures: inout Figures) throws {
        let dwelling = Dwelling(try editor(90).plan)
        let chair = Chair(width: 650, length: 1_100)
        var worst = 0.0
        var reached = 0
        for room in dwelling.plan.rooms.keys {
            let took = try processorTime {
                if try dwelling.route(for: chair, to: room) != nil { reached += 1 }
            }
            worst = max(worst, took / .milliseconds(1))
        }
        figures.add(
            "plan: the way of a chair into \(reached) of \(dwelling.plan.rooms.count) rooms, worst",
            worst, "ms", goal: .atMost(300))
    }
}
