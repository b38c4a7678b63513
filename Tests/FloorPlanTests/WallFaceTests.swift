import Messages
import Testing

@testable import FloorPlan

/// Where people measure along a wall: from the face of the wall that meets it, inside the room.
struct WallFaceTests {
    private static func wall(_ id: String, _ from: (Int32, Int32), _ to: (Int32, Int32)) -> PlanItem
    {
        PlanItem(
            item: .wall(
                Wall(
                    id: id, start: PlanPoint(x: from.0, y: from.1),
                    end: PlanPoint(x: to.0, y: to.1), thickness: 100)))
    }

    private static func room(
        _ id: String, _ x: Int32, _ y: Int32, _ width: Int32, _ depth: Int32
    ) -> PlanItem {
        PlanItem(
            item: .room(
                Room(
                    id: id,
                    corners: [
                        PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y),
                        PlanPoint(x: x + width, y: y + depth), PlanPoint(x: x, y: y + depth),
                    ])))
    }

    /// A wall from west to east with a room of 4 m to its south, and one of 2 m to its north at
    /// its east end.
    private static let plan = FloorPlan([
        wall("long", (-50, 1_550), (4_050, 1_550)), wall("west", (-50, -50), (-50, 1_550)),
        wall("east", (4_050, -50), (4_050, 3_650)), room("hall", 0, 0, 4_000, 1_500),
        room("bath", 2_000, 1_600, 2_000, 2_000),
    ])

    @Test func `a wall has a face in each room along it, from corner to corner inside`() throws {
        let wall = try #require(Self.plan.walls["long"])
        let faces = Self.plan.faces(of: wall)
        #expect(faces.map(\.room) == ["hall", "bath"])
        #expect(faces.map(\.stretch) == [50...4_050, 2_050...4_050])
        #expect(faces.map(\.isLeft) == [false, true])
        #expect(faces.map(\.distance) == [50, 50])
    }

    @Test func `a wall without rooms is measured from the faces of the walls that meet it`() throws
    {
        var plan = Self.plan
        for room in ["hall", "bath"] { plan.apply(ItemChange(before: plan.item(room))) }
        let face = plan.bareFace(of: try #require(plan.walls["long"]))
        #expect(face.stretch == 50...4_050)
    }

    @Test func `a wall that stands alone is measured from its own ends`() throws {
        let plan = FloorPlan([Self.wall("wall", (0, 0), (3_000, 0))])
        #expect(plan.bareFace(of: try #require(plan.walls["wall"])).stretch == 0...3_000)
    }
}
