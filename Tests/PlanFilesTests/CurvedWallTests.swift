import FloorPlan
import Foundation
import Messages
import PlanWriting
import TestSupport
import Testing

@testable import PlanFiles

/// Walls that are arcs, in scans.
struct CurvedWallTests {
    /// A room of 4 by 3 m whose southern wall is an arc. The radius is in metres, and the centre is
    /// given in the wall's own X and Z.
    static func room(
        about z: Double, radius: Double = 2.5, angles: (Double, Double), door: String = "",
        unit: String = "{\"symbol\": \"°\", \"converter\": {\"constant\": 0, \"coefficient\": 1}}"
    ) -> String {
        let curve = """
            , "curve": {"center": [0, \(z)], "radius": \(radius),
            "startAngle": {"value": \(angles.0), "unit": \(unit)},
            "endAngle": {"value": \(angles.1), "unit": \(unit)}}
            """
        let walls = [
            RoomScanTests.surface("s", (4, 2.4, 0), at: (2, 1.2, 0), more: curve),
            RoomScanTests.surface("e", (3, 2.4, 0), at: (4, 1.2, -1.5), turned: -90),
            RoomScanTests.surface("n", (4, 2.4, 0), at: (2, 1.2, -3)),
            RoomScanTests.surface("w", (3, 2.4, 0), at: (0, 1.2, -1.5), turned: 90),
        ].joined(separator: ",")
        return "{\"walls\": [\(walls)], \"doors\": [\(door)]}"
    }

    static func door(_ x: Double, _ z: Double, width: Double = 0.9) -> String {
        RoomScanTests.surface(
            "d", (width, 2, 0), at: (x, 1, z), parent: "s",
            category: "{\"door\":{\"isOpen\":false}}")
    }

    /// Half the angle, in degrees, at which 4 m are seen from 2.5 m away.
    static let half = asin(0.8) / .pi * 180

    /// The wall bulges out of the room to the south, which is where Z points.
    static func outwards(_ door: String = "") -> String {
        room(about: -1.5, angles: (90 + half, 90 - half), door: door)
    }

    /// The wall bulges into the room.
    static func inwards(_ door: String = "") -> String {
        room(about: 1.5, angles: (270 - half, 270 + half), door: door)
    }

    /// How far the midpoints of the southern wall's pieces are from its arc, in millimetres.
    static func offsets(_ plan: FloorPlan) throws -> [Double] {
        let outline = try #require(plan.rooms["room-1"]).polygon
        return outline.sides.filter { max($0.start.y, $0.end.y) <= 0 }.map {
            abs(2_500 - (($0.start + $0.end) * 0.5).distance(to: Vector(2_000, 1_500)))
        }
    }

