import FloorPlan
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import PlanFiles

/// Homes whose outlines, gaps and doors need repairs so that no room is cut off.
struct HomeRepairTests {
    private static func points(_ corners: [(Double, Double)]) -> String {
        corners.map { "<point x='\($0.0)' y='\($0.1)'/>" }.joined()
    }

    private static func room(_ name: String, _ corners: (Double, Double)...) -> String {
        "<room name='\(name)'>\(points(corners))</room>"
    }

    private static func plan(_ inside: String) throws -> (plan: FloorPlan, warnings: [String]) {
        let read = try HomeFileTests.read(inside)
        return (FloorPlan(read.items), read.warnings)
    }

    @Test func `a fold of a few millimetres is dropped, and the room is kept`() throws {
        // A corner that is repeated two millimetres further on, and a spur of 5 mm.
        let (plan, warnings) = try Self.plan(
            Self.room(
                "Hall", (0, 0), (400, 0), (400, 300), (200, 300), (200, 300.5), (200.04, 300),
                (0, 300)))
        let room = try #require(plan.rooms.values.first, "\(warnings)")
        #expect(room.squareMetres == 12 && !room.polygon.crossesItself)
    }

    @Test func `a slit that leads to a hole is cut, and the hole is filled`() throws {
        // The hole is a chimney of 40 x 60 cm, and the slit leads to it from the upper side.
        let (plan, warnings) = try Self.plan(
            Self.room(
                "Living", (0, 0), (200, 0), (200, 100), (240, 100), (240, 160), (200, 160),
                (200, 100), (200, 0), (500, 0), (500, 400), (0, 400)))
        let room = try #require(plan.rooms.values.first, "\(warnings)")
        #expect(room.squareMetres == 20)
        let chimney = try #require(plan.elements.values.first)
        #expect(chimney.kind == .structure && chimney.place == Vector(2_200, -1_300))
        #expect((401...402).contains(chimney.width) || (601...602).contains(chimney.width))
        #expect(warnings.first?.contains("a hole in it is filled") == true)
    }

    @Test(arguments: Seed.some(300))
    func `a random outline becomes simple ones with no more floor`(seed: Seed) throws {
        var seed = seed
        let corners = (0..<(3 + seed.below(9))).map { _ in
            PlanPoint(x: Int32(seed.below(40)) * 100, y: Int32(seed.below(40)) * 100)
        }
        guard let repair = OutlineRepair(corners) else { return }
        let rooms = repair.rooms.map { Polygon($0.map(\.vector)) }
        let holes = repair.holes.map { Polygon($0.map(\.vector)) }
        #expect(rooms.allSatisfy { !$0.crossesItself && $0.area >= 10_000 })
        let outline = Polygon(corners.map(\.vector))
        for place in Self.places {
            let count = rooms.filter { $0.contains(place) }.count
            guard count > 0 else { continue }
            let distance = outline.distanceToOutline(from: place)
            guard distance > 5 else { continue }
            #expect(count == 1, "\(place)")
            // So far inside, it isn't in a hole that is too small to be kept.
            guard distance > 60, !holes.contains(where: { $0.contains(place) }) else { continue }
            #expect(Self.turns(of: outline, around: place) != 0, "\(place)")
        }
    }

    /// Places all over the random outlines, and on none of their sides.
    private static let places = (0..<1_600).map {
        Vector(Double($0 / 40) * 100 + 50.3, Double($0 % 40) * 100 + 50.7)
    }

    /// How often an outline goes around a place, counter-clockwise.
    private static func turns(of outline: Polygon, around place: Vector) -> Int {
        outline.sides.reduce(0) { turns, side in
            let isLeft = side.along.cross(place - side.start) > 0
            if side.start.y <= place.y, side.end.y > place.y, isLeft { return turns + 1 }
            if side.start.y > place.y, side.end.y <= place.y, !isLeft { return turns - 1 }
            return turns
        }
    }

    @Test func `an outline that crosses itself has as much floor as it goes around, once`() throws {
        let corners = [(3_500, 3_400), (600, 200), (3_800, 300), (1_500, 2_700), (3_300, 100)]
            .map { PlanPoint(x: Int32($0.0), y: Int32($0.1)) }
        let repair = try #require(OutlineRepair(corners))
        let area = repair.rooms.reduce(0) { $0 + Polygon($1.map(\.vector)).area }
        // Its triangles: 2.06, 1.59, 0.12, 0.08 and 0.01 m², and 0.57 m² between them.
        #expect((4_420_000...4_450_000).contains(area), "\(area)")
        #expect(repair.rooms.count == 1 && repair.holes.isEmpty)
    }

