import AccessRules
import FloorPlan
import Messages

/// The processor time of an edit, including its consequences, finding collisions and checking the
/// rules again.
enum AccessBench {
    static func run(_ figures: inout Figures) throws {
        for (things, goal) in [(1_000, 10.0), (10_000, 50)] {
            try edits(of: things, goal, &figures)
        }
        try repairs(&figures)
    }

    private static func edits(
        of count: Int, _ goal: Double, _ figures: inout Figures
    ) throws {
        var editor = PlanEditor(FloorPlan(block(of: count)))
        let details = PlanDetails(tolerance: 5)
        let standards = ["tek17", "husbanken", "adm"]
        let chair = PersonChair(width: 700, length: 1_200)
        var inspection: PlanInspection?
        let whole = try processorTime {
            inspection = try PlanInspection(
                editor.plan, details: details, standards: standards, chair: chair)
        }
        guard var inspection else { return }
        let movable = editor.plan.elements.keys.sorted()
        var times: [Duration] = []
        // The maximum number of findings in an answer.
        let most = 1_000
        var findings = 0
        for round in 0..<400 {
            let id = movable[round * 7_919 % movable.count]
            let way: Int32 = round % 2 == 0 ? 30 : -30
            times.append(
                try processorTime {
                    let outcome = try editor.make(
                        .move([id], by: PlanPoint(x: way, y: way / 2)), force: true)
                    inspection.apply(outcome.changes)
                    findings = inspection.findings(atMost: most).count
                })
        }
        let sorted = times.sorted()
        let name = "access: \(count) things, 3 standards, a chair"
        figures.add("\(name): looked at as a whole", milliseconds(whole), "ms")
        figures.add("\(name): findings told", Double(findings), "")
        figures.add(
            "\(name): an edit and the rules again, p50", milliseconds(sorted[sorted.count / 2]),
            "ms")
        figures.add(
            "\(name): an edit and the rules again, p99",
            milliseconds(sorted[sorted.count * 99 / 100]),
            "ms", goal: .atMost(goal))
    }

    private static func repairs(_ figures: inout Figures) throws {
        let inspection = try PlanInspection(
            FloorPlan(block(of: 100)), details: PlanDetails(), standards: ["tek17", "husbanken"],
            chair: PersonChair(width: 700, length: 1_200))
        let failing = min(
            inspection.findings().count {
                $0.verdict == .fail || $0.person?.verdict == .fail
            }, PlanInspection.mostRepaired)
        let took = processorTime { _ = inspection.findings(repairs: true) }
        figures.add(
            "access: repairs of a failing finding, mean of \(failing)",
            milliseconds(took) / Double(max(failing, 1)), "ms", goal: .atMost(100))
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e3
            + Double(duration.components.attoseconds) / 1e15
    }

    /// Flats side by side: of every twenty items four are walls, two are doors, one is a room, and
    /// the rest is furniture.
    private static func block(of count: Int) -> [PlanItem] {
        let uses: [RoomUse] = [.living, .bedroom, .bathroom, .kitchen, .hall]
        let columns = Int32((Double(count) / 20).squareRoot().rounded(.up))
        var items: [PlanItem] = []
        for number in 0..<Int32(count / 20) {
            let place = PlanPoint(x: number % columns * 4_100, y: number / columns * 3_600)
            items += room(Int(number), uses[Int(number) % uses.count], at: place)
        }
        return items
    }

    private static func room(_ number: Int, _ use: RoomUse, at place: PlanPoint) -> [PlanItem] {
        func point(_ x: Int32, _ y: Int32) -> PlanPoint {
            PlanPoint(x: place.x + x, y: place.y + y)
        }
        let corners = [point(0, 0), point(4_000, 0), point(4_000, 3_500), point(0, 3_500)]
        let outer = [
            point(-50, -50), point(4_050, -50), point(4_050, 3_550), point(-50, 3_550),
        ]
        var items = [
            PlanItem(
                item: .room(
                    Room(
                        id: "room-\(number)", name: "Room \(number)", use: use, corners: corners,
                        height: 2_400)))
        ]
        for side in 0..<4 {
            items.append(
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall-\(number)-\(side)", start: outer[side],
                            end: outer[(side + 1) % 4], thickness: 100))))
        }
        for (side, isEntrance) in [(0, true), (1, false)] {
            items.append(
                PlanItem(
                    item: .opening(
                        Opening(
                            id: "door-\(number)-\(side)", wall: "wall-\(number)-\(side)",
                            kind: .door, offset: 1_200, width: 980, height: 2_100,
                            clearWidth: isEntrance ? 860 : 740, leafWidth: 900,
                            swingsRight: true, entrance: isEntrance))))
        }
        let kinds: [ElementKind] = [
            .bed, .toilet, .washbasin, .shower, .table, .cupboard, .seat, .kitchenBench,
        ]
        for place in 0..<13 {
            items.append(
                PlanItem(
                    item: .element(
                        Element(
                            id: "thing-\(number)-\(place)", kind: kinds[place % kinds.count],
                            centre: point(
                                400 + Int32(place % 5) * 780 + Int32(number % 7) * 11,
                                place < 5 ? 350 : place < 9 ? 3_150 : 2_300),
                            width: 500, depth: 600, height: 800,
                            angle: UInt32((place * number) % 12) * 30_000))))
        }
        return items
    }
}
