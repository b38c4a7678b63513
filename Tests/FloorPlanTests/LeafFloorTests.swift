import Messages
import Testing

@testable import FloorPlan

/// A leaf turns no farther than to the walls of the room that it opens into, drawn or not.
struct LeafFloorTests {
    /// A wall with its northern face at y = 0.
    private static let south = Wall(
        id: "south", start: PlanPoint(x: 0, y: -50), end: PlanPoint(x: 4_000, y: -50),
        thickness: 100)

    /// A door that opens to the north. With a leaf of 826 mm its hinges are at (1037, 0), and it
    /// leaves 775 mm clear.
    private static func door(at offset: UInt32 = 1_000, leaf: UInt32? = 826) -> Opening {
        Opening(
            id: "door", wall: "south", kind: .door, offset: offset, width: 900, leafWidth: leaf)
    }

    private static func room(_ id: String, _ corners: [(Int32, Int32)]) -> PlanItem {
        PlanItem(
            item: .room(Room(id: id, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })))
    }

    private static func hall(
        _ id: String = "hall", from y: Int32 = 0, to depth: Int32, west: Int32 = 0,
        east: Int32 = 4_000
    ) -> PlanItem {
        room(id, [(west, y), (east, y), (east, depth), (west, depth)])
    }

    private static func plan(_ items: [PlanItem], _ door: Opening = door()) -> FloorPlan {
        FloorPlan([PlanItem(item: .wall(south)), PlanItem(item: .opening(door))] + items)
    }

    private static func stop(_ items: [PlanItem], _ door: Opening = door()) -> DoorStop? {
        plan(items, door).doorStops()["door"]?.first
    }

    @Test func `the opposite wall of a corridor stops a leaf that is wider than the corridor`()
        throws
    {
        // The leaf meets it at asin(800.5 / 826), less the cosine of which 571 of 775 mm are left.
        let stop = try #require(Self.stop([Self.hall(to: 800)]))
        #expect(stop.id == "hall" && stop.degrees == 75 && stop.passage == 571)
        #expect(Self.stop([Self.hall(to: 825)])?.passage == 746)
        #expect(Self.stop([Self.hall(to: 826)]) == nil)

        // A wall that is drawn there is named.
        let north = Wall(
            id: "north", start: PlanPoint(x: 4_000, y: 850), end: PlanPoint(x: 0, y: 850),
            thickness: 100)
        let named = Self.stop([Self.hall(to: 800), PlanItem(item: .wall(north))])
        #expect(named?.id == "north" && named?.passage == 571)
    }

    @Test func `a corner that protrudes into the room stops a leaf`() throws {
        let jog: [(Int32, Int32)] = [
            (0, 0), (4_000, 0), (4_000, 3_000), (1_600, 3_000), (1_600, 600), (0, 600),
        ]
        // It is 563 mm to the east and 600 mm to the north of the hinges.
        let stop = try #require(Self.stop([Self.room("hall", jog)]))
        #expect(stop.degrees == 46 && stop.passage == 210)
    }

    @Test(arguments: [-5, 0, 5] as [Int32])
    func `a door in a corner opens by a right angle, however imprecisely it is drawn`(
        off: Int32
    ) throws {
        let whole = Self.door(at: 0, leaf: nil)
        #expect(Self.stop([Self.hall(to: 3_000, west: off)], whole) == nil)
        #expect(Self.stop([Self.hall(to: 3_000, east: 900 + off)], whole) == nil)
        for clear in [860, 900] as [UInt32] {
            var measured = whole
            measured.clearWidth = clear
            #expect(Self.stop([Self.hall(to: 3_000, east: 900 + off)], measured) == nil)
        }
        let skewed: [(Int32, Int32)] = [(0, 0), (3_000, 0), (3_000, 3_000), (1, 3_000)]
        #expect(Self.stop([Self.room("hall", skewed)], whole) == nil)
        // Nor does the face of its own wall stop it.
        let tilted: [(Int32, Int32)] = [(0, off), (3_000, -off), (3_000, 3_000), (0, 3_000)]
        #expect(Self.stop([Self.room("hall", tilted)], whole) == nil)
        #expect(Self.stop([Self.hall(from: 90 + off, to: 3_000)], whole) == nil)
    }

    @Test func `a wall in the clear width of a door keeps it shut`() {
        // Of 900 mm 769 are clear, in the middle.
        let whole = Self.door(at: 0, leaf: nil)
        #expect(Self.stop([Self.hall(to: 3_000, east: 850)], whole) == nil)
        #expect(Self.stop([Self.hall(to: 3_000, east: 800)], whole)?.passage == 0)
    }

    @Test(arguments: [0, 5] as [Int32])
    func `a wall that leans over the doorway stops a leaf at its angle`(off: Int32) throws {
        let corners: [(Int32, Int32)] = [
            (off, 0), (3_000, 0), (3_000, 3_000), (1_732 + off, 3_000),
        ]
        let stop = try #require(
            Self.stop([Self.room("hall", corners)], Self.door(at: 0, leaf: nil)))
        #expect(stop.degrees == 60 && stop.passage == 319)
    }

    @Test func `a leaf turns over the floor of another room, and as far as its walls`() {
        #expect(
            Self.stop([Self.hall(to: 800), Self.hall("living", from: 800, to: 4_000)]) == nil)
        let halves = [Self.hall(to: 400), Self.hall("other", from: 400, to: 800)]
        #expect(Self.stop(halves)?.passage == 571)
        // With a wall between them it doesn't.
        let apart = [Self.hall(to: 800), Self.hall("living", from: 900, to: 4_000)]
        #expect(Self.stop(apart)?.passage == 571)
    }

    @Test func `a leaf turns into a passage without a leaf, unless it meets its edge`() {
        func stop(_ offset: UInt32, _ width: UInt32, _ kind: OpeningKind = .passage) -> DoorStop? {
            let north = Wall(
                id: "north", start: PlanPoint(x: 0, y: 850), end: PlanPoint(x: 4_000, y: 850),
                thickness: 100)
            let opening = Opening(
                id: "opening", wall: "north", kind: kind, offset: offset, width: width)
            return Self.stop([
                Self.hall(to: 800), Self.hall("living", from: 900, to: 4_000),
                PlanItem(item: .wall(north)), PlanItem(item: .opening(opening)),
            ])
        }
        #expect(stop(500, 2_000) == nil)
        #expect(stop(500, 2_000, .window)?.degrees == 75)
        #expect(stop(1_100, 1_400)?.degrees == 85)
    }

    @Test func `a leaf that opens where no room is drawn isn't stopped by one`() {
        var outwards = Self.door()
        outwards.swingsRight = true
        #expect(Self.stop([Self.hall(to: 800)], outwards) == nil)
    }

    @Test func `a chair gets through a door only as far as its leaf opens`() throws {
        var entrance = Self.door()
        entrance.entrance = true
        func doors(_ depth: Int32) -> [Dwelling.NarrowDoor] {
            Dwelling(Self.plan([Self.hall(to: depth)], entrance)).doors(tooNarrowFor: 700)
        }
        #expect(doors(900) == [])
        #expect(
            doors(800) == [
                .init(
                    id: "door", passage: 571, isMeasured: false, missing: 129, stoppedBy: "hall")
            ])
    }

    @Test func `an edit after which a wall keeps a door from opening gives a warning`() throws {
        var editor = PlanEditor(FloorPlan())
        _ = try editor.make(
            .drawRoom(
                DrawRoom(
                    room: Room(id: "hall", name: "Hall"), start: PlanPoint(), clockwise: false,
                    sides: DrawRoom.rectangle(4_000, 800), wallThickness: 100)))
        var door = Self.door()
        door.wall = "hall-wall-1"
        let warning =
            "door opens against hall-wall-3: only to 75 degrees, which leaves 571 mm clear"
        #expect(try editor.make(.add([PlanItem(item: .opening(door))])).warnings == [warning])
        // What doesn't change how it opens gives none.
        door.threshold = 20
        #expect(try editor.make(.replace(PlanItem(item: .opening(door)))).warnings == [])

        let wall = ["hall-wall-3"]
        #expect(try editor.make(.move(wall, by: PlanPoint(x: 0, y: 200))).warnings == [])
        #expect(try editor.make(.move(wall, by: PlanPoint(x: 0, y: -200))).warnings == [warning])
    }
}