    @Test func `a curved wall becomes straight walls within 5 mm of its arc`() throws {
        let read = try RoomScanTests.read(Self.outwards(), thickness: 0)
        let plan = FloorPlan(read.items)
        #expect(
            read.warnings == ["walls[0]: is an arc and became 15 straight walls within 5 mm of it"])
        // Those of the scan and of the straight walls.
        #expect(read.details.tolerance == 20 + 5)
        let offsets = try Self.offsets(plan)
        #expect(offsets.count == 15 && offsets.allSatisfy { $0 < 6 })
        // The room and the part of the circle beyond the chord: r²/2 · (α - sin α).
        let alpha = 2 * asin(0.8)
        let area = 12 + 3.125 * (alpha - sin(alpha))
        #expect(abs(try #require(plan.rooms["room-1"]).squareMetres - area) < 0.05)
        let again = try PlanFile.read(
            WrittenPlan.native(read.details, read.items), named: "again.nav")
        #expect(again.items == read.items && again.details == read.details)
    }

    @Test(arguments: [true, false])
    func `walls of an arc are joined to each other and to their neighbours`(isOut: Bool) throws {
        let text = isOut ? Self.outwards() : Self.inwards()
        let walls = FloorPlan(try RoomScanTests.read(text).items).walls.values
        for wall in walls {
            #expect(walls.count { $0.from == wall.to } == 1)
            #expect(walls.count { $0.to == wall.from } == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a door in an arc lies in one straight wall and keeps its width`(isOut: Bool) throws {
        let middle = isOut ? Self.door(2, 1) : Self.door(2, -1)
        let read = try RoomScanTests.read(isOut ? Self.outwards(middle) : Self.inwards(middle))
        let plan = FloorPlan(read.items)
        let unmeasured = read.warnings.filter { $0.hasPrefix("the file doesn't say") }
        #expect(read.warnings.count == 1 + unmeasured.count, "\(read.warnings)")
        let door = try #require(plan.openings["door-1"])
        #expect((898...900).contains(door.width), "\(door.width)")
        let hole = try #require(plan.walls[door.wall]).hole(door).bounds.centre
        #expect(abs(hole.x - 2_000) < 3, "\(hole)")
    }

    @Test func `adjacent doors at the end of an arc are kept`() throws {
        let doors = [(0.35, 0.35), (1.7, 0.98), (2.5, 0.95)].map {
            Self.door($0.0, $0.1, width: 0.75)
        }
        let read = try RoomScanTests.read(Self.outwards(doors.joined(separator: ",")))
        let openings = FloorPlan(read.items).openings.values
        #expect(openings.count == 3 && openings.allSatisfy { $0.width > 700 }, "\(read.warnings)")
    }

    @Test func `a door that lies beyond the ends of its arc is named`() throws {
        let read = try RoomScanTests.read(Self.outwards(Self.door(9, 1)))
        #expect(
            read.warnings.contains(
                "doors[0]: “door” stands past the end of its wall and was left out"))
    }

    @Test(arguments: [
        room(about: -1.5, radius: 4, angles: (90 + half, 90 - half)),
        room(about: -1.5, angles: (10, 20)),
        room(about: -1.5, angles: (90 + half, 90 - half), unit: "{\"symbol\": \"gon\"}"),
        room(about: 1e300, radius: 1e300, angles: (1e300, 0)),
        RoomScanTests.room(curve: ", \"curve\": {\"radius\": 3}"),
    ])
    func `a curve that doesn't fit its wall becomes straight, with a warning`(text: String) throws {
        let read = try RoomScanTests.read(text)
        #expect(FloorPlan(read.items).walls.count == 4)
        #expect(read.warnings.filter { !$0.hasPrefix("the file doesn't say") }.count == 1)
        #expect(read.warnings.first?.hasPrefix("walls[0]: is curved, but the file") == true)
    }

    @Test func `a curve in radians is read as one in degrees`() throws {
        let (from, to) = ((90 + Self.half) / 180 * .pi, (90 - Self.half) / 180 * .pi)
        let read = try RoomScanTests.read(
            Self.room(about: -1.5, angles: (from, to), unit: "{\"symbol\": \"rad\"}"))
        #expect(read.items == (try RoomScanTests.read(Self.outwards()).items))
    }

    @Test(arguments: [(180.0, 0.0, -2_000.0), (180, 360, 2_000)])
    func `a semicircle bulges to its middle`(
        from: Double, to: Double, y: Double
    ) throws {
        let read = try RoomScanTests.read(
            Self.room(about: 0, radius: 2, angles: (from, to)), thickness: 0)
        let outline = try #require(FloorPlan(read.items).rooms["room-1"]).polygon
        #expect(outline.distanceToOutline(from: Vector(2_000, y)) < 6)
    }

    @Test func `an arc and one straight wall form a room`() throws {
        let degrees = { (angle: Int) in "{\"value\": \(angle), \"unit\": {\"symbol\": \"°\"}}" }
        let arc = RoomScanTests.surface(
            "a", (4, 2.4, 0), at: (2, 1.2, 0),
            more: ", \"curve\": {\"center\": [0, 0], \"radius\": 2, "
                + "\"startAngle\": \(degrees(180)), \"endAngle\": \(degrees(360))}")
        let chord = RoomScanTests.surface("b", (4, 2.4, 0), at: (2, 1.2, 0.01))
        let both = "{\"walls\": [\(arc), \(chord)]}"
        let room = try #require(FloorPlan(try RoomScanTests.read(both).items).rooms["room-1"])
        #expect(abs(room.squareMetres - 2 * .pi) < 0.1)
    }

    @Test(arguments: Seed.some(200))
    func `any arc is approximated to within 5 mm, and openings lie in one piece`(seed: Seed) throws
    {
        var seed = seed
        let start = Vector(Double(seed.below(9_000)), Double(seed.below(9_000)))
        let end =
            start + Vector(angle: Double(seed.below(628)) / 100) * Double(100 + seed.below(9_000))
        let extent = Double(seed.below(12_000) - 6_000) / 1_000
        guard abs(extent) > 0.01 else { return }
        let arc = try #require(Arc(from: start, to: end, extent: extent))
        let openings = (0..<seed.below(4)).map { _ in
            let from = Double(seed.below(7_000) - 500) / 1_000
            return from...from + Double(seed.below(600)) / 1_000
        }
        let corners = arc.corners(openings: openings)
        #expect(corners.first == start && corners.last == end)
        // If e is the angle at the centre, the radius is L/2 / sin(e/2).
        let radius = start.distance(to: end) / 2 / abs(sin(extent / 2))
        let turns = zip(corners, corners.dropFirst()).map {
            2 * asin(min($0.distance(to: $1) / 2 / radius, 1))
        }
        #expect(abs(turns.reduce(0, +) - abs(extent)) < 0.1 * Double(openings.count) + 1e-3)
        let isLong = turns.map { radius * (1 - cos($0 / 2)) > Double(max(arc.deviation, 5)) + 0.01 }
        #expect(isLong.count { $0 } <= openings.count)
    }
}
