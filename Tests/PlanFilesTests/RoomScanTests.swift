import FloorPlan
import Foundation
import Messages
import PlanWriting
import TestSupport
import Testing

@testable import PlanFiles

/// Scans of RoomPlan.
struct RoomScanTests {
    static let folder = Recordings.folder("plan")
    static let missing: Comment = "\(Recordings.variable) names no folder with plans"

    /// A surface with its centre at a place, in metres, turned about the vertical by degrees.
    static func surface(
        _ identifier: String, _ size: (Double, Double, Double),
        at place: (Double, Double, Double), turned degrees: Double = 0, parent: String? = nil,
        category: String = "{\"wall\":{}}", more: String = ""
    ) -> String {
        let (c, s) = (cos(degrees / 180 * .pi), sin(degrees / 180 * .pi))
        let transform = [
            c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, place.0, place.1, place.2, 1,
        ]
        return """
            {"identifier": "\(identifier)", "dimensions": [\(size.0), \(size.1), \(size.2)],
             "transform": \(transform), "category": \(category),
             "parentIdentifier": \(parent.map { "\"\($0)\"" } ?? "null")\(more)}
            """
    }

    /// A room of 4 by 3 m with a door in its southern wall; the walls run in all directions.
    static func room(
        _ more: String = "", doorX: Double = 1.5, height: Double = 2.4, curve: String = ""
    ) -> String {
        let walls = [
            surface("s", (4, height, 0), at: (2, 1.2, 0), more: curve),
            surface("e", (3, height, 0), at: (4, 1.2, -1.5), turned: -90),
            surface("n", (4, height, 0), at: (2, 1.2, -3)),
            surface("w", (3, height, 0), at: (0, 1.2, -1.5), turned: 90),
        ].joined(separator: ",\n")
        let door = surface(
            "d", (0.9, 2, 0), at: (doorX, 1, 0), parent: "s",
            category: "{\"door\":{\"isOpen\":true}}")
        return """
            {"walls": [\(walls)], "doors": [\(door)],
             "sections": [{"label": "bathroom", "center": [2, 0, -1]}]\(more)}
            """
    }

    static func read(_ text: String, thickness: UInt32? = nil) throws -> ImportedPlan {
        var options = PlanFileOptions()
        options.wallThickness = thickness
        return try PlanFile.read(Array(text.utf8), named: "scans/Bad.json", options)
    }

