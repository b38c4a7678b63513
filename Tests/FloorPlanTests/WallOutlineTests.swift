import Messages
import Testing

@testable import FloorPlan

/// The outlines of walls with a thickness.
struct WallOutlineTests {
    private static func wall(_ id: String, _ from: (Int32, Int32), _ to: (Int32, Int32)) -> Wall {
        Wall(
            id: id, start: PlanPoint(x: from.0, y: from.1), end: PlanPoint(x: to.0, y: to.1),
            thickness: 100)
    }

    @Test func `walls around a room cover the frame between its inner and outer outline`() {
        let walls = [
            Self.wall("s", (0, 0), (4_000, 0)), Self.wall("e", (4_000, 0), (4_000, 3_000)),
            Self.wall("n", (4_000, 3_000), (0, 3_000)), Self.wall("w", (0, 3_000), (0, 0)),
        ]
        let outlines = WallOutlines(walls).outlines
        let area = outlines.values.map(\.signedArea).reduce(0, +)

        #expect(abs(area - (4_100 * 3_100 - 3_900 * 2_900)) < 1e-3)
        #expect(outlines["s"]?.contains(Vector(-49, -49)) == true)
        #expect(outlines["s"]?.contains(Vector(51, 49.9)) == true)
        #expect(outlines["s"]?.contains(Vector(51, 51)) == false)
    }

    @Test func `a lone wall has square ends`() {
        let outline = WallOutlines([Self.wall("w", (0, 0), (1_000, 0))]).outlines["w"]

        #expect(outline?.signedArea == 100_000)
    }

    @Test func `walls in line have no gap and no overlap`() {
        let outlines = WallOutlines([
            Self.wall("a", (0, 0), (1_000, 0)), Self.wall("b", (1_000, 0), (2_000, 0)),
        ]).outlines

        #expect(outlines.values.map(\.signedArea).reduce(0, +) == 200_000)
    }

    @Test func `a wall doesn't protrude for metres at a sharp corner`() {
        let outlines = WallOutlines([
            Self.wall("a", (0, 0), (2_000, 0)), Self.wall("b", (0, 0), (2_000, 100)),
        ]).outlines

        #expect(outlines.count == 2)
        #expect(outlines.values.allSatisfy { $0.bounds.low.x > -301 })
    }

    @Test(arguments: [-49, 0, 50] as [Int32])
    func `a wall that ends in another reaches its surface, and no farther`(end: Int32) {
        let drawn = WallOutlines([
            Self.wall("a", (0, 0), (4_000, 0)), Self.wall("stem", (2_000, 2_000), (2_000, end)),
        ])

        #expect(drawn.outlines["stem"]?.signedArea == 195_000)
        #expect(drawn.outlines["stem"]?.bounds.low.y == 50)
        #expect(drawn.isJoined("stem", at: PlanPoint(x: 2_000, y: end)))
        #expect(!drawn.isJoined("stem", at: PlanPoint(x: 2_000, y: 2_000)))
        #expect(drawn.outlines["a"]?.signedArea == 400_000)
    }

    @Test func `a slanted wall ends along the surface of the wall that it meets`() {
        let outlines = WallOutlines([
            Self.wall("a", (0, 0), (4_000, 0)), Self.wall("stem", (2_000, -10), (3_000, -1_000)),
        ]).outlines
        let corners = outlines["stem"]?.corners ?? []

        #expect(corners.filter { abs($0.y + 50) < 1e-6 }.count == 3)
        #expect(corners.allSatisfy { $0.y < -49 })
    }

    @Test func `a wall that ends beside another, or at its end, keeps its length`() {
        let beside = WallOutlines([
            Self.wall("a", (0, 0), (4_000, 0)), Self.wall("stem", (2_000, 2_000), (2_000, 60)),
        ])
        #expect(beside.outlines["stem"]?.bounds.low.y == 60)
        #expect(!beside.isJoined("stem", at: PlanPoint(x: 2_000, y: 60)))

        // Each ends inside the other: if both were cut off, the corner would be empty.
        let corner = WallOutlines([
            Self.wall("a", (0, 0), (4_000, 0)), Self.wall("b", (1, 2_000), (1, 1)),
        ])
        #expect(corner.outlines["a"]?.signedArea == 400_000)
        #expect(corner.outlines["b"]?.signedArea == 199_900)
    }

    @Test func `a door sweeps a quarter of a circle in front of its wall`() {
        let wall = Self.wall("w", (0, 0), (4_000, 0))
        let door = Opening(kind: .door, offset: 1_000, width: 900, hingesAtEnd: true)
        let swing = wall.swing(of: door)

        #expect(abs((swing?.area ?? 0) - .pi * 900 * 900 / 4) < 2_500)
        #expect(swing?.contains(Vector(1_890, 900)) == true)
        #expect(swing?.contains(Vector(1_010, 900)) == false)
        #expect(wall.swing(of: Opening(kind: .slidingDoor, width: 900)) == nil)
    }
}