    @Test func `a hole in a hole is filled with it`() throws {
        // A square of 4 m, around a hole of 2 m, around floor of 1 m, around a hole of 40 cm.
        let squares = [(0, 4_000), (1_000, 2_000), (1_500, 1_000), (1_800, 400)]
        var corners: [PlanPoint] = []
        for (low, size) in squares {
            let high = low + size
            corners += [(low, low), (high, low), (high, high), (low, high), (low, low)]
                .map { PlanPoint(x: Int32($0.0), y: Int32($0.1)) }
        }
        // Back along the slit, from square to square.
        corners += squares.dropLast().reversed().map {
            PlanPoint(x: Int32($0.0), y: Int32($0.0))
        }
        let repair = try #require(OutlineRepair(corners))
        #expect(repair.rooms.map { Polygon($0.map(\.vector)).area } == [16_000_000])
        #expect(repair.holes.map { Polygon($0.map(\.vector)).area } == [4_000_000])
    }

    @Test func `outlines that cross themselves everywhere are left out quickly`() throws {
        // Stars of 200 points, each of whose sides crosses nearly all others.
        let star = (0..<200).map { step -> (Double, Double) in
            let corner = Vector(angle: Double(step * 99 % 200) / 100 * .pi) * 4_000
            return (corner.x, corner.y)
        }
        let stars = String(
            repeating: "<room name='Star'>\(Self.points(star))</room>", count: 20)
        let before = ProcessorTime.ofThisThread()
        let (plan, warnings) = try Self.plan(stars)
        #expect(ProcessorTime.ofThisThread() - before < 20)
        #expect(plan.rooms.isEmpty && warnings.count == 20)
        #expect(warnings.allSatisfy { $0.contains("crosses itself and was left out") })
    }

    /// Two rooms with a wall between them that has a gap of a metre.
    private static let divided =
        room("Hall", (0, 0), (400, 0), (400, 200), (0, 200))
        + room("Living", (0, 210), (400, 210), (400, 500), (0, 500))
            + """
            <wall xStart='-5' yStart='205' xEnd='150' yEnd='205' height='250' thickness='10'/>
            <wall xStart='250' yStart='205' xEnd='405' yEnd='205' height='250' thickness='10'/>
            """

    @Test func `a gap between the ends of two walls is a passage`() throws {
        let (plan, warnings) = try Self.plan(Self.divided)
        let passage = try #require(plan.openings.values.first, "\(warnings)")
        #expect(passage.kind == .passage && passage.width == 1_000 && passage.isRiseUnknown)
        let wall = try #require(plan.walls[passage.wall])
        #expect(wall.length == 1_000 && wall.thickness == 100)
        #expect(warnings.contains("a gap of 1000 mm between walls became a passage"))
    }

    @Test func `a gap up to the side of a wall is a passage, unless it is outside`() throws {
        let (plan, _) = try Self.plan(
            Self.room("Hall", (0, 0), (400, 0), (400, 200), (0, 200))
                + Self.room("Living", (0, 210), (400, 210), (400, 500), (0, 500))
                + "<wall xStart='-5' yStart='205' xEnd='300' yEnd='205' thickness='10'/>"
                + "<wall xStart='405' yStart='-5' xEnd='405' yEnd='505' thickness='10'/>")
        #expect(plan.openings.values.map(\.width) == [1_050])
        let (outside, _) = try Self.plan(
            Self.room("Hall", (0, 0), (400, 0), (400, 200), (0, 200))
                + "<wall xStart='-5' yStart='205' xEnd='150' yEnd='205' thickness='10'/>"
                + "<wall xStart='250' yStart='205' xEnd='405' yEnd='205' thickness='10'/>")
        #expect(outside.openings.isEmpty && outside.walls.count == 2)
    }

    @Test func `a door that is drawn in a gap is placed there`() throws {
        let (plan, warnings) = try Self.plan(
            Self.divided
                + "<doorOrWindow name='Door' x='200' y='205' width='90' depth='10' height='208'>"
                + "<sash xAxis='0.05' width='0.9' startAngle='0' endAngle='-1.57'/></doorOrWindow>")
        let door = try #require(plan.openings.values.first, "\(warnings)")
        #expect(plan.openings.count == 1 && door.kind == .door)
        #expect(door.offset == 50 && door.width == 900)
    }

    @Test func `a glass door that is labelled as a window is a door`() throws {
        func opening(_ name: String, _ attributes: String, sash: Bool = true) throws -> Opening {
            let inside = sash ? "<sash xAxis='0' width='0.9' startAngle='0' endAngle='-1.57'/>" : ""
            let piece =
                "<doorOrWindow name='\(name)' x='200' y='-5' width='91' depth='10' \(attributes)>"
                + "\(inside)</doorOrWindow>"
            return try #require(
                try Self.plan(HomeFileTests.wall + piece).plan.openings.values.first)
        }
        #expect(try opening("Window", "height='205' elevation='3'").kind == .door)
        #expect(try opening("Window", "height='205' elevation='3'").threshold == 30)
        #expect(
            try opening("Slider window", "height='200' elevation='11'", sash: false).kind
                == .slidingDoor)
        #expect(try opening("Window", "height='122' elevation='3'").kind == .door)
        #expect(try opening("Window", "height='122' elevation='10'").kind == .window)
        #expect(try opening("Fixed window", "height='205'", sash: false).kind == .window)
        #expect(try opening("Exterior door", "height='205'").entrance)
    }
}
