import Messages
import Testing

@testable import FloorPlan

/// What a chair can do in a dwelling, and what stops it.
struct DwellingTests {
    static let chair = Chair(width: 700, length: 1_200)
    static let coarse = ChairSpace.Resolution(cell: 50, headings: 36)

    /// A hall with the entrance in the south and a room to the east of it, with a door between
    /// them.
    static func flat(
        door clear: UInt32 = 860, room width: UInt32 = 3_000, _ elements: [PlanItem] = []
    ) throws -> PlanEditor {
        var editor = PlanEditor(FloorPlan())
        for (id, x, width) in [("hall", 0, 2_000), ("room", 2_100, width)]
            as [(String, Int32, UInt32)]
        {
            _ = try editor.make(
                .drawRoom(
                    DrawRoom(
                        room: Room(id: id, name: id), start: PlanPoint(x: x, y: 0),
                        clockwise: false, sides: DrawRoom.rectangle(width, 2_500),
                        wallThickness: 100)))
        }
        _ = try editor.make(
            .add(
                [
                    .door("entrance", in: "hall-wall-1", at: 600, clear: 900, entrance: true),
                    .door("door", in: "hall-wall-2", at: 800, clear: clear),
                ] + elements))
        return editor
    }

    static func access(_ plan: FloorPlan, looks: Int = 1) throws -> [RoomAccess] {
        try Dwelling(plan).access(for: chair, coarse, looks: looks)
    }

