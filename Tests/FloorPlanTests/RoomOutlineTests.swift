import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// Rooms follow the walls along them.
struct RoomOutlineTests {
    private static func corners(_ editor: PlanEditor, _ room: String = "room") -> [[Int32]] {
        (editor.plan.rooms[room]?.corners ?? []).map { [$0.x, $0.y] }
    }

    @Test func `moving a wall enlarges the room by exactly as much`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan
        let outcome = try editor.make(.move(["room-wall-2"], by: PlanPoint(x: 250, y: 0)))

        #expect(Self.corners(editor) == [[0, 0], [4_250, 0], [4_250, 3_000], [0, 3_000]])
        #expect(outcome.changes.contains { $0.id == "room" })
        editor.apply(outcome.changes.reversed)
        #expect(editor.plan == before)
    }

    @Test func `inner lengths stay exact if a wall's thickness is an odd number of millimetres`()
        throws
    {
        var editor = PlanEditor(FloorPlan())
        let sketch = DrawRoom(
            room: Room(id: "room"), start: PlanPoint(), clockwise: true,
            sides: DrawRoom.rectangle(3_001, 2_003), wallThickness: 115)
        _ = try editor.make(.drawRoom(sketch))
        for _ in 0..<20 {
            _ = try editor.make(.move(["room-wall-1"], by: PlanPoint(x: 3, y: 7)))
            _ = try editor.make(.move(["room-wall-1"], by: PlanPoint(x: -3, y: -7)))
        }
        let lengths = try #require(editor.plan.rooms["room"]).polygon.sides.map(\.length)
        #expect(lengths == [3_001, 2_003, 3_001, 2_003])
    }

    @Test func `moving a wall's corner moves the room's corner`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(
            .moveCorner(PlanPoint(x: 4_050, y: 3_050), to: PlanPoint(x: 4_050, y: 4_050)))

        // Here the surface of the eastern wall meets that of the northern one, which now rises by
        // 1000 over 4100.
        #expect(Self.corners(editor) == [[0, 0], [4_000, 0], [4_000, 3_986], [0, 3_011]])
    }

    @Test func `the rooms on both sides of a wall follow it`() throws {
        var editor = try DwellingTests.flat()
        _ = try editor.make(.move(["hall-wall-2"], by: PlanPoint(x: 300, y: 0)))

        #expect(Self.corners(editor, "hall")[1] == [2_300, 0])
        #expect(Self.corners(editor, "room")[0] == [2_400, 0])
    }

    @Test func `a thicker wall makes its rooms smaller`() throws {
        var editor = try PlanActionTests.room()
        var wall = try #require(editor.plan.walls["room-wall-3"])
        wall.thickness = 300
        _ = try editor.make(.replace(PlanItem(item: .wall(wall))))

        #expect(Self.corners(editor) == [[0, 0], [4_000, 0], [4_000, 2_900], [0, 2_900]])
    }

    @Test func `pulling the joint of two walls in line adds a corner to the room`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(.remove(["room-wall-3"]))
        for (id, from, to) in [("a", 4_050, 2_000), ("b", 2_000, -50)] as [(String, Int32, Int32)] {
            let wall = Wall(
                id: id, start: PlanPoint(x: from, y: 3_050), end: PlanPoint(x: to, y: 3_050),
                thickness: 100)
            _ = try editor.make(.add([PlanItem(item: .wall(wall))]))
        }
        _ = try editor.make(
            .moveCorner(PlanPoint(x: 2_000, y: 3_050), to: PlanPoint(x: 2_000, y: 3_550)))
        #expect(Self.corners(editor).count == 5)
        #expect(try #require(editor.plan.rooms["room"]).polygon.area > 12_500_000)

        _ = try editor.make(.setLength("room-wall-2", 2_500, keeping: .start))
        #expect(Self.corners(editor).count == 5)
    }

    @Test func `a room can't be turned inside out`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.move(["room-wall-3"], by: PlanPoint(x: 0, y: -3_500)))
        }

        #expect(refusal?.message.contains("inside out") == true)
        #expect(editor.plan == before)
    }

    @Test func `moving a room moves its walls and their doors`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(.move(["room"], by: PlanPoint(x: 1_000, y: -500)))

        #expect(Self.corners(editor)[0] == [1_000, -500])
        #expect(editor.plan.walls["room-wall-1"]?.from == PlanPoint(x: 950, y: -550))
        #expect(editor.plan.openings["door"]?.offset == 500)
        _ = try editor.make(.move(["room", "room-wall-1"], by: PlanPoint(x: -1_000, y: 500)))
        #expect(try editor.plan == PlanActionTests.room().plan)
    }

    @Test func `a rectangular room is enlarged by moving its sides, with its walls`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(.resize("room", width: 4_500, depth: 2_500, height: 2_400))

        #expect(Self.corners(editor) == [[0, 0], [4_500, 0], [4_500, 2_500], [0, 2_500]])
        #expect(editor.plan.walls["room-wall-2"]?.from == PlanPoint(x: 4_550, y: -50))
        #expect(editor.plan.walls["room-wall-3"]?.from == PlanPoint(x: 4_550, y: 2_550))
        #expect(editor.plan.rooms["room"]?.height == 2_400)
        #expect(throws: Refusal.self) {
            try editor.make(.resize("room", width: 900, depth: nil, height: nil))
        }
        #expect(throws: Refusal.self) {
            try editor.make(.resize("room", width: 0, depth: nil, height: nil))
        }
        _ = try editor.make(
            .moveCorner(PlanPoint(x: 4_550, y: 2_550), to: PlanPoint(x: 4_550, y: 3_000)))
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.resize("room", width: 4_600, depth: nil, height: nil))
        }
        #expect(refusal?.message.contains("isn't a rectangle") == true)
    }

    @Test(arguments: [false, true], [0, 20_000, 80_000, 135_001, 200_000, 300_000] as [UInt32])
    func `a turned room without walls can be enlarged too`(isClockwise: Bool, angle: UInt32) throws
    {
        var editor = PlanEditor(FloorPlan())
        let sketch = DrawRoom(
            room: Room(id: "room"), start: PlanPoint(), angle: angle, clockwise: isClockwise,
            sides: DrawRoom.rectangle(3_000, 2_000), wallThickness: nil)
        _ = try editor.make(.drawRoom(sketch))
        let low = try #require(editor.plan.rooms["room"]).polygon.bounds.low
        _ = try editor.make(.resize("room", width: 4_000, depth: 5_000, height: nil))

        let room = try #require(editor.plan.rooms["room"])
        #expect(room.isRectangle)
        #expect(abs(room.squareMetres - 20) < 0.01)
        let lengths = room.polygon.sides.map { ($0.length / 1_000).rounded() }
        #expect(lengths == ([80_000, 300_000].contains(angle) ? [5, 4, 5, 4] : [4, 5, 4, 5]))
        #expect(room.polygon.bounds.low.x <= low.x + 1 || room.polygon.bounds.low.y <= low.y + 1)
    }

    /// Any edit of a wall of the room.
    private static func any(_ plan: FloorPlan, _ seed: inout Seed) -> PlanAction {
        let wall = "room-wall-\(1 + seed.below(4))"
        func length(_ most: Int) -> Int32 { Int32(seed.below(most)) - Int32(most / 2) }
        let end: WallEnd = seed.oneIn(2) ? .start : .end
        switch seed.below(5) {
        case 0: return .move([wall], by: PlanPoint(x: length(1_200), y: length(1_200)))
        case 1: return .setLength(wall, UInt32(500 + seed.below(5_000)), keeping: end)
        case 2: return .turnWall(wall, about: end, by: length(60_000))
        case 3:
            let other = "room-wall-\(1 + seed.below(4))"
            return .setAngle(
                of: wall, with: other, to: UInt32(30_000 + seed.below(150_000)), opposite: false)
        default:
            let corner = plan.walls[wall]?.to ?? PlanPoint()
            return .moveCorner(
                corner, to: corner.moved(by: PlanPoint(x: length(1_500), y: length(1_500))))
        }
    }

    @Test(arguments: Seed.some(40))
    func `whatever happens to its walls, a room ends at their inner surfaces`(seed: Seed) throws {
        var seed = seed
        var editor = PlanEditor(FloorPlan())
        let sketch = DrawRoom(
            room: Room(id: "room"), start: PlanPoint(), angle: UInt32(seed.below(360_000)),
            clockwise: false, sides: DrawRoom.rectangle(4_000, 3_000),
            wallThickness: UInt32(50 + seed.below(200)))
        _ = try editor.make(.drawRoom(sketch))
        var made = 0
        for _ in 0..<60 {
            let before = editor.plan
            let edit = Self.any(before, &seed)
            do {
                _ = try editor.make(edit)
                made += 1
            } catch {
                continue
            }
            guard try Self.isInside(editor.plan) else {
                Issue.record(
                    "\(edit) of \(Self.picture(before)) makes \(Self.picture(editor.plan))")
                return
            }
        }
        #expect(made > 5)
    }

    private static func picture(_ plan: FloorPlan) -> String {
        let walls = plan.walls.values.sorted { $0.id < $1.id }.map { "\($0.from.x),\($0.from.y)" }
        let corners = plan.rooms.values.flatMap(\.corners).map { "\($0.x),\($0.y)" }
        return "walls \(walls.joined(separator: " ")), room \(corners.joined(separator: " "))"
    }

    private static func isInside(_ plan: FloorPlan) throws -> Bool {
        let walls = try (1...4).map { try #require(plan.walls["room-wall-\($0)"]) }
        let corners = try #require(plan.rooms["room"]).corners.map(\.vector)
        let surfaces = walls.map { $0.line(of: .left) }
        func isOn(_ line: Segment, _ point: Vector) -> Bool {
            abs(line.along.unit.cross(point - line.start)) < 2
        }
        guard corners.allSatisfy({ corner in surfaces.contains { isOn($0, corner) } }) else {
            return false
        }
        return walls.indices.allSatisfy { index in
            let (a, b) = (surfaces[index], surfaces[(index + 1) % 4])
            let (along, onwards) = (a.along.unit, b.along.unit)
            let sine = along.cross(onwards)
            guard abs(sine) > 0.1 else { return true }
            let meeting = a.start + along * ((b.start - a.start).cross(onwards) / sine)
            let thickness = Double(walls[index].thickness)
            // A room may be cut off around the outside of a sharp corner.
            guard
                sine > 0 && along.dot(onwards) < 0
                    || meeting.distance(to: walls[index].to.vector) < 2.9 * thickness
            else { return true }
            return corners.contains { isOn(a, $0) && isOn(b, $0) }
        }
    }
}
