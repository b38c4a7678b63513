import FloorPlan
import Messages
import PlanDrawing

/// Pictures of floor plans, in processor time.
enum DrawingBench {
    static func run(_ figures: inout Figures) throws {
        let plan = FloorPlan(items)
        let details = PlanDetails(name: "Forty rooms")
        func measure(_ what: String, goal: Double, _ body: () throws -> Void) rethrows {
            var best = Double.infinity
            for _ in 0..<5 {
                best = min(best, try processorTime(body) / .milliseconds(1))
            }
            figures.add(
                "plan: \(what) of 1,000 elements in 40 rooms", best, "ms",
                goal: .atMost(goal))
        }
        try measure("SVG", goal: 50) { _ = try PlanPicture(plan, details).svg() }
        try measure("PNG", goal: 100) { _ = try PlanPicture(plan, details).png() }
        try measure("PDF", goal: 150) { _ = try PlanPicture(plan, details).pdf() }
        try measure("characters", goal: 100) {
            _ = try PlanPicture(plan, details).text(columns: 80, rows: 24, coloured: false)
        }
    }

    /// Eight by five rooms of 4 by 3 metres, each with 25 items in it.
    private static var items: [PlanItem] {
        let kinds = ElementKind.allCases
        var items: [PlanItem] = []
        for column in 0..<8 {
            for row in 0..<5 {
                let (x, y) = (Int32(column) * 4_000, Int32(row) * 3_000)
                let corners = [(x, y), (x + 4_000, y), (x + 4_000, y + 3_000), (x, y + 3_000)]
                    .map { PlanPoint(x: $0.0, y: $0.1) }
                let name = "\(column)-\(row)"
                for side in 0..<4 {
                    items.append(
                        PlanItem(
                            item: .wall(
                                Wall(
                                    id: "wall-\(name)-\(side)", start: corners[side],
                                    end: corners[(side + 1) % 4], thickness: 100))))
                }
                items.append(
                    PlanItem(
                        item: .opening(
                            Opening(
                                id: "door-\(name)", wall: "wall-\(name)-0", kind: .door,
                                offset: 500, width: 900))))
                items.append(
                    PlanItem(item: .room(Room(id: "room-\(name)", name: name, corners: corners))))
                for thing in 0..<25 {
                    let place = PlanPoint(
                        x: x + 400 + Int32(thing % 5) * 800, y: y + 300 + Int32(thing / 5) * 600)
                    items.append(
                        PlanItem(
                            item: .element(
                                Element(
                                    id: "thing-\(name)-\(thing)", kind: kinds[thing % kinds.count],
                                    label: thing % 3 == 0 ? "Thing \(thing)" : "", centre: place,
                                    width: 600, depth: 400,
                                    angle: UInt32(thing % 4) * 90_000))))
                }
            }
        }
        return items
    }
}