    @Test func `walls that close form a room, and stand outside it`() throws {
        let read = try Self.read(Self.room())
        let plan = FloorPlan(read.items)
        #expect(
            read.warnings == [
                "the file doesn't say whether there is a threshold at door-1; measure it, and "
                    + "say how high it is, or 0, with steward plan change door-1 --threshold MM",
                "the file doesn't say which way a door is hung, so these have their hinges at "
                    + "the start and open to the left of their wall: door-1; say how it is with "
                    + "steward plan change door-1 --hinges END --swing SIDE",
            ])
        #expect(read.details.name == "Bad" && read.details.tolerance == 20)
        #expect(plan.rooms["room-1"]?.squareMetres == 12)
        #expect(plan.rooms["room-1"]?.name == "bathroom")
        #expect(plan.rooms["room-1"]?.use == .bathroom)
        #expect(
            Set(plan.walls.values.flatMap { [$0.from, $0.to] }) == [
                PlanPoint(x: -50, y: -50), PlanPoint(x: 4_050, y: -50),
                PlanPoint(x: 4_050, y: 3_050), PlanPoint(x: -50, y: 3_050),
            ])
        let door = try #require(plan.openings["door-1"])
        #expect(door.width == 900 && door.height == 2_000 && door.sill == 0)
        #expect(door.thresholdUnknown && door.hungUnknown)
        let wall = try #require(plan.walls[door.wall])
        #expect(wall.hole(door).bounds.centre.distance(to: Vector(1_500, -50)) < 1)
    }

    @Test func `a lower edge above the noise of a scan is a threshold, and any other is unknown`()
        throws
    {
        func door(_ lower: Double) throws -> Opening? {
            let read = try Self.read(
                Self.room().replacing(
                    "1.5, 1.0, 0.0, 1.0", with: "1.5, \(1 + lower), 0.0, 1.0"))
            #expect(read.warnings.count { $0.contains("threshold") } == (lower > 0.05 ? 0 : 1))
            return FloorPlan(read.items).openings["door-1"]
        }
        #expect(try door(0.05)?.isRiseUnknown == true)
        let high = try #require(try door(0.12))
        #expect(high.rise == 120 && !high.isRiseUnknown)
    }

    @Test func `a thickness of 0 leaves the walls where the scan has them`() throws {
        let plan = FloorPlan(try Self.read(Self.room(), thickness: 0).items)
        #expect(
            Set(plan.walls.values.flatMap { [$0.from, $0.to] })
                == Set(try #require(plan.rooms["room-1"]).corners))
    }

    private struct Expected: Decodable {
        struct Decoded: Decodable {
            let a: [Double]?
            let b: [Double]?
            let angle_deg: Double?
            let offset_mm: Double?
            let width_mm: Double?
            let perp_mm: Double?
            let sill_mm: Double?
            let c: [Double]?
            let angle: Double?
        }
        let decoded: [String: Decoded]
    }

    @Test(.enabled(if: folder != nil, missing))
    func `a scan is measured to a hundredth of a millimetre`() throws {
        let folder = try #require(Self.folder).appending(path: "roomplan")
        let name = "synthetic_room_4x3_rot30"
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "\(name).json")))
        let expected = try JSONDecoder().decode(
            Expected.self, from: Data(contentsOf: folder.appending(path: "\(name).expected.json")))
        let scan = try RoomScan(bytes, named: name)
        func near(_ a: Double, _ b: Double?, _ least: Double = 0.01) -> Bool {
            b.map { abs(a - $0) <= least } ?? false
        }
        #expect(scan.walls.count + scan.holes.count + scan.things.count == expected.decoded.count)
        for wall in scan.walls {
            let known = try #require(expected.decoded[wall.identifier])
            let (a, b) = (try #require(known.a), try #require(known.b))
            #expect(wall.start.distance(to: Vector(a[0], a[1])) <= 0.01)
            #expect(wall.end.distance(to: Vector(b[0], b[1])) <= 0.01)
            #expect(near(wall.angle, known.angle_deg))
        }
        for hole in scan.holes {
            let known = try #require(expected.decoded[hole.identifier])
            #expect(near(try #require(hole.offset), known.offset_mm))
            #expect(near(try #require(hole.aside), known.perp_mm))
            #expect(near(hole.width, known.width_mm) && near(hole.sill, known.sill_mm))
        }
        for thing in scan.things {
            let known = try #require(expected.decoded[thing.identifier])
            let c = try #require(known.c)
            #expect(thing.centre.distance(to: Vector(c[0], c[1])) <= 0.01)
            #expect(near(thing.angle, known.angle))
        }

        let read = try PlanFile.read(bytes, named: "\(name).json")
        let plan = FloorPlan(read.items)
        #expect(abs(try #require(plan.rooms.values.first).squareMetres - 12) < 0.01)
        #expect(plan.openings.count == 3 && plan.elements.count == 2 && plan.walls.count == 4)
        let again = try PlanFile.read(
            WrittenPlan.native(read.details, read.items), named: "again.nav")
        #expect(again.items == read.items && again.details == read.details)
    }

    @Test func `walls that don't form a room are kept, and the floor is the room`() throws {
        let wall = Self.surface("s", (4, 2.4, 0), at: (2, 1.2, 0))
        let floor = """
            {"dimensions": [4, 3, 0], "transform": [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 2, 0,
            -1.5, 1], "polygonCorners": [[-2, -1.5, 0], [2, -1.5, 0], [2, 1.5, 0], [-2, 1.5, 0]]}
            """
        let read = try Self.read("{\"walls\": [\(wall)], \"floors\": [\(floor)]}")
        let plan = FloorPlan(read.items)
        #expect(
            plan.rooms["room-1"]?.corners == [
                PlanPoint(), PlanPoint(x: 4_000, y: 0), PlanPoint(x: 4_000, y: 3_000),
                PlanPoint(x: 0, y: 3_000),
            ])
        #expect(plan.walls["wall-1"]?.end == PlanPoint(x: 4_000, y: 0))
        #expect(read.warnings.first?.contains("closes no room") == true)
    }

    @Test(arguments: [
        (
            "\"dimensions\": [4.0, 2.4, 0.0]", "\"dimensions\": [4.0, 2.4]",
            "dimensions has 2 numbers"
        ),
        ("4.0, 2.4", "\"4.0\", 2.4", "walls[0].dimensions[0] isn't a number"),
        ("4.0, 2.4", "-4.0, 2.4", "walls[0].dimensions has a size that isn't from 0 to 200 m"),
        ("4.0, 2.4", "1e308, 2.4", "walls[0].dimensions has a size that isn't from 0 to 200 m"),
        ("2.0, 1.2, 0.0, 1.0", "2000.0, 1.2, 0.0, 1.0", "walls[0].transform is farther than 1 km"),
        ("[1.0, 0.0", "[7.0, 0.0", "walls[0].transform isn't a turn and a move"),
        ("\"walls\": [{", "\"walls\": [5, {", "walls[0] isn't an object"),
        ("\"dimensions\"", "\"dimension\"", "walls[0].dimensions is missing"),
        ("\"walls\"", "\"walls\": [], \"wall\"", "walls has none; scan the room again"),
        (
            "}]", "}",
            "line 12 isn't well-formed JSON: there is “:” where a comma or an end is expected"
        ),
        ("{", "{\n\n,", "line 3 isn't well-formed JSON: there is “,” where a key is expected"),
        ("{", "{\n{", "line 2 isn't well-formed JSON: there is “{” where a key is expected"),
        ("{", "{}\n{", "line 2 isn't well-formed JSON: something follows its end"),
    ])
    func `what isn't a scan is refused with its path`(old: String, new: String, words: String) {
        var text = Self.room()
        if let range = text.range(of: old) { text.replaceSubrange(range, with: new) }
        expectRefusal(text, words)
    }

    @Test func `one of several storeys is chosen`() throws {
        let walls = [0, 1].map {
            Self.surface("\($0)", (4, 2.4, 0), at: (2, 1.2, 0), more: ", \"story\": \($0)")
        }.joined(separator: ",")
        let text = "{\"walls\": [\(walls)]}"
        expectRefusal(text, "walls are of 2 storeys", "--level: 0, 1")
        var options = PlanFileOptions()
        options.level = "1"
        let read = try PlanFile.read(Array(text.utf8), named: "a.json", options)
        #expect(FloorPlan(read.items).walls.count == 1)
    }
}
