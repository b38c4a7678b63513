import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// Rooms that are drawn next to each other share one wall.
struct SharedWallTests {
    /// Adds a room of this size with walls of 100 mm, its first corner in the south-west.
    private static func draw(
        _ id: String, at x: Int32, _ y: Int32, _ width: UInt32, _ depth: UInt32,
        in editor: inout PlanEditor
    ) throws {
        let sketch = DrawRoom(
            room: Room(id: id), start: PlanPoint(x: x, y: y), clockwise: false,
            sides: DrawRoom.rectangle(width, depth), wallThickness: 100)
        _ = try editor.make(.drawRoom(sketch))
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

    @Test func `a room beside several others has one piece of wall for each`() throws {
        var editor = PlanEditor(FloorPlan())
        try Self.draw("a", at: 1_000, 0, 1_000, 1_000, in: &editor)
        try Self.draw("b", at: 4_000, 0, 1_000, 1_000, in: &editor)
        try Self.draw("hall", at: 0, -1_500, 6_000, 1_400, in: &editor)

        #expect(Self.ends("hall-wall-3", editor) == [6_050, -50, 5_050, -50])
        #expect(Self.ends("hall-wall-3-2", editor) == [3_950, -50, 2_050, -50])
        #expect(Self.ends("hall-wall-3-3", editor) == [950, -50, -50, -50])
    }

    @Test func `a wall stays straight beside the corner of another that is a millimetre off`()
        throws
    {
        var editor = PlanEditor(FloorPlan())
        try Self.draw("a", at: 0, 0, 2_000, 2_000, in: &editor)
        // Its eastern wall continues that of the first room, but is off by a millimetre.
        try Self.draw("b", at: 0, -2_090, 2_001, 2_000, in: &editor)

        #expect(Self.ends("b-wall-2", editor) == [2_051, -2_140, 2_051, -50])
        for wall in editor.plan.walls.values {
            #expect(wall.from.x == wall.to.x || wall.from.y == wall.to.y, "\(wall.id) is askew")
        }
    }

    /// A room next to another: on one of its four sides, at some distance along it.
    struct Neighbours: Sendable {
        var editor: PlanEditor
        /// The midpoint of the stretch that the two share, in the wall.
        let shared: Vector
        /// The length of that stretch, in millimetres.
        let length: Double

        /// - Parameter thicknesses: the thicknesses of the first room's walls and of the second's.
        init(_ seed: inout Seed, thicknesses: (UInt32, UInt32)) throws {
            let sizes = (0..<4).map { _ in UInt32(1_800 + seed.below(3_000)) }
            let turn = seed.pick([0, 90, 180, 270]) * 1_000
            let along = Vector(degrees: UInt32(turn))
            // The first room is to the left of the line, the second to its right, beyond the
            // first's wall.
            let start = Vector(Double(seed.below(900)), Double(seed.below(900)))
            let shift =
                Double(seed.below(Int(sizes[0] + sizes[2]) - 2_400)) + 1_200
                - Double(sizes[2])
            let other = start + along * shift - along.left * Double(thicknesses.0)
            var editor = PlanEditor(FloorPlan())
            func draw(
                _ id: String, _ corner: Vector, _ direction: Vector, _ first: UInt32,
                _ second: UInt32, isClockwise: Bool, _ thickness: UInt32
            ) throws {
                let degrees = Int((direction.angle / .pi * 180).rounded())
                let sketch = DrawRoom(
                    room: Room(id: id), start: PlanPoint(corner),
                    angle: UInt32((degrees + 360) % 360) * 1_000, clockwise: isClockwise,
                    sides: DrawRoom.rectangle(first, second), wallThickness: thickness)
                _ = try editor.make(.drawRoom(sketch))
            }
            let swapped = seed.oneIn(2)
            // Seen along the line, the room is to the left of its first side or to the right.
            try draw(
                "a", start, swapped ? along.left : along, swapped ? sizes[1] : sizes[0],
                swapped ? sizes[0] : sizes[1], isClockwise: swapped, thicknesses.0)
            let isSecondSwapped = seed.oneIn(2)
            try draw(
                "b", other, isSecondSwapped ? -along.left : along,
                isSecondSwapped ? sizes[3] : sizes[2], isSecondSwapped ? sizes[2] : sizes[3],
                isClockwise: !isSecondSwapped, thicknesses.1)
            self.editor = editor
            let (low, high) = (max(0, shift), min(Double(sizes[0]), shift + Double(sizes[2])))
            length = high - low
            shared =
                start + along * ((low + high) / 2)
                - along.left * (Double(thicknesses.0) / 2)
        }

        /// The walls at a place.
        func walls(at place: Vector) -> [Wall] {
            editor.plan.walls.values.filter { wall in
                let way = place - wall.line.start
                let along = wall.line.along.unit
                let (share, beside) = (along.dot(way), abs(along.cross(way)))
                return share >= -Double(wall.thickness) / 2 - 1
                    && share <= wall.length + Double(wall.thickness) / 2 + 1
                    && beside <= Double(wall.thickness) / 2 + 1
            }
        }
    }

    @Test(arguments: Seed.some(12), [(100, 100), (100, 200), (200, 100), (80, 120)])
    func `adjacent rooms are enclosed by walls, and share one`(
        seed: Seed, thicknesses: (UInt32, UInt32)
    ) throws {
        var seed = seed
        let rooms = try Neighbours(&seed, thicknesses: thicknesses)

        for room in rooms.editor.plan.rooms.values {
            let polygon = room.polygon.counterClockwise
            for side in polygon.sides {
                for place in stride(from: 5.0, to: side.length, by: 35) {
                    let beyond =
                        side.start + side.along.unit * place - side.along.unit.left * 20
                    #expect(!rooms.walls(at: beyond).isEmpty, "\(room.id) at \(beyond)")
                }
            }
        }
        #expect(rooms.walls(at: rooms.shared).count == 1)
        for wall in rooms.editor.plan.walls.values {
            #expect(wall.from.x == wall.to.x || wall.from.y == wall.to.y, "\(wall.id) is askew")
        }
    }

    @Test(arguments: Seed.some(1), [(100, 100), (100, 200), (200, 100)])
    func `a door in a shared wall connects the rooms`(
        seed: Seed, thicknesses: (UInt32, UInt32)
    ) throws {
        var seed = seed
        var rooms = try Neighbours(&seed, thicknesses: thicknesses)
        let wall = try #require(rooms.walls(at: rooms.shared).first)
        let offset = (rooms.shared - wall.line.start).dot(wall.line.along.unit) - 450
        // The entrance is opposite.
        let outer = try #require(
            rooms.editor.plan.walls.values.first { candidate in
                candidate.id.hasPrefix("a-") && candidate.id != wall.id
                    && abs(candidate.line.along.unit.cross(wall.line.along.unit)) < 0.1
            })
        _ = try rooms.editor.make(
            .add([
                .door("inner", in: wall.id, at: UInt32(offset), clear: 850),
                .door(
                    "entrance", in: outer.id, at: UInt32(outer.length / 2) - 450, clear: 850,
                    entrance: true),
            ]))
        let access = try Dwelling(rooms.editor.plan).access(for: Chair(width: 600, length: 700))

        #expect(access.first { $0.room == "b" }?.reached == .yes)
    }
}