    @Test func `a wide door lets the chair into every room, and it turns there`() throws {
        #expect(
            try Self.access(Self.flat().plan) == [
                RoomAccess(room: "hall", reached: .yes, turned: .yes),
                RoomAccess(room: "room", reached: .yes, turned: .yes),
            ])
    }

    @Test(arguments: [(600, .no), (1_300, .yes)] as [(UInt32, Certainty)])
    func `a chair is in a room when all of it is, not only its centre`(
        width: UInt32, reached: Certainty
    ) throws {
        let plan = try Self.flat(room: width).plan
        let room = try #require(Self.access(plan, looks: 2).last)
        #expect(room.reached == reached)
        #expect(try (Dwelling(plan).route(for: Self.chair, to: "room") != nil) == (reached == .yes))
        guard reached == .no else { return }
        #expect(room.turned == .no)
        #expect(
            try Dwelling(plan).obstruction(of: "room", for: Self.chair)
                == Obstruction(ids: [], isCertain: true, isLeast: true))
    }

    @Test func `a niche that is less deep than the chair isn't entered, and a deeper one is`()
        throws
    {
        // Open on its whole southern side, to the hall.
        func reached(_ depth: Int32) throws -> Certainty? {
            let corners = [(0, 2_500), (2_000, 2_500), (2_000, 2_500 + depth), (0, 2_500 + depth)]
                .map { PlanPoint(x: $0.0, y: $0.1) }
            var plan = try Self.flat().plan
            plan.apply(ItemChange(before: plan.item("hall-wall-3")))
            plan.apply(
                ItemChange(after: PlanItem(item: .room(Room(id: "niche", corners: corners)))))
            return try Self.access(plan, looks: 2).first { $0.room == "niche" }?.reached
        }
        #expect(try reached(600) == .no)
        #expect(try reached(800) == .yes)
    }

    @Test(arguments: [(150, .no), (0, .no), (21, .no), (20, .yes)] as [(UInt32, Certainty)])
    func `the long sides of a ramp keep a chair out unless they are at most 20 mm high`(
        height: UInt32, reached: Certainty
    ) throws {
        // It lies across the way, from wall to wall.
        let plan = try Self.flat([Self.ramp(x: 2_700, width: 800, depth: 2_500, height)]).plan

        #expect(try Self.access(plan, looks: 2).last?.reached == reached)
        guard reached == .no else { return }
        #expect(try Dwelling(plan).obstruction(of: "room", for: Self.chair)?.ids == ["ramp"])
    }

    @Test(arguments: [(20, .yes), (21, .uncertain), (100, .uncertain)] as [(UInt32, Certainty)])
    func `a ramp that leads to no door ends in a step, and nobody knows at which end`(
        height: UInt32, reached: Certainty
    ) throws {
        // It begins 200 mm from the door and leaves no room beside it.
        let along = Self.ramp(x: 3_600, width: 2_400, depth: 2_600, height, angle: 90_000)
        let room = try Self.access(Self.flat([along]).plan, looks: 2).last

        #expect(room == RoomAccess(room: "room", reached: reached, turned: .no))
    }

    @Test func `a chair goes over a ramp from its door and doesn't turn on it`() throws {
        let along = Self.ramp(x: 3_400, width: 2_400, depth: 2_600, 24, angle: 90_000)
        var plan = try Self.flat([along]).plan
        var door = try #require(plan.openings["door"])
        door.threshold = 24
        plan.apply(ItemChange(after: PlanItem(item: .opening(door))))

        #expect(
            try Self.access(plan, looks: 2).last
                == RoomAccess(room: "room", reached: .yes, turned: .no))
    }

    private static func ramp(
        x: Int32, width: UInt32, depth: UInt32, _ height: UInt32, angle: UInt32 = 0
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: "ramp", kind: .aid, centre: PlanPoint(x: x, y: 1_250), width: width,
                    depth: depth, height: height, angle: angle, aidClass: "183015")))
    }

    @Test(arguments: [(false, .yes), (true, .uncertain)] as [(Bool, Certainty)])
    func `whether a chair gets past a thing of guessed size is uncertain`(
        isGuessed: Bool, reached: Certainty
    ) throws {
        // At twice the size it leaves 850 mm behind the entrance.
        let thing = Element(
            id: "thing", kind: .aid, centre: PlanPoint(x: 1_000, y: 1_950), width: 1_100,
            depth: 1_100, product: PlacedProduct(id: "p", sizeEstimated: isGuessed))
        var plan = try Self.flat().plan
        plan.apply(ItemChange(after: PlanItem(item: .element(thing))))

        #expect(try Self.access(plan, looks: 2).first?.reached == reached)
        #expect(try (Dwelling(plan).route(for: Self.chair, to: "hall") == nil) == isGuessed)
    }

    @Test func `a door that is too narrow stops the chair and is named`() throws {
        let plan = try Self.flat(door: 620).plan
        let dwelling = Dwelling(plan)

        #expect(try Self.access(plan).last == RoomAccess(room: "room", reached: .no, turned: .no))
        #expect(
            try dwelling.obstruction(of: "room", for: Self.chair)
                == Obstruction(ids: ["door"], isCertain: true, isLeast: true))
        #expect(try dwelling.obstruction(of: "hall", for: Self.chair) == nil)
        #expect(
            dwelling.doors(tooNarrowFor: 700)
                == [.init(id: "door", passage: 620, isMeasured: true, missing: 80, stoppedBy: nil)])
    }

    @Test func `a door within the grid's error is uncertain until it is searched on a finer grid`()
        throws
    {
        let plan = try Self.flat(door: 735).plan

        #expect(try Self.access(plan).last?.reached == .uncertain)
        #expect(try Self.access(plan, looks: 2).last?.reached == .yes)
    }

    @Test func `the element that stands in the way is named`() throws {
        let cupboard = PlanItem(
            item: .element(
                Element(
                    id: "cupboard", kind: .cupboard, centre: PlanPoint(x: 2_500, y: 1_200),
                    width: 600, depth: 1_000, height: 2_000)))
        let plan = try Self.flat([cupboard, .bed("bed", at: PlanPoint(x: 4_000, y: 500))]).plan
        let found = try Dwelling(plan).obstruction(of: "room", for: Self.chair)

        #expect(found == Obstruction(ids: ["cupboard"], isCertain: true, isLeast: true))
    }

    @Test func `if several things stop the chair only together, each of them is named`() throws {
        func shelves(_ id: String, _ x: Int32) -> PlanItem {
            PlanItem(
                item: .element(
                    Element(
                        id: id, kind: .cupboard, centre: PlanPoint(x: x, y: 1_250), width: 200,
                        depth: 2_400, height: 2_000)))
        }
        let plan = try Self.flat([
            shelves("a", 2_300), shelves("b", 2_600), .bed("bed", at: PlanPoint(x: 4_000, y: 500)),
        ]).plan

        #expect(
            try Dwelling(plan).obstruction(of: "room", for: Self.chair)
                == Obstruction(ids: ["a", "b"], isCertain: true, isLeast: true))
    }

    @Test func `what stops the chair is found in few searches among many things`() throws {
        let small = (0..<64).map {
            Self.cupboard("small-\($0)", x: 4_950, y: 60 + Int32($0) * 30, width: 20, depth: 20)
        }
        let plan = try Self.flat([Self.cupboard("large", x: 2_500, y: 1_250)] + small).plan
        var search = try ObstructionSearch(Dwelling(plan), Self.chair, seen: 0)

        #expect(
            try search.obstruction(of: "room")
                == Obstruction(ids: ["large"], isCertain: true, isLeast: true))
    }

    @Test func `the search for what stops the chair gives up if there are too many obstacles`()
        throws
    {
        let boards = (0..<30).map {
            Self.cupboard("board-\($0)", x: 2_200 + Int32($0) * 15, y: 1_250, width: 10)
        }
        let dwelling = Dwelling(try Self.flat(boards).plan)
        var search = try ObstructionSearch(dwelling, Self.chair, seen: 0)

        let unknown = Obstruction(ids: [], isCertain: false, isLeast: false)
        #expect(try search.obstruction(of: "room") == unknown)
        #expect(try search.obstruction(of: "room") == unknown)
    }

    static func cupboard(
        _ id: String, x: Int32, y: Int32, width: UInt32 = 600, depth: UInt32 = 2_400
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: .cupboard, centre: PlanPoint(x: x, y: y), width: width,
                    depth: depth, height: 2_000)))
    }

    @Test func `nothing that could be moved keeps the chair out of a room without a door`() throws {
        var editor = try Self.flat()
        _ = try editor.make(
            .drawRoom(
                DrawRoom(
                    room: Room(id: "cell"), start: PlanPoint(x: 0, y: 3_000), clockwise: false,
                    sides: DrawRoom.rectangle(2_000, 2_000))))

        #expect(
            try Dwelling(editor.plan).obstruction(of: "cell", for: Self.chair)
                == Obstruction(ids: [], isCertain: true, isLeast: true))
        #expect(throws: Refusal.self) {
            try Dwelling(editor.plan).obstruction(of: "attic", for: Self.chair)
        }
    }

    @Test(
        arguments: [
            (.washbasin, 670, .yes), (.washbasin, 669, .no), (.cupboard, 670, .no),
            (.cupboard, 1_409, .no), (.cupboard, 1_410, .yes), (.unspecified, 1_409, .no),
        ] as [(ElementKind, UInt32, Certainty)])
    func `tables and the like must clear the knees, and everything else the head`(
        kind: ElementKind, elevation: UInt32, reached: Certainty
    ) throws {
        let thing = PlanItem(
            item: .element(
                Element(
                    id: "thing", kind: kind, centre: PlanPoint(x: 2_500, y: 1_250), width: 600,
                    depth: 2_400, height: 300, elevation: elevation)))

        #expect(try Self.access(Self.flat([thing]).plan).last?.reached == reached)
    }

    @Test(arguments: [(2_500, false), (1_000, true)] as [(Int32, Bool)])
    func `a partition in a room is an obstacle`(length: Int32, isPassed: Bool) throws {
        var editor = try Self.flat()
        let partition = Wall(
            id: "partition", start: PlanPoint(x: 3_600, y: 2_500),
            end: PlanPoint(x: 3_600, y: 2_500 - length), thickness: 100)
        _ = try editor.make([
            .drawRoom(
                DrawRoom(
                    room: Room(id: "end"), start: PlanPoint(x: 5_200, y: 0), clockwise: false,
                    sides: DrawRoom.rectangle(2_000, 2_500), wallThickness: 100)),
            .add([
                .door("last", in: "room-wall-2", at: 800, clear: 860),
                PlanItem(item: .wall(partition)),
            ]),
        ])
        func reached() throws -> [Bool] {
            try Self.access(editor.plan, looks: 2).map { $0.reached == .yes }
        }

        // The end, the hall, the room.
        #expect(try reached() == [isPassed, true, true])
        let obstruction = try Dwelling(editor.plan).obstruction(of: "end", for: Self.chair)
        #expect(obstruction?.ids == (isPassed ? nil : []))
        guard !isPassed else { return }
        // A door lets the chair through.
        _ = try editor.make(.add([.door("through", in: "partition", at: 200, clear: 850)]))
        #expect(try reached() == [true, true, true])
    }

    @Test func `a wall separates rooms that are drawn to its middle`() throws {
        var editor = try Self.flat(door: 620)
        for (id, corners) in [("hall", [1, 2]), ("room", [0, 3])] {
            var room = try #require(editor.plan.rooms[id])
            for corner in corners { room.corners[corner].x = 2_050 }
            _ = try editor.make(.replace(PlanItem(item: .room(room))))
        }

        #expect(try Self.access(editor.plan).map(\.reached) == [.yes, .no])
        #expect(
            try Dwelling(editor.plan).obstruction(of: "room", for: Self.chair)?.ids == ["door"])
    }

    @Test func `a threshold that is too high closes a door`() throws {
        var editor = try Self.flat()
        var door = try #require(editor.plan.openings["door"])
        door.threshold = 26
        _ = try editor.make(.replace(PlanItem(item: .opening(door))))

        #expect(try Self.access(editor.plan).last?.reached == .no)
    }

    @Test(
        arguments: [(0, .yes), (20, .yes), (21, .no), (150, .no), (2_100, .no)]
            as [(UInt32, Certainty)])
    func `a chair doesn't get over a shower tray higher than 20 mm`(
        height: UInt32, reached: Certainty
    ) throws {
        let tray = PlanItem(
            item: .element(
                Element(
                    id: "tray", kind: .shower, centre: PlanPoint(x: 2_560, y: 1_250), width: 900,
                    depth: 2_400, height: height)))

        #expect(try Self.access(Self.flat([tray]).plan).last?.reached == reached)
    }

    @Test(arguments: [(1_400, 0), (2_000, 1)] as [(Int32, Int)])
    func `no floor is assumed before an entrance where a part of it is in a room`(
        west: Int32, count: Int
    ) throws {
        // The shed covers the east of the floor before the door, not the middle.
        var plan = try Self.flat().plan
        let corners: [(Int32, Int32)] = [
            (west, -2_000), (4_000, -2_000), (4_000, -300), (west, -300),
        ]
        let shed = Room(
            id: "shed", name: "shed", corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        plan.apply(ItemChange(after: PlanItem(item: .room(shed))))

        #expect(Dwelling(plan).entrances(for: 1_200).landings.count == count)
        // Nobody knows whether someone gets past the shed.
        let reached: Certainty = count == 0 ? .uncertain : .yes
        let rooms = try Self.access(plan, looks: 2).filter { $0.room != "shed" }
        #expect(rooms.map(\.reached) == [reached, reached])
    }

    @Test func `without an entrance no room can be reached`() throws {
        var editor = try Self.flat()
        _ = try editor.make(.remove(["entrance"]))

        #expect(throws: Refusal.self) { try Self.access(editor.plan) }
    }

    @Test func `the width of a door is measured, or follows from its leaf or hole`() {
        #expect(Opening(kind: .door, width: 900, clearWidth: 780).passage == (780, true))
        #expect(Opening(kind: .door, width: 900, leafWidth: 826).passage == (775, false))
        #expect(Opening(kind: .door, width: 900).passage == (769, false))
        #expect(Opening(kind: .passage, width: 900).passage == (900, true))
    }

    @Test func `a dwelling as large as a town is searched in bounded memory`() throws {
        let side: Int32 = 990_000
        var editor = try Self.flat()
        let corners = [(side, side), (-side, side), (-side, 10_000), (side, 10_000)]
            .map { PlanPoint(x: $0.0, y: $0.1) }
        _ = try editor.make(.add([PlanItem(item: .room(Room(id: "town", corners: corners)))]))

        // Squares of a metre prove nothing about a chair.
        let access = try Self.access(editor.plan)
        #expect(access.count == editor.plan.rooms.count && access.count >= 2)
        #expect(access.allSatisfy { $0.reached != .yes })
        #expect(try Dwelling(editor.plan).route(for: Self.chair, to: "hall") == nil)
    }

    @Test func `a room reports by how much a turning space fits or doesn't`() throws {
        let floor = try #require(Dwelling(Self.flat().plan).floor(of: "hall"))

        let circle = try #require(floor.largestCircle())
        #expect(abs(circle.radius - 1_000) < 0.2)
        let fits = try #require(floor.bestPlace(for: .rectangle(1_300, 1_800), step: .pi / 4))
        #expect(abs(fits.margin - 350) < 1)
        let short = try #require(floor.bestPlace(for: .rectangle(2_100, 2_100), step: .pi / 4))
        #expect(abs(short.margin + 50) < 1)
    }
}
