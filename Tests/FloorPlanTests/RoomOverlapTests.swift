import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// Rooms that overlap.
struct RoomOverlapTests {
    private static func room(
        _ id: String, _ x: ClosedRange<Int32>, _ y: ClosedRange<Int32>
    ) -> PlanItem {
        let corners = [
            PlanPoint(x: x.lowerBound, y: y.lowerBound),
            PlanPoint(x: x.upperBound, y: y.lowerBound),
            PlanPoint(x: x.upperBound, y: y.upperBound),
            PlanPoint(x: x.lowerBound, y: y.upperBound),
        ]
        return PlanItem(item: .room(Room(id: id.lowercased(), name: id, corners: corners)))
    }

    @Test func `overlapping rooms are allowed, with a warning that says by how much`() throws {
        var editor = PlanEditor(FloorPlan([Self.room("Hall", 0...4_000, 0...2_000)]))
        let bath = Self.room("Bath", 3_400...6_000, 0...3_000)

        #expect(
            try editor.make(.add([bath])).warnings
                == ["room “Bath” and room “Hall” overlap by 1.2 m²"])
        // The warning is repeated only if they overlap more.
        let east = PlanAction.move(["bath"], by: PlanPoint(x: 100, y: 0))
        let west = PlanAction.move(["bath"], by: PlanPoint(x: -100, y: 0))
        #expect(try editor.make(east).warnings.isEmpty)
        #expect(try editor.make(west).warnings.count == 1)
        #expect(
            try editor.make(.move(["bath", "hall"], by: PlanPoint(x: 500, y: 0))).warnings.isEmpty)
        #expect(try editor.make(.copy("bath", as: "copy", by: PlanPoint())).warnings.count == 2)
    }

    @Test func `adjacent rooms don't overlap`() throws {
        var editor = PlanEditor(FloorPlan([Self.room("Hall", 0...4_000, 0...2_000)]))
        // Drawn to the middle of the wall, and slightly beyond.
        let rooms = [
            Self.room("Bath", 4_000...6_000, 0...2_000),
            Self.room("Bed", 0...4_000, 1_990...5_000),
        ]

        #expect(try editor.make(.add(rooms)).warnings.isEmpty)
    }

    @Test func `of many overlapping rooms only as many are named as a person would read`() throws {
        var editor = PlanEditor(FloorPlan())
        let rooms = (0..<300).map { Self.room("r\($0)", 0...4_000, 0...2_000) }

        #expect(try editor.make(.add(rooms)).warnings.count == PlanEditor.mostWarnings)
    }

    @Test(arguments: Seed.some(20))
    func `the intersection of two outlines is found from their sides`(seed: Seed) {
        var seed = seed
        for _ in 0..<20 {
            let (a, b) = (OverlapTests.any(&seed).outline, OverlapTests.any(&seed).outline)
            let common = a.polygon.commonArea(with: b.polygon)

            #expect(abs(common - a.intersection(b).polygon.area) < 1)
            #expect(abs(common - b.polygon.commonArea(with: a.polygon)) < 1)
        }
    }

    @Test func `an outline with a recess doesn't intersect what stands in the recess`() {
        let recess = Polygon([
            Vector(0, 0), Vector(3_000, 0), Vector(3_000, 2_000), Vector(2_000, 2_000),
            Vector(2_000, 1_000), Vector(1_000, 1_000), Vector(1_000, 2_000), Vector(0, 2_000),
        ])
        func square(_ x: Double, _ y: Double, _ size: Double) -> Polygon {
            ConvexPolygon(centre: Vector(x, y), width: size, depth: size, angle: 0).polygon
        }

        #expect(recess.commonArea(with: square(1_500, 1_500, 1_000)) == 0)
        #expect(
            recess.commonArea(with: square(1_500, 1_500, 1_200)) == 1_200 * 100 + 2 * 100 * 1_000)
        #expect(recess.commonArea(with: recess) == recess.area)
    }
}
