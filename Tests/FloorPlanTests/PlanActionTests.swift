import Messages
import Testing

@testable import FloorPlan

/// Edits of a plan: what they do, and what they refuse.
struct PlanActionTests {
    /// A room of 4 x 3 m with walls of 100 mm, and a door in the southern wall.
    static func room() throws -> PlanEditor {
        var editor = PlanEditor(FloorPlan())
        let sketch = DrawRoom(
            room: Room(id: "room", name: "Bedroom"), start: PlanPoint(), clockwise: false,
            sides: DrawRoom.rectangle(4_000, 3_000), wallThickness: 100)
        _ = try editor.make(.drawRoom(sketch))
        _ = try editor.make(.add([.door("door", in: "room-wall-1", at: 500)]))
        return editor
    }

    @Test func `a room can be drawn by its dimensions in either direction`() throws {
        let plan = try Self.room().plan
        #expect(plan.rooms["room"]?.squareMetres == 12)
        #expect(plan.rooms["room"]?.polygon.signedArea == 12_000_000)
        #expect(plan.walls.count == 4)
        #expect(plan.walls["room-wall-1"]?.from == PlanPoint(x: -50, y: -50))
        #expect(plan.walls["room-wall-1"]?.to == PlanPoint(x: 4_050, y: -50))

        var editor = PlanEditor(FloorPlan())
        let sketch = DrawRoom(
            room: Room(id: "a"), start: PlanPoint(x: 0, y: 3_000), clockwise: true,
            sides: DrawRoom.rectangle(4_000, 3_000), wallThickness: 100)
        _ = try editor.make(.drawRoom(sketch))
        #expect(editor.plan.rooms["a"]?.polygon.signedArea == -12_000_000)
        #expect(Set(editor.plan.walls.values.map(\.from)) == Set(plan.walls.values.map(\.from)))
    }

    @Test(
        arguments: [(0, true), (20, true), (150, false), (2_100, false)]
            as [(UInt32, Bool)])
    func `a thing may stand on a shower that is at most 20 mm high`(
        height: UInt32, isAllowed: Bool
    ) throws {
        var editor = try Self.room()
        let place = PlanPoint(x: 1_500, y: 1_500)
        let shower = PlanItem(
            item: .element(
                Element(
                    id: "shower", kind: .shower, centre: place, width: 900, depth: 900,
                    height: height)))
        _ = try editor.make(.add([shower]))
        let bed = PlanItem.bed("bed", at: place)
        #expect(editor.hits(of: bed) == (isAllowed ? [] : ["shower"]))
    }

    @Test func `a room's outline can turn outwards at an inner corner`() throws {
        let sides: [RoomSide] = [
            .init(length: 3_000), .init(length: 1_400),
            .init(length: 1_400, turnsOutwards: true), .init(length: 1_600), .init(length: 1_600),
        ]
        let sketch = DrawRoom(
            room: Room(id: "l"), start: PlanPoint(), clockwise: false, sides: sides)
        var editor = PlanEditor(FloorPlan())
        _ = try editor.make(.drawRoom(sketch))

        #expect(editor.plan.rooms["l"]?.polygon == CircleTests.lShape)
    }

    @Test func `two rooms share one wall between them`() throws {
        var editor = try Self.room()
        let next = DrawRoom(
            room: Room(id: "next"), start: PlanPoint(x: 4_100, y: 0), clockwise: false,
            sides: DrawRoom.rectangle(2_000, 3_000), wallThickness: 100)
        _ = try editor.make(.drawRoom(next))

        #expect(editor.plan.walls.count == 7)
        #expect(editor.plan.walls(at: PlanPoint(x: 4_050, y: -50)).count == 3)
    }

    @Test(arguments: [
        (WallCourse.free(PlanPoint(x: 7, y: 8)), PlanPoint(x: 7, y: 8)),
        (.horizontal(-500), PlanPoint(x: -500, y: 0)), (.vertical(250), PlanPoint(x: 0, y: 250)),
        (.directed(length: 1_000, angle: 30_000), PlanPoint(x: 866, y: 500)),
        (.directed(length: 1_000, angle: 270_000), PlanPoint(x: 0, y: -1_000)),
    ])
    func `a wall ends where its course leads`(course: WallCourse, end: PlanPoint) {
        #expect(course.end(from: PlanPoint()) == end)
    }

