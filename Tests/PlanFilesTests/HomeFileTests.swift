import CZip
import FloorPlan
import Foundation
import Messages
import TestSupport
import Testing

@testable import PlanFiles

/// Homes of Sweet Home 3D.
struct HomeFileTests {
    /// A home with these elements; centimetres.
    static func home(_ inside: String) -> String {
        "<?xml version='1.0'?>\n<home version='7000' name='My home.sh3d' wallHeight='240.0'>\n"
            + inside + "\n</home>"
    }

    static func read(_ inside: String, level: String? = nil) throws -> ImportedPlan {
        var options = PlanFileOptions()
        options.level = level
        return try PlanFile.read(Array(home(inside).utf8), named: "Home.xml", options)
    }

    static let wall =
        "<wall id='w' xStart='0' yStart='-5' xEnd='400' yEnd='-5' height='250' thickness='10'/>"

    @Test func `a wall, a room and furniture are read with y to the north`() throws {
        let read = try Self.read(
            """
            \(Self.wall)
            <room name='Bedroom'><point x='0' y='0'/><point x='400' y='0'/>
            <point x='400' y='300'/><point x='0' y='300'/></room>
            <pieceOfFurniture catalogId='eTeks#bed90x190' name='Single &lt;bed&gt; 🛏' x='60'
              y='100' angle='1.5707964' width='90' depth='200' height='50' elevation='1.5'/>
            """)
        #expect(read.details.name == "My home")
        #expect(read.warnings == [])
        #expect(
            read.items == [
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall-1", start: PlanPoint(x: 0, y: 50),
                            end: PlanPoint(x: 4_000, y: 50), thickness: 100, height: 2_500))),
                PlanItem(
                    item: .room(
                        Room(
                            id: "room-1", name: "Bedroom", use: .bedroom,
                            corners: [
                                PlanPoint(), PlanPoint(x: 4_000, y: 0),
                                PlanPoint(x: 4_000, y: -3_000), PlanPoint(x: 0, y: -3_000),
                            ], height: 2_500))),
                PlanItem(
                    item: .element(
                        Element(
                            id: "bed-1", kind: .bed, label: "Single <bed> 🛏",
                            centre: PlanPoint(x: 600, y: -1_000), width: 900, depth: 2_000,
                            height: 500, elevation: 15, angle: 270_000))),
            ])
    }

    /// A home with a bit of everything.
    static let furnished =
        wall + door() + door(x: 250, name: "Front door")
            + """
            <room name='Bedroom'><point x='0' y='0'/><point x='400' y='0'/>
            <point x='400' y='300'/><point x='0' y='300'/></room>
            <wall xStart='0' yStart='0' xEnd='0' yEnd='300' thickness='10' arcExtent='0.7'/>
            <furnitureGroup><pieceOfFurniture name='Table' x='60' y='100' angle='1' width='90'
            depth='200' height='50' elevation='1.5'/><light x='1' y='2' width='9' depth='9'/>
            </furnitureGroup><level id='l' name='Ground'/><label/>
            """

    /// The catalogue's door, whose part in the wall is behind its centre.
    private static func door(
        _ attributes: String = "", x: Double = 100, angle: String = "0", name: String = "Door"
    ) -> String {
        """
        <doorOrWindow catalogId='eTeks#openDoor' name='\(name)' x='\(x)' y='24.15' width='91.5' \
        depth='68' height='208.5' angle='\(angle)' wallThickness='0.11029412' \
        wallDistance='0.014705882' \(attributes)><sash xAxis='0.05464481' yAxis='0.125' \
        width='0.89071035' startAngle='0.0' endAngle='-1.5707964'/></doorOrWindow>
        """
    }

    @Test func `a door stands in the wall where its frame is, not where its middle is`() throws {
        let door = try #require(
            FloorPlan(try Self.read(Self.wall + Self.door()).items).openings["door-1"])
        #expect(door.wall == "wall-1" && door.kind == .door)
        #expect(door.offset == 543 && door.width == 915)
        #expect(door.leafWidth == 815 && door.passage.width == 764)
        // Its hinges are on the left as seen from its front, and it opens towards the front.
        #expect(!door.hingesAtEnd && door.swingsRight && !door.hungUnknown)
    }

    @Test func `a frame's width is its outer width, and its clear width is estimated`()
        throws
    {
        func opening(_ name: String, _ width: Double, sashes: [Double] = []) throws -> Opening {
            let inside = sashes.map {
                "<sash xAxis='0' width='\($0)' startAngle='0' endAngle='-1'/>"
            }
            let piece =
                "<doorOrWindow name='\(name)' x='200' y='-5' width='\(width)' depth='10' "
                + "height='210'>\(inside.joined())</doorOrWindow>"
            let plan = FloorPlan(try Self.read(Self.wall + piece).items)
            return try #require(plan.openings["door-1"])
        }
        let frame = try opening("Door frame", 91.5)
        #expect(frame.kind == .passage && frame.width == 915)
        #expect(frame.passage == (757, false))
        let door = try opening("Door", 91.5)
        #expect(door.passage == (757, false) && door.hungUnknown)
        // The door has two sliding sashes, one in front of the other.
        let sliding = try opening("Sliding door", 176, sashes: [0.5, 0.5])
        #expect(sliding.kind == .slidingDoor && sliding.passage == (880 - 51, false))
        let double = try opening("Double door", 132, sashes: [0.4810606, 0.4810606])
        // Only one leaf has to open.
        #expect(double.passage == (635 - 51, false) && double.leafWidth == 1_270)
        #expect(!sliding.hungUnknown && !double.hungUnknown)
        let unequal = try opening("Double door", 132, sashes: [0.25, 0.7])
        #expect(unequal.passage == (924 - 51, false))
    }

    @Test(arguments: [("0", 0, true), ("2", 0, true), ("2.5", 0, true), ("2.6", 26, false)])
    func `a home doesn't say how high a threshold of up to 25 mm is`(
        elevation: String, rise: UInt32, isUnknown: Bool
    ) throws {
        let read = try Self.read(Self.wall + Self.door("elevation='\(elevation)'"))
        let door = try #require(FloorPlan(read.items).openings["door-1"])
        #expect(door.rise == rise && door.isRiseUnknown == isUnknown)
        #expect(read.warnings.contains { $0.contains("a threshold at door-1") } == isUnknown)
    }

    @Test func `reading a home reports a door that furniture keeps from opening`() throws {
        let read = try Self.read(
            Self.wall + Self.door()
                + "<pieceOfFurniture name='Chest' x='80' y='60' width='30' depth='60'/>")
        #expect(
            read.warnings.contains {
                $0.contains("door “Door” opens against “Chest”") && $0.contains("mm clear")
            }, "\(read.warnings)")
    }

    @Test func `a mirrored door has its hinges at the other end`() throws {
        let items = try Self.read(Self.wall + Self.door("modelMirrored='true'")).items
        let door = try #require(FloorPlan(items).openings["door-1"])
        #expect(door.hingesAtEnd && door.swingsRight)
    }

    @Test func `doors that overlap slightly are made narrower`() throws {
        let read = try Self.read(Self.wall + Self.door(x: 100) + Self.door(x: 190.9))
        let doors = FloorPlan(read.items).openings(in: "wall-1")
        #expect(doors.count == 2)
        #expect(doors[0].endOffset <= doors[1].offset)
        // The other is about their thresholds.
        #expect(read.warnings.count == 2 && read.warnings[0].contains("overlapped “Door” by 6 mm"))
    }

    @Test func `a frame that is cut at the end of its wall is narrower inside too`() throws {
        let frame =
            "<doorOrWindow name='Door frame' x='45' y='-5' width='100' depth='10' height='210'/>"
        let read = try Self.read(Self.wall + frame)
        let opening = try #require(FloorPlan(read.items).openings["door-1"])

        // 827 mm of 1000 are free, so 785 of 950.
        #expect(opening.width == 950 && opening.passage == (785, false))
    }

    @Test func `of two doors in the same hole the one with a leaf is kept`() throws {
        let frame =
            "<doorOrWindow name='Door frame' x='101' y='-5' width='93' depth='10' height='210'/>"
        let read = try Self.read(Self.wall + frame + Self.door(x: 100))
        #expect(FloorPlan(read.items).openings.values.map(\.label) == ["Door"])
        #expect(read.warnings.first?.contains("stands in the hole of “Door”") == true)
    }

    @Test func `a door in no wall is left out, with a warning`() throws {
        let read = try Self.read(Self.wall + Self.door(angle: "1.5707964"))
        #expect(FloorPlan(read.items).openings.isEmpty)
        #expect(read.warnings.first?.contains("“Door” stands in no wall") == true)
    }

    @Test func `a front door is an entrance, and an opening above the floor is a window`() throws {
        let window =
            "<doorOrWindow name='Window' x='300' y='-5' width='80' depth='10' height='120' "
            + "elevation='90'/>"
        let plan = FloorPlan(
            try Self.read(Self.wall + Self.door(name: "Front door") + window).items)
        #expect(plan.openings["door-1"]?.entrance == true)
        #expect(plan.openings["window-1"]?.kind == .window)
        #expect(plan.openings["window-1"]?.sill == 900)
        #expect(plan.openings["window-1"]?.offset == 2_600)
    }

    @Test func `an arc becomes straight walls within 5 mm of it`() throws {
        let read = try Self.read(
            "<wall xStart='0' yStart='0' xEnd='400' yEnd='0' thickness='10' "
                + "arcExtent='3.1415927'/>")
        let walls = read.items.compactMap {
            if case .wall(let wall) = $0.item { wall } else { nil }
        }
        #expect(walls.count > 10)
        #expect(walls.first?.start == PlanPoint() && walls.last?.end == PlanPoint(x: 4_000, y: 0))
        for wall in walls {
            let middle = (wall.line.start + wall.line.end) * 0.5
            let radius = middle.distance(to: Vector(2_000, 0))
            #expect(radius > 1_994 && radius < 2_001)
            // Clockwise about a centre to the right: the arc is to the left.
            #expect(middle.y > 0)
        }
        #expect(read.warnings.first?.contains("is an arc and became") == true)
        #expect(read.details.tolerance == 5)
    }

    @Test func `a window in an arc lies in one straight wall and keeps its width`() throws {
        let read = try Self.read(
            "<wall xStart='0' yStart='0' xEnd='400' yEnd='0' thickness='10' "
                + "arcExtent='3.1415927'/><doorOrWindow name='Window' x='200' y='-200' width='120' "
                + "depth='10' height='120' elevation='90' angle='0'/>")
        let plan = FloorPlan(read.items)
        let window = try #require(plan.openings["window-1"], "\(read.warnings)")
        #expect((1_199...1_200).contains(window.width) && read.warnings.count == 1)
    }

    @Test func `more arcs than a plan has room for are refused before they are drawn`() {
        let arc = "<wall xStart='0' yStart='0' xEnd='400' yEnd='0' arcExtent='3'/>"
        expectRefusal(
            "<home>" + String(repeating: arc, count: 30_000) + "</home>", "a plan has at most 10000"
        )
    }

    @Test(.enabled(if: BoligFileTests.folder != nil, BoligFileTests.missing))
    func `the arc of a real home runs along its room`() throws {
        let file = try #require(BoligFileTests.folder)
            .appending(path: "sh3d/1-BedroomApartment.Home.xml")
        let read = try PlanFile.read([UInt8](Data(contentsOf: file)), named: "Home.xml")
        let plan = FloorPlan(read.items)
        let room = try #require(plan.rooms.values.first { $0.name == "Living room" })
        let along = room.corners.map(\.vector).filter {
            $0.x > 2_000 && $0.x < 4_500 && $0.y < -9_000
        }
        #expect(along.count == 10)
        for corner in along {
            let nearest = plan.walls.values.map { $0.line.distance(to: corner) }.min() ?? 0
            // The corner is half the wall's thickness of 220 mm away.
            #expect(abs(nearest - 110) < 8, "\(nearest)")
        }
    }

    private static let storeys = """
        <level id='l0' name='Ground floor' elevation='0' floorThickness='12' height='250'/>
        <level id='l1' name='Upper floor' elevation='262' floorThickness='12' height='250'/>
        <wall level='l0' xStart='0' yStart='0' xEnd='400' yEnd='0' thickness='10'/>
        <wall level='l1' xStart='0' yStart='0' xEnd='500' yEnd='0' thickness='10'/>
        """

    @Test func `a file with several storeys is refused with their names unless one is chosen`()
        throws
    {
        let read = try Self.read(Self.storeys, level: "Upper floor")
        #expect(read.items.count == 1)
        #expect(FloorPlan(read.items).walls["wall-1"]?.length == 5_000)
        expectRefusal(
            Self.home(Self.storeys), "2 storeys", "--level: “Ground floor”, “Upper floor”")
        var options = PlanFileOptions()
        options.level = "Cellar"
        expectRefusal(Self.home(Self.storeys), "no storey “Cellar”", options: options)
    }

    @Test(arguments: [
        ("<wall xStart='0' yStart='0' xEnd='1e9' yEnd='0'/>", "<wall> has xEnd=1000000000.0"),
        ("<wall xStart='0' yStart='0' xEnd='4'/>", "line 3, column 1, <wall> has no yEnd"),
        ("<pieceOfFurniture x='0' y='0' width='-1' depth='5'/>", "has no width above 0"),
        ("<pieceOfFurniture x='0' y='0' width='5'/>", "has no depth above 0"),
        ("<pieceOfFurniture x='0' y='0' width='1e5' depth='5'/>", "a size is from 0 to 20000 cm"),
        (
            "<pieceOfFurniture x='a' y='0' width='5' depth='5'/>",
            "has x=\"a\", which isn't a number"
        ),
        (
            "<pieceOfFurniture x='0' y='0' width='5' depth='5' angle='1e300'/>",
            "which isn't an angle in radians"
        ),
        ("<wall xStart='0' yStart='0' xEnd='4' yEnd='0' thickness='201'/>", "thicker than 2 m"),
    ])
    func `a number out of range is refused with its place`(inside: String, words: String) {
        expectRefusal(Self.home(inside), words)
    }

    @Test func `a room that crosses itself becomes two, with a warning`() throws {
        let read = try Self.read(
            "<room name='Bow'><point x='0' y='0'/><point x='400' y='300'/>"
                + "<point x='400' y='0'/><point x='0' y='200'/></room>")
        let rooms = FloorPlan(read.items).rooms.values.sorted { $0.name < $1.name }
        #expect(rooms.map(\.name) == ["Bow", "Bow 2"])
        // The sides cross at (160, 120) cm.
        #expect(rooms.allSatisfy { $0.corners.contains(PlanPoint(x: 1_600, y: -1_200)) })
        #expect(
            read.warnings.first?.hasSuffix(
                "“Bow” has an outline that crosses itself and was mended; it became 2 rooms")
                == true)
    }

    @Test(arguments: [("2", 0), ("2.1", 1), ("15", 1), ("210", 1)])
    func `a shower that is higher than 20 mm is in the way, and the import says so`(
        height: String, warnings: Int
    ) throws {
        let read = try Self.read(
            "<pieceOfFurniture name='Shower' x='0' y='0' width='90' depth='90' "
                + "height='\(height)'/>")
        let shower = try #require(FloorPlan(read.items).elements["shower-1"])
        #expect(shower.kind == .shower && shower.isSolid == (warnings == 1))
        #expect(read.warnings.count == warnings)
        #expect(read.warnings.allSatisfy { $0.contains("change shower-1 --height 0") })
    }

    @Test func `invisible things and mere drawings are reported`() throws {
        let read = try Self.read(
            "<label/><dimensionLine/><dimensionLine/>"
                + "<pieceOfFurniture x='0' y='0' width='5' depth='5' visible='false'/>")
        #expect(
            read.warnings == [
                "1 invisible piece was left out",
                "2 dimension lines were left out; a plan has none of its own",
                "1 label was left out; a plan has none of its own",
            ])
    }

    @Test func `a home in a zip is read, and a zip without one is refused`() throws {
        let zip = try Zip.bytes(["Home.xml": Array(Self.home(Self.wall).utf8), "0": [1, 2]])
        #expect(try PlanFile.read(zip, named: "a.sh3d").items.count == 1)
        let other = try Zip.bytes(["model.usda": [1]])
        let refusal = #expect(throws: Refusal.self) { try PlanFile.read(other, named: "a.usdz") }
        #expect(refusal?.message.contains("has no entry Home.xml") == true)
        let broken = #expect(throws: Refusal.self) {
            try PlanFile.read(Array(zip.prefix(zip.count - 30)), named: "a.sh3d")
        }
        #expect(broken?.message.contains("is not a whole zip") == true)
    }

    @Test func `a zip bomb is refused`() throws {
        let bomb = try Zip.bytes(["Home.xml": Array(repeating: 32, count: 40 << 20)])
        #expect(bomb.count < 100_000)
        let refusal = #expect(throws: Refusal.self) { try PlanFile.read(bomb, named: "a.sh3d") }
        #expect(refusal?.message.contains("unpacks to more than 32 MiB") == true)
    }
}

/// Makes zip archives.
enum Zip {
    /// The bytes of an archive with these entries.
    static func bytes(_ entries: [String: [UInt8]]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "plan-\(UUID().uuidString).zip")
        defer { try? FileManager.default.removeItem(at: file) }
        var code: Int32 = 0
        let zip = try #require(zip_open(file.path, ZIP_CREATE, &code))
        for (name, bytes) in entries.sorted(by: { $0.key < $1.key }) {
            let copy = UnsafeMutableRawPointer(
                UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1)))
            copy.copyMemory(from: bytes, byteCount: bytes.count)
            let source = zip_source_buffer(zip, copy, UInt64(bytes.count), 0)
            try #require(zip_file_add(zip, name, source, UInt32(ZIP_FL_ENC_UTF_8)) >= 0)
        }
        try #require(zip_close(zip) == 0)
        return [UInt8](try Data(contentsOf: file))
    }
}
