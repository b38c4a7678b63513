import Messages
import Testing

@testable import FloorPlan

/// Rooms that are drawn next to each other have one wall between them.
struct SharedWallTests {
    /// Adds a room of a size with walls of 100 mm, its first corner in the south-west.
    private static func draw(
        _ id: String, at x: Int32, _ y: Int32, _ width: UInt32, _ depth: UInt32,
        in editor: inout PlanEditor
    ) throws {
        let sketch = RoomSketch(
            room: Room(id: id), start: PlanPoint(x: x, y: y), isClockwise: false,
            sides: RoomSketch.rectangle(width, depth), wallThickness: 100)
        _ = try editor.make(.addRoom(sketch))
    }

    private static func ends(_ id: String, _ editor: PlanEditor) -> [Int32]? {
        editor.plan.walls[id].map { [$0.from.x, $0.from.y, $0.to.x, $0.to.y] }
    }

    @Test func `a longer room has a wall only where its neighbour has none`() throws {
        var editor = PlanEditor(FloorPlan())
        try Self.draw("bath", at: 0, 0, 2_100, 2_400, in: &editor)
        try Self.draw("hall", at: 0, -1_500, 3_500, 1_400, in: &editor)

        #expect(editor.plan.walls.count == 8)
        // It runs west, as it was drawn, and ends at the corner of the bath.
        #expect(Self.ends("hall-wall-3", editor) == [3_550, -50, 2_150, -50])
    }

    @Test func `a shorter room has no wall where its neighbour's goes on`() throws {
        var editor = PlanEditor(FloorPlan())
        try Self.draw("hall", at: 0, -1_500, 3_500, 1_400, in: &editor)
        try Self.draw("bath", at: 700, 0, 2_100, 2_400, in: &editor)

        #expect(Self.ends("bath-wall-1", editor) == nil)
        #expect(editor.plan.walls.count == 7)
    }

    @Test func `a room along several others has the pieces between them`() throws {
        var editor = PlanEditor(FloorPlan())
        try Self.draw("a", at: 1_000, 0, 1_000, 1_000, in: &editor)
        try Self.draw("b", at: 4_000, 0, 1_000, 1_000, in: &editor)
        try Self.draw("hall", at: 0, -1_500, 6_000, 1_400, in: &editor)

        #expect(Self.ends("hall-wall-3", editor) == [6_050, -50, 5_050, -50])
        #expect(Self.ends("hall-wall-3-2", editor) == [3_950, -50, 2_050, -50])
        #expect(Self.ends("hall-wall-3-3", editor) == [950, -50, -50, -50])
    }
}