    @Test func `a door can't leave its wall`() throws {
        var editor = try Self.room()
        let before = editor.plan
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.dock("door", wall: "room-wall-1", offset: 3_300))
        }

        #expect(refusal?.message.contains("the largest offset is 3200 mm") == true)
        #expect(editor.plan == before)
        _ = try editor.make(.dock("door", wall: "room-wall-1", offset: 3_200))
        #expect(throws: Refusal.self) {
            try editor.make(.move(["door"], by: PlanPoint(x: -3_201, y: 0)))
        }
        _ = try editor.make(.move(["door"], by: PlanPoint(x: -3_200, y: 777)))
        #expect(editor.plan.openings["door"]?.offset == 0)
    }

    @Test func `two openings in a wall can't overlap`() throws {
        var editor = try Self.room()
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.add([.door("other", in: "room-wall-1", at: 1_399)]))
        }

        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("from 500 to 1400 mm") == true)
        _ = try editor.make(.add([.door("other", in: "room-wall-1", at: 1_400)]))
    }

    @Test func `moving a corner moves everything that is joined there`() throws {
        var editor = try Self.room()
        let (old, new) = (PlanPoint(x: -50, y: -50), PlanPoint(x: -550, y: -50))
        _ = try editor.make(.moveCorner(old, to: new))

        #expect(editor.plan.walls(at: new).count == 2)
        #expect(editor.plan.walls(at: old).isEmpty)
        // The corner was the wall's start: the door stays where it is in the room.
        #expect(editor.plan.openings["door"]?.offset == 1_000)
    }

    @Test func `a wall can't be made too short for its door`() throws {
        var editor = try Self.room()
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.setLength("room-wall-1", 1_300, keeping: .start))
        }

        #expect(refusal?.message.contains("move or remove it first") == true)
        let before = #expect(throws: Refusal.self) {
            try editor.make(.setLength("room-wall-1", 3_000, keeping: .end))
        }
        #expect(before?.message.contains("would begin past the start of door;") == true)
        _ = try editor.make(.setLength("room-wall-1", 1_400, keeping: .start))
        #expect(editor.plan.walls["room-wall-1"]?.length == 1_400)
    }

    @Test func `either of two connected walls can be turned, to either side`() throws {
        var editor = try Self.room()
        let corner = PlanPoint(x: 4_050, y: -50)
        _ = try editor.make(.remove(["room"]))
        _ = try editor.make(
            .setAngle(of: "room-wall-2", with: "room-wall-1", to: 45_000, opposite: false))
        var wall = try #require(editor.plan.walls["room-wall-2"])
        #expect(wall.from == corner)
        #expect(wall.to == PlanPoint(x: 4_050 - 2_192, y: -50 + 2_192))
        #expect(editor.plan.walls(at: wall.to).count == 2)

        _ = try editor.make(
            .setAngle(of: "room-wall-2", with: "room-wall-1", to: 45_000, opposite: true))
        wall = try #require(editor.plan.walls["room-wall-2"])
        #expect(wall.to == PlanPoint(x: 4_050 - 2_192, y: -50 - 2_192))
        _ = try editor.make(
            .setAngle(of: "room-wall-1", with: "room-wall-2", to: 90_000, opposite: false))
        #expect(editor.plan.walls["room-wall-1"]?.to == corner)
        #expect(throws: Refusal.self) {
            try editor.make(
                .setAngle(of: "room-wall-1", with: "room-wall-1", to: 90_000, opposite: false))
        }
    }

    @Test func `removing a wall removes its door, and undoing that restores both`() throws {
        var editor = try Self.room()
        let before = editor.plan
        let changes = try editor.make(.remove(["room-wall-1"])).changes

        #expect(editor.plan.openings.isEmpty)
        editor.apply(changes.reversed)
        #expect(editor.plan == before)
    }

    @Test func `a copy of a wall includes its openings`() throws {
        var editor = try Self.room()
        _ = try editor.make(.copy("room-wall-1", as: "w", by: PlanPoint(x: 0, y: -5_000)))

        #expect(editor.plan.openings["w-1"]?.wall == "w")
        #expect(throws: Refusal.self) {
            try editor.make(.copy("room-wall-1", as: "w", by: PlanPoint()))
        }
    }

    @Test func `a bed that overlaps a wall is refused with the way out, unless forced`() throws {
        var editor = try Self.room()
        let bed = PlanItem.bed("bed", at: PlanPoint(x: 930, y: 1_800))
        let refusal = #expect(throws: Refusal.self) { try editor.make(.add([bed])) }

        #expect(
            refusal?.message
                == "“bed” would stand 70 mm in room-wall-4; moved by (70, 0) mm it doesn't, "
                + "or force it")
        _ = try editor.make(.add([bed]), force: true)
        // An item that already overlaps another can be moved, but not into a third.
        _ = try editor.make(.move(["bed"], by: PlanPoint(x: 0, y: 100)))
        #expect(throws: Refusal.self) {
            try editor.make(.move(["bed"], by: PlanPoint(x: 0, y: 900)))
        }
        _ = try editor.make(.move(["bed"], by: PlanPoint(x: 70, y: 0)))
        _ = try editor.make(.rotate("bed", to: 450_000))
        #expect(editor.plan.elements["bed"]?.angle == 90_000)
    }

    @Test func `the size of a product is no longer a guess once it is measured`() throws {
        var editor = try Self.room()
        var chair = Element(
            id: "chair", kind: .wheelchair, centre: PlanPoint(x: 2_000, y: 1_500), width: 650,
            depth: 1_100)
        chair.product = PlacedProduct(id: "p", name: "Chair", sizeEstimated: true)
        _ = try editor.make(.add([PlanItem(item: .element(chair))]))
        func isGuess() -> Bool? { editor.plan.elements["chair"]?.product?.sizeEstimated }

        _ = try editor.make(.resize("chair", width: 660, depth: nil, height: nil))
        #expect(isGuess() == true)
        _ = try editor.make(.resize("chair", width: 660, depth: 1_120, height: nil))
        #expect(isGuess() == false)
    }

    @Test
    func `measuring the leaf or the opening of an imported door replaces its estimated width`()
        throws
    {
        /// The passage of a door of 915 mm, of which 757 are estimated to be clear, after an edit.
        func passage(
            _ kind: OpeningKind = .door, leaf: UInt32? = nil, isEstimated: Bool = true,
            after edit: (inout Opening) -> Void
        ) throws -> (UInt32, Bool) {
            var editor = try Self.room()
            var door = try #require(editor.plan.openings["door"])
            (door.kind, door.width, door.leafWidth) = (kind, 915, leaf)
            (door.clearWidth, door.clearEstimated) = (757, isEstimated)
            _ = try editor.make(.replace(PlanItem(item: .opening(door))))
            #expect(editor.plan.openings["door"] == door)
            edit(&door)
            _ = try editor.make(.replace(PlanItem(item: .opening(door))))
            let found = try #require(editor.plan.openings["door"]).passage
            return (found.width, found.isMeasured)
        }
        #expect(try passage { $0.width = 815 } == (674, false))
        #expect(try passage { $0.leafWidth = 700 } == (649, false))
        #expect(try passage { $0.label = "Front" } == (757, false))
        #expect(try passage(.passage) { $0.width = 815 } == (674, false))
        #expect(try passage(.passage) { $0.leafWidth = 700 } == (757, false))
        // Two leaves of 859 mm together, which leave 102 mm less.
        #expect(try passage(leaf: 859) { $0.leafWidth = 800 } == (698, false))
        #expect(try passage(isEstimated: false) { $0.width = 815 } == (757, true))
    }

    @Test func `resizing an imported door replaces its estimated width`() throws {
        var editor = try Self.room()
        var door = try #require(editor.plan.openings["door"])
        (door.width, door.clearWidth, door.clearEstimated) = (915, 757, true)
        _ = try editor.make(.replace(PlanItem(item: .opening(door))))
        _ = try editor.make(.resize("door", width: 815, depth: nil, height: nil))

        #expect(try #require(editor.plan.openings["door"]).passage == (674, false))
    }

    @Test func `a door that opens against a bed gives a warning`() throws {
        var editor = try Self.room()
        let bed = PlanItem.bed("bed", at: PlanPoint(x: 1_500, y: 700))

        let warning = "door opens against “bed”: only to 16 degrees, which leaves 0 mm clear"
        #expect(try editor.make(.add([bed])).warnings == [warning])
        #expect(
            try editor.make(.dock("door", wall: "room-wall-1", offset: 3_200)).warnings == [])
        #expect(
            try editor.make(.dock("door", wall: "room-wall-1", offset: 1_000)).warnings
                == [warning])
    }

    @Test func `doors that can hit each other are noted when one is placed or moved`() throws {
        var editor = try Self.room()
        let other = PlanItem.door("other", in: "room-wall-4", at: 1_800)

        let notes = try editor.make(.add([other])).crossings
        #expect(notes.count == 1)
        #expect(notes.first?.hasSuffix("the same floor, so that one can hit the other") == true)
        func docked(_ offset: UInt32) throws -> [String] {
            try editor.make(.dock("other", wall: "room-wall-4", offset: offset)).crossings
        }
        #expect(try docked(100) == [])
        #expect(try docked(1_800) == notes)
        // Two leaves of one opening meet, but neither is in the other's way.
        var leaf = try #require(editor.plan.openings["other"])
        (leaf.wall, leaf.offset, leaf.hingesAtEnd) = ("room-wall-1", 1_410, true)
        #expect(try editor.make(.replace(PlanItem(item: .opening(leaf)))).crossings == [])
    }

    @Test func `a warning names the ids of things that share their name`() throws {
        var editor = try Self.room()
        func door(_ id: String, at offset: UInt32) -> PlanItem {
            PlanItem(
                item: .opening(
                    Opening(
                        id: id, wall: "room-wall-1", kind: .door, offset: offset, width: 900,
                        label: "Door")))
        }
        _ = try editor.make(.replace(door("door", at: 500)))
        _ = try editor.make(.add([door("door-2", at: 2_700)]))

        let bed = PlanItem.bed("bed", at: PlanPoint(x: 1_500, y: 700))
        let warnings = try editor.make(.add([bed])).warnings
        #expect(warnings.count == 1)
        #expect(warnings[0].hasPrefix("door “Door” (door) opens against “bed”: only to"))
    }

    static let refused: [(PlanAction, Refusal.Code)] = [
        (.remove(["nothing"]), .notFound),
        (.moveCorner(PlanPoint(x: 1, y: 1), to: PlanPoint()), .notFound),
        (.moveCorner(PlanPoint(x: -50, y: -50), to: PlanPoint(x: 4_050, y: -50)), .invalid),
        (.move(["room-wall-1"], by: PlanPoint(x: .max, y: .min)), .invalid),
        (
            .add([PlanItem(item: .wall(Wall(id: "w", start: PlanPoint(), end: PlanPoint())))]),
            .invalid
        ),
        (.add([PlanItem(item: .room(Room(id: "r", corners: [PlanPoint()])))]), .invalid),
        (.add([PlanItem(item: .element(Element(id: "e")))]), .invalid),
        (.add([.door("door", in: "room-wall-2", at: 0)]), .conflict),
        (.add([.door("", in: "room-wall-2", at: 0)]), .invalid),
        (.add([.door("d", in: "door", at: 0)]), .notFound),
        (.add([.door("d", in: "room-wall-2", at: .max)]), .invalid),
        (.rotate("room", to: 0), .invalid),
        (.resize("room", width: 1, depth: 1, height: 1), .conflict),
        (.resize("room-wall-1", width: 1, depth: 1, height: 1), .invalid),
        (.resize("door", width: 0, depth: nil, height: nil), .invalid),
        (.turnWall("room-wall-9", about: .end, by: 1), .notFound),
        (.replace(PlanItem(item: .room(Room(id: "door")))), .invalid),
    ]

    @Test(arguments: refused)
    func `an edit that can't be made changes nothing`(edit: PlanAction, code: Refusal.Code) throws {
        var editor = try Self.room()
        let before = editor.plan
        let refusal = #expect(throws: Refusal.self) { try editor.make(edit) }

        #expect(refusal?.code == code)
        #expect(editor.plan == before)
    }

    @Test func `a room whose outline crosses itself is refused`() throws {
        var editor = PlanEditor(FloorPlan())
        let corners = [(0, 0), (1_000, 1_000), (1_000, 0), (0, 1_500)]
            .map { PlanPoint(x: $0.0, y: $0.1) }
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.add([PlanItem(item: .room(Room(id: "r", corners: corners)))]))
        }

        #expect(refusal?.message.contains("crosses itself") == true)
    }
}

extension PlanItem {
    /// A door of 900 mm.
    static func door(
        _ id: String, in wall: String, at offset: UInt32, clear: UInt32? = nil,
        entrance: Bool = false
    ) -> PlanItem {
        PlanItem(
            item: .opening(
                Opening(
                    id: id, wall: wall, kind: .door, offset: offset, width: 900, height: 2_000,
                    clearWidth: clear, entrance: entrance)))
    }

    /// A bed of 2000 x 900 mm, its head to the west.
    static func bed(_ id: String, at place: PlanPoint) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: .bed, label: id, centre: place, width: 2_000, depth: 900,
                    height: 500)))
    }
}
