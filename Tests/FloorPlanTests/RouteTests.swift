import Foundation
import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// The path of a chair from an entrance into a room.
struct RouteTests {
    /// What the chair must not touch: walls without the clear widths of their doors, and elements.
    private static func solids(_ plan: FloorPlan) -> [ConvexPolygon] {
        let walls = plan.walls.values.flatMap { wall -> [ConvexPolygon] in
            var pieces = [(0.0, wall.length)]
            for opening in plan.openings(in: wall.id) where opening.isPassable {
                let middle = Double(opening.offset) + Double(opening.width) / 2
                let half = Double(opening.passage.width) / 2
                pieces = pieces.flatMap { from, to in
                    [(from, min(to, middle - half)), (max(from, middle + half), to)]
                        .filter { $0.0 < $0.1 }
                }
            }
            let along = wall.line.along.unit
            return pieces.map { from, to in
                ConvexPolygon(
                    centre: wall.line.start + along * ((from + to) / 2), width: to - from,
                    depth: Double(wall.thickness), angle: along.angle)
            }
        }
        return walls + Dwelling(plan).barriers.map(\.outline)
    }

    /// The poses of a route with enough poses in between that none is more than 10 mm or a degree
    /// from the next.
    private static func fine(_ route: [Pose]) -> [Pose] {
        zip(route, route.dropFirst()).flatMap { from, to in
            let way = max(
                from.place.distance(to: to.place) / 10, abs(from.turn(to: to)) / (.pi / 180))
            let count = max(Int(way.rounded(.up)), 1)
            return (0...count).map { from.between(to, Double($0) / Double(count)) }
        }
    }

    private static func expectFree(
        _ route: [Pose], _ chair: Chair, in plan: FloorPlan, to room: String
    ) throws {
        let shape = ConvexPolygon(
            centre: .zero, width: chair.length, depth: chair.width, angle: 0)
        let solids = solids(plan)
        for pose in fine(route) {
            let outline = shape.turned(by: Vector(angle: pose.heading)).moved(by: pose.place)
            #expect(
                !solids.contains { Overlap(outline, $0, tolerance: 1e-6) != nil }, "\(pose)")
        }
        for (from, to) in zip(route, route.dropFirst()) {
            #expect(from.place == to.place || from.heading == to.heading, "one move at a time")
        }
        let dwelling = Dwelling(plan)
        let doors = plan.openings.values.filter(\.entrance).compactMap { dwelling.hole($0) }
        let (first, last) = (try #require(route.first), try #require(route.last))
        #expect(doors.contains { $0.contains(first.place) })
        let (area, end) = (
            try #require(plan.rooms[room]).polygon,
            shape.turned(by: Vector(angle: last.heading)).moved(by: last.place)
        )
        #expect(end.corners.allSatisfy(area.contains), "all of the chair is inside")
    }

    @Test func `the way into a room is clear throughout, and short`() throws {
        let bed = PlanItem.bed("bed", at: PlanPoint(x: 4_000, y: 500))
        let plan = try DwellingTests.flat([bed]).plan
        let chair = DwellingTests.chair
        let route = try #require(try Dwelling(plan).route(for: chair, to: "room"))

        try Self.expectFree(route, chair, in: plan, to: "room")
        // The route goes in, makes a quarter turn to the door and continues into the room.
        #expect(route.count <= 8)
        let turned = zip(route, route.dropFirst()).map { abs($0.turn(to: $1)) }.reduce(0, +)
        #expect(turned < 1.2 * .pi)
    }

    @Test func `there is no way to a place that the chair may not reach`() throws {
        let plan = try DwellingTests.flat(door: 690).plan
        let dwelling = Dwelling(plan)

        #expect(try dwelling.route(for: DwellingTests.chair, to: "room") == nil)
        #expect(try dwelling.route(for: DwellingTests.chair, to: "hall") != nil)
        #expect(throws: Refusal.self) {
            try dwelling.route(for: DwellingTests.chair, to: "attic")
        }
    }

    @Test(arguments: Seed.some(6))
    func `among scattered things the way is clear, or there is none`(seed: Seed) throws {
        var seed = seed
        var editor = try DwellingTests.flat(door: 880)
        for number in 0..<6 {
            let box = Element(
                id: "box-\(number)", kind: .cupboard,
                centre: PlanPoint(
                    x: Int32(seed.below(5_000)), y: Int32(400 + seed.below(2_000))),
                width: UInt32(100 + seed.below(500)), depth: UInt32(100 + seed.below(500)),
                height: 900, angle: UInt32(seed.below(360_000)))
            _ = try editor.make(.add([PlanItem(item: .element(box))]), force: true)
        }
        let chair = Chair(width: 650, length: 1_000)
        let access = try Dwelling(editor.plan).access(for: chair, looks: 1)
        for room in access {
            let route = try Dwelling(editor.plan).route(for: chair, to: room.room)
            if let route {
                try Self.expectFree(route, chair, in: editor.plan, to: room.room)
            }
            #expect(room.reached != .yes || route != nil)
            #expect(room.reached != .no || route == nil)
        }
    }

    @Test func `turning takes the shorter way`() {
        let (a, b) = (Pose(place: .zero, heading: 0.1), Pose(place: .zero, heading: -0.2))

        #expect(abs(a.turn(to: b) + 0.3) < 1e-12)
        #expect(abs(a.between(b, 0.5).heading - (2 * .pi - 0.05)) < 1e-12)
    }
}
