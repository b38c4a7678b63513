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
        let bounds = Bounds(corners.map(\.vector))
        for room in repair.rooms {
            let outline = Polygon(room.map(\.vector))
            #expect(!outline.crossesItself && outline.area >= 10_000)
            #expect(room.allSatisfy { bounds.meets(Bounds([$0.vector])) })
        }
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
        #expect(passage.kind == .passage && passage.width == 1_000)
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
