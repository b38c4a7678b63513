import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Where something isn't known or is only approximated, nothing passes that may fail.
struct ApproximationTests {
    /// A hall of 4 m with a door at each end, that in the east as wide as it is clear.
    private static func hall(
        _ depth: Int32, _ more: [PlanItem] = [], east: UInt32 = 900
    ) -> [PlanItem] {
        [
            Drawing.room(4_000, depth, use: .hall, id: "hall"),
            Drawing.wall("west", -50, 0, to: -50, depth),
            Drawing.wall("east", 4_050, 0, to: 4_050, depth),
            Drawing.door("entrance", in: "west", at: 50, hole: 900, clear: 860, entrance: true),
            Drawing.door("door", in: "east", at: 50, hole: east, clear: east, right: true),
        ] + more
    }

    private static func passage(
        _ items: [PlanItem], _ rule: String = "tek17/passage-hall/hall", chair: PersonChair? = nil
    ) throws -> PlanFinding {
        let standard = String(rule.prefix { $0 != "/" })
        return try #require(
            try Drawing.inspection(items, [standard], chair: chair).finding(rule))
    }

    @Test(arguments: [(60, nil), (480, 450)] as [(UInt32, Int32?)])
    func `what stands before a part of a door narrows the way through it`(
        depth: UInt32, left: Int32?
    ) throws {
        // The cupboard stands 100 mm before the entrance, which is clear from 70 to 930 mm.
        let cupboard = Drawing.element(
            "cupboard", .cupboard, 400, Int32(depth / 2), 600, depth)
        let finding = try Self.passage(Self.hall(1_800, [cupboard]))
        if let left {
            #expect(finding.verdict == .fail && finding.measured == left)
        } else {
            #expect(finding.verdict == .pass)
        }
    }

    @Test func `a thing inside the thickness of a wall stands in the way of a chair`() throws {
        let chair = PersonChair(width: 700, length: 1_200)
        let items = Self.hall(1_300, east: 1_200)
        let box = Drawing.element("box", .structure, 4_050, 525, 60, 950)
        func going(_ inspection: PlanInspection) -> Verdict? {
            inspection.finding("tek17/passage-hall/hall")?.person?.verdict
        }
        var inspection = try Drawing.inspection(items, chair: chair)
        #expect(going(inspection) == .pass)
        #expect(going(try Drawing.inspection(items + [box], chair: chair)) == .uncertain)
        // It is in no room, but belongs to the door.
        inspection.apply([ItemChange(after: box)])
        #expect(going(inspection) == .uncertain)
        inspection.apply([ItemChange(before: box)])
        #expect(going(inspection) == .pass)
    }

    @Test func `such a thing stands in the way also where another room leads around it`() throws {
        let chair = PersonChair(width: 700, length: 1_200)
        let corners: [(Int32, Int32)] = [
            (-200, 1_400), (5_000, 1_400), (5_000, -1_000), (5_100, -1_000), (5_100, 1_500),
            (-200, 1_500),
        ]
        let around = PlanItem(
            item: .room(
                Room(
                    id: "around", name: "around", use: .storage,
                    corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })))
        let items = Self.hall(1_300, east: 1_200) + [around]
        let box = Drawing.element("box", .structure, 4_050, 525, 60, 950)
        let hall = "tek17/passage-hall/hall"
        var inspection = try Drawing.inspection(items, chair: chair)
        #expect(inspection.finding(hall)?.person?.verdict == .pass)
        inspection.apply([ItemChange(after: box)])
        #expect(inspection.finding(hall)?.person?.verdict == .uncertain)
    }

    /// A thing at the wall in the south, whose size a catalogue may not give.
    private static func aid(
        _ x: Int32, _ size: UInt32, y: Int32? = nil, isGuessed: Bool = true
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: "aid", kind: .aid, label: "Aid",
                    centre: PlanPoint(x: x, y: y ?? Int32(size / 2)), width: size, depth: size,
                    product: PlacedProduct(id: "p", name: "Aid", sizeEstimated: isGuessed))))
    }

    @Test(
        arguments: [
            // 1000 mm are left, or 600 if it is twice as large.
            (400, true, .uncertain), (400, false, .pass),
            // 1100 mm are left, or 800, because it stays at its wall.
            (300, true, .uncertain), (300, false, .pass),
            // 800 mm are left, or 1100 if it is half as large.
            (600, true, .uncertain), (600, false, .fail),
            // Whether its size is half or twice that makes no difference.
            (200, true, .pass), (1_200, true, .fail),
        ] as [(UInt32, Bool, Verdict)])
    func `a verdict that depends on a guessed size is uncertain`(
        size: UInt32, isGuessed: Bool, verdict: Verdict
    ) throws {
        let aid = Self.aid(2_000, size, isGuessed: isGuessed)
        let items = Self.hall(1_400)
        let finding = try Self.passage(items + [aid])
        #expect(finding.verdict == verdict)
        if verdict == .uncertain {
            #expect(finding.margin == nil && finding.text.contains("size of Aid"), "\(finding)")
        }
        // It comes, and goes, and the verdict with it.
        var inspection = try Drawing.inspection(items)
        for _ in 0..<2 {
            inspection.apply([ItemChange(after: aid)])
            #expect(inspection.finding("tek17/passage-hall/hall")?.verdict == verdict)
            inspection.apply([ItemChange(before: aid)])
            #expect(inspection.finding("tek17/passage-hall/hall")?.verdict == .pass)
        }
    }

    @Test func `a thing of guessed size is no larger than its room allows`() throws {
        // At twice the size it would be 400 mm beyond the wall, if it weren't at that.
        let bedroom = [
            Drawing.room(4_000, 3_000, use: .bedroom, id: "bedroom", at: 0, 1_200),
            Self.aid(2_000, 1_000, y: 1_700),
        ]
        var inspection = try Drawing.inspection(Self.hall(1_100) + bedroom)
        let hall = "tek17/passage-hall/hall"
        #expect(inspection.finding(hall)?.verdict == .pass)
        // It stands in the hall once that is deeper.
        inspection.apply([
            ItemChange(before: bedroom[0]),
            ItemChange(after: Drawing.room(4_000, 4_200, use: .hall, id: "hall")),
        ])
        #expect(inspection.finding(hall)?.verdict == .pass)
        inspection.apply([
            ItemChange(after: Drawing.room(4_000, 2_500, use: .hall, id: "hall"))
        ])
        #expect(inspection.finding(hall)?.verdict == .uncertain)
    }

    @Test func `a door is not certainly clear beside a thing of guessed size`() throws {
        // The leaf of 900 mm is open when the thing is 50 mm from it, and isn't if that is larger.
        func door(_ isGuessed: Bool) throws -> Verdict? {
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: 800),
                    Self.aid(1_200, 400, y: 1_150, isGuessed: isGuessed),
                ]
            ).finding("tek17/door-inside/door")?.verdict
        }
        #expect(try door(false) == .pass)
        #expect(try door(true) == .uncertain)
    }

    @Test(arguments: [(false, .pass), (true, .uncertain)] as [(Bool, Verdict)])
    func `it is uncertain where a chair turns beside a thing of guessed size`(
        isGuessed: Bool, turned: Verdict
    ) throws {
        // Without an entrance each room is examined by itself.
        let plan = FloorPlan([
            Drawing.room(2_300, 2_300, use: .bathroom),
            Self.aid(500, 1_000, isGuessed: isGuessed),
        ])
        let found = try reach(plan, chair: PersonChair(width: 650, length: 1_100))
        #expect(found.rooms.first?.turned == turned)
    }

    /// The same door, whose hanging may be a guess.
    private static func door(_ item: PlanItem, isGuess: Bool) throws -> PlanItem {
        guard case .opening(var door) = item.item else {
            throw Refusal.notFound("\(item.id) is no door")
        }
        door.hungUnknown = isGuess
        return PlanItem(item: .opening(door))
    }

    @Test(
        arguments: [
            // A cupboard is in the way of a door with its hinges at the start.
            (true, false, .fail, .uncertain), (true, true, .pass, .uncertain),
            (false, false, .pass, .pass),
        ] as [(Bool, Bool, Verdict, Verdict)])
    func `how far a door opens is uncertain if that depends on a guess how it is hung`(
        isThere: Bool, atEnd: Bool, hung: Verdict, guessed: Verdict
    ) throws {
        let door = Drawing.door(
            "door", in: "wall", at: 1_000, hole: 900, clear: 800, atEnd: atEnd)
        let items = [
            Drawing.room(3_000, 3_000, use: .bedroom),
            Drawing.wall("wall", 0, -50, to: 3_000, -50),
            Drawing.element("cupboard", .cupboard, 1_025, isThere ? 750 : 2_500, 250, 200),
        ]
        let id = "tek17/door-inside/door"
        var inspection = try Drawing.inspection(items + [Self.door(door, isGuess: true)])
        let finding = try #require(inspection.finding(id))
        #expect(finding.verdict == guessed)
        #expect(finding.text.contains("isn't known which way") == (guessed == .uncertain))
        // It comes to be known.
        inspection.apply([ItemChange(after: door)])
        #expect(inspection.finding(id)?.verdict == hung)
        inspection.apply([ItemChange(after: try Self.door(door, isGuess: true))])
        #expect(inspection.finding(id)?.verdict == guessed)
    }

    @Test(arguments: [(true, .pass), (false, .uncertain)] as [(Bool, Verdict)])
    func `what is said of the hinges of a door counts before its side is said too`(
        atEnd: Bool, verdict: Verdict
    ) throws {
        let guess = try Self.door(
            Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: 800), isGuess: true)
        var inspection = try Drawing.inspection([
            Drawing.room(3_000, 3_000, use: .bedroom),
            Drawing.wall("wall", 0, -50, to: 3_000, -50),
            Drawing.element("cupboard", .cupboard, 1_025, 750, 250, 200), guess,
        ])
        let id = "tek17/door-inside/door"
        #expect(inspection.finding(id)?.verdict == .uncertain)
        guard case .opening(let door) = guess.item else { return }
        let half = door.hung(hingesAtEnd: atEnd, swingsRight: nil)
        inspection.apply([ItemChange(before: guess, after: PlanItem(item: .opening(half)))])
        #expect(inspection.finding(id)?.verdict == verdict)
        // The side that is left to say decides.
        let sides: [(Bool, Verdict)] = [(true, .pass), (false, atEnd ? .pass : .fail)]
        for (right, decided) in sides {
            let whole = half.hung(hingesAtEnd: nil, swingsRight: right)
            inspection.apply([ItemChange(after: PlanItem(item: .opening(whole)))])
            #expect(inspection.finding(id)?.verdict == decided)
        }
    }

    @Test(
        arguments: [
            (1_800, false, .pass), (1_800, true, .uncertain), (4_000, true, .pass),
        ] as [(Int32, Bool, Verdict)])
    func `where one turns is uncertain if a door may open there`(
        size: Int32, isGuess: Bool, verdict: Verdict
    ) throws {
        // It is drawn so that it opens outwards.
        let door = Drawing.door("door", in: "south", at: 0, right: true)
        let finding = try Drawing.inspection([
            Drawing.room(size, size, use: .living),
            Drawing.wall("south", 0, -50, to: size, -50), Self.door(door, isGuess: isGuess),
        ]).finding("tek17/turning-living/room")
        #expect(finding?.verdict == verdict)
    }

    @Test(arguments: [false, true])
    func `it is uncertain to which side a door opens if that is a guess`(right: Bool) throws {
        let door = Drawing.door("door", in: "south", at: 500, right: right)
        func verdict(_ isGuess: Bool) throws -> Verdict? {
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bathroom),
                    Drawing.wall("south", 0, -50, to: 3_000, -50),
                    Self.door(door, isGuess: isGuess),
                ], ["adm"]
            ).finding("adm/toilet-door/door")?.verdict
        }
        #expect(try verdict(false) == (right ? .pass : .fail))
        #expect(try verdict(true) == .uncertain)
    }

    @Test func `what stands across a corner of a hall is no local obstruction`() throws {
        func local(_ thing: PlanItem) throws -> Set<String> {
            let plan = FloorPlan([Drawing.room(6_000, 1_500, use: .hall), thing])
            let floor = RoomFloor(try #require(plan.rooms["room"]), in: PlanLayout(plan))
            let terms = FloorTerms.person.upright
            return LocalObstructions(floor, terms, turningInto: 1_050).ids
        }
        // Both ends are at a wall, and its middle is 700 mm from the corner.
        let across = Drawing.element("board", .cupboard, 495, 495, 1_380, 10, angle: 135)
        #expect(try local(across) == [])
        let along = Drawing.element("board", .cupboard, 3_000, 75, 1_380, 150)
        #expect(try local(along) == ["board"])
    }

    @Test(
        arguments: [
            (135, .pass), (145, .uncertain), (155, .uncertain), (165, .fail),
        ] as [(UInt32, Verdict)])
    func `it is uncertain what is local if its measures are`(
        depth: UInt32, verdict: Verdict
    ) throws {
        // 150 mm are allowed, and 10 are within the tolerance.
        let items = [
            Drawing.room(6_000, 1_080, use: .hall, id: "hall"),
            Drawing.wall("west", -50, 0, to: -50, 1_080),
            Drawing.wall("east", 6_050, 0, to: 6_050, 1_080),
            Drawing.door("entrance", in: "west", at: 50, hole: 900, clear: 860, entrance: true),
            Drawing.door("door", in: "east", at: 50, hole: 900, clear: 860, right: true),
            Drawing.element("shelf", .cupboard, 3_000, Int32(1_080 - depth / 2), 1_000, depth),
        ]
        let finding = try Drawing.inspection(items, ["adm"], tolerance: 10)
            .finding("adm/hall/hall")
        #expect(finding?.verdict == verdict, "\(String(describing: finding))")
    }

    @Test(
        arguments: [
            (295, 0, .fail), (305, 0, .pass), (285, 10, .fail), (295, 10, .uncertain),
            (305, 10, .uncertain), (315, 10, .pass),
        ] as [(Int32, UInt32, Verdict)])
    func `whether an obstruction is local is uncertain if it may be close to a doorway`(
        gap: Int32, tolerance: UInt32, verdict: Verdict
    ) throws {
        // 300 mm are close. The door to the bath is from 3500 to 4400 mm.
        let items = [
            Drawing.room(6_000, 1_100, use: .hall, id: "hall"),
            Drawing.wall("west", -50, 0, to: -50, 1_100),
            Drawing.wall("south", 0, -50, to: 6_000, -50),
            Drawing.door("entrance", in: "west", at: 100, hole: 900, clear: 900, entrance: true),
            Drawing.door("bath", in: "south", at: 3_500, hole: 900, clear: 900, right: true),
            Drawing.element("shelf", .cupboard, 3_000 - gap, 60, 1_000, 120),
        ]
        let finding = try Drawing.inspection(items, ["adm"], tolerance: tolerance)
            .finding("adm/hall/hall")
        #expect(finding?.verdict == verdict, "\(String(describing: finding))")
    }

    @Test func `a thing opposite a doorway isn't local because something hides its middle`() throws
    {
        // A pillar of the building stands between the doorway and the middle of the bench.
        let corners: [(Int32, Int32)] = [
            (0, 0), (6_000, 0), (6_000, 1_800), (2_600, 1_800), (2_600, 1_150), (2_300, 1_150),
            (2_300, 1_800), (0, 1_800),
        ]
        let room = Room(
            id: "hall", name: "Hall", use: .hall,
            corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let finding = try Self.passage(
            [
                PlanItem(item: .room(room)), Drawing.wall("west", -50, 0, to: -50, 1_800),
                Drawing.wall("east", 6_050, 0, to: 6_050, 1_800),
                Drawing.wall("north", 0, 1_850, to: 6_000, 1_850),
                Drawing.door(
                    "entrance", in: "west", at: 450, hole: 900, clear: 860, entrance: true),
                Drawing.door("door", in: "east", at: 450, hole: 900, clear: 860, right: true),
                Drawing.door("bath", in: "north", at: 2_700, hole: 900, clear: 860),
                Drawing.element("bench", .cupboard, 2_000, 75, 2_000, 150),
            ], "adm/hall/hall")
        // 1000 mm are left beside it, and 1050 are needed.
        #expect(finding.verdict == .fail && finding.margin == -50)
    }

    @Test func `it is uncertain who gets in where a shed stands before a part of the entrance`()
        throws
    {
        func living(_ more: [PlanItem]) throws -> RoomReach? {
            let items = Self.hall(1_300, east: 900) + more
            return try reach(FloorPlan(items), chair: PersonChair(width: 700, length: 1_200))
                .rooms.first { $0.room == "hall" }
        }
        #expect(try living([])?.reached == .pass)
        let shed = Drawing.room(1_000, 1_000, use: .storage, id: "shed", at: -1_400, 500)
        let found = try #require(try living([shed]))
        #expect(found.reached == .uncertain)
        #expect(
            found.obstruction
                == "the door (a part of the floor before it is drawn as a room; see whether one "
                + "gets there)")
    }
}
