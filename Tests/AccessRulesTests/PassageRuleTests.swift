import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The width of the paths through a room.
struct PassageRuleTests {
    /// A hall of 4 m with a door at each end, and its furniture.
    private static func hall(_ width: Int32, _ more: [PlanItem] = []) -> [PlanItem] {
        [
            Drawing.room(4_000, width, use: .hall, id: "hall"),
            Drawing.wall("west", -50, 0, to: -50, width),
            Drawing.wall("east", 4_050, 0, to: 4_050, width),
            Drawing.door(
                "entrance", in: "west", at: 50, hole: 900, clear: 860, right: false,
                entrance: true),
            Drawing.door("door", in: "east", at: 50, hole: 900, clear: 860, right: true),
        ] + more
    }

    private static func passage(
        _ items: [PlanItem], _ rule: String = "tek17/passage-hall/hall", tolerance: UInt32 = 0,
        chair: PersonChair? = nil
    ) throws -> PlanFinding {
        let standard = String(rule.prefix { $0 != "/" })
        return try #require(
            try Drawing.inspection(items, [standard], tolerance: tolerance, chair: chair)
                .finding(rule))
    }

    @Test(arguments: [(900, 0), (1_000, 100), (899, -1)])
    func `an empty corridor is as wide as it is drawn`(width: Int32, margin: Int32) throws {
        let finding = try Self.passage(Self.hall(width))

        #expect(finding.measured == width)
        #expect(finding.margin == margin)
        #expect(finding.verdict == (margin < 0 ? .fail : .pass))
    }

    @Test func `a cupboard narrows a corridor to the space beside it`() throws {
        let finding = try Self.passage(
            Self.hall(1_300, [Drawing.element("cupboard", .cupboard, 2_000, 200, 800, 400)]))
        let both = try Self.passage(
            Self.hall(
                1_300,
                [
                    Drawing.element("cupboard", .cupboard, 2_000, 200, 800, 400),
                    Drawing.element("seat", .seat, 3_000, 1_150, 300, 300),
                ]))

        #expect(finding.measured == 900)
        #expect(finding.at?.y == 850)
        // Between their corners: 450 to the east and 600 to the north.
        #expect(both.measured == 750)
        #expect(both.verdict == .fail)
    }

    @Test func `of two ways around a table the wider one counts`() throws {
        let finding = try Self.passage(
            Self.hall(2_400, [Drawing.element("table", .table, 2_000, 1_000, 800, 800)]))

        #expect(finding.measured == 1_000)
    }

    @Test func `doors don't change the width of a corridor, whatever the tolerance`() throws {
        // Both doors are in the long wall, so a chair turns in front of them.
        func finding(_ width: Int32) throws -> PlanFinding {
            try Self.passage(
                [
                    Drawing.room(4_000, width, use: .hall, id: "hall"),
                    Drawing.wall("south", 0, -50, to: 4_000, -50),
                    Drawing.door(
                        "entrance", in: "south", at: 200, hole: 900, clear: 860, right: true,
                        entrance: true),
                    Drawing.door(
                        "door", in: "south", at: 2_800, hole: 900, clear: 860, right: true),
                ], tolerance: 10)
        }
        #expect(try finding(905).verdict == .uncertain)
        #expect(try finding(905).measured == 905)
        #expect(try finding(895).verdict == .uncertain)
        #expect(try finding(910).verdict == .pass)
        #expect(try finding(1_500).measured == 1_500)
        #expect(try finding(889).verdict == .fail)
    }

    @Test func `a blocked way has no width`() throws {
        let finding = try Self.passage(
            Self.hall(1_300, [Drawing.element("cupboard", .cupboard, 2_000, 650, 400, 1_300)]))

        #expect(finding.measured == 0)
        #expect(finding.text == "Width of the passage: there is no way through.")
    }

    @Test func `a short obstruction may narrow a hall to 900 in England`() throws {
        let radiator = Drawing.element("radiator", .appliance, 2_000, 50, 1_000, 100)
        let bench = Drawing.element("bench", .seat, 2_000, 50, 2_100, 100)
        let screen = Drawing.element("screen", .structure, 2_000, 80, 100, 160)

        #expect(try Self.passage(Self.hall(1_050), "adm/hall/hall").verdict == .pass)
        #expect(try Self.passage(Self.hall(1_050, [radiator]), "adm/hall/hall").verdict == .pass)
        #expect(try Self.passage(Self.hall(1_050, [bench]), "adm/hall/hall").verdict == .fail)
        #expect(try Self.passage(Self.hall(1_209, [screen]), "adm/hall/hall").margin == -1)
        #expect(try Self.passage(Self.hall(1_210, [screen]), "adm/hall/hall").margin == 0)
        #expect(try Self.passage(Self.hall(1_040), "adm/hall/hall").verdict == .fail)
    }

    @Test func `a hall that is too narrow when empty is judged as empty`() throws {
        let radiator = Drawing.element("radiator", .appliance, 2_000, 50, 1_000, 100)
        let tooNarrow = try Self.passage(Self.hall(1_040, [radiator]), "adm/hall/hall")
        let wide = try Self.passage(Self.hall(1_060, [radiator]), "adm/hall/hall")
        let narrowed = try Self.passage(
            Self.hall(
                1_060,
                [
                    Drawing.element("radiator", .appliance, 2_000, 60, 1_000, 120),
                    Drawing.element("shelf", .cupboard, 2_000, 1_020, 1_000, 80),
                ]), "adm/hall/hall")

        #expect(tooNarrow.required == "1050 mm" && tooNarrow.margin == -10)
        #expect(wide.required == "1050 mm" && wide.margin == 10)
        #expect(narrowed.required == "900 mm" && narrowed.margin == -40)
    }

    @Test(arguments: [(3_050, false), (1_801, false), (1_800, true)] as [(Int32, Bool)])
    func `an obstruction opposite or close to a doorway isn't local`(
        place: Int32, isLocal: Bool
    ) throws {
        let finding = try Self.passage(
            Self.hall(
                900,
                [
                    Drawing.wall("north", 0, 950, to: 4_000, 950),
                    Drawing.door("bath", in: "north", at: 2_600, hole: 900, clear: 860),
                    Drawing.element("radiator", .appliance, place, 75, 1_000, 150),
                ]), "adm2/hall/hall")

        #expect(finding.margin == (isLocal ? 0 : -150))
        #expect(finding.verdict == (isLocal ? .pass : .fail))
    }

    @Test(arguments: [(1_900, false), (1_800, true)] as [(Int32, Bool)])
    func `a radiator in a recess isn't local if a doorway in its wall is close`(
        place: Int32, isLocal: Bool
    ) throws {
        // It stands out by 110 mm, and its middle is in the wall.
        let finding = try Self.passage(
            Self.hall(
                900,
                [
                    Drawing.wall("south", 0, -50, to: 4_000, -50),
                    Drawing.door(
                        "bath", in: "south", at: 2_600, hole: 900, clear: 860, right: true),
                    Drawing.element("radiator", .appliance, place, -10, 1_000, 240),
                ]), "adm2/hall/hall")

        #expect(finding.margin == (isLocal ? 0 : -110))
    }

    @Test(arguments: [(0, true), (1, false), (299, false), (300, true)] as [(Int32, Bool)])
    func `obstructions less than 300 mm apart are one`(gap: Int32, isLocal: Bool) throws {
        // Each is 1 m long.
        let finding = try Self.passage(
            Self.hall(
                900,
                [
                    Drawing.element("shelf", .cupboard, 1_100, 75, 1_000, 150),
                    Drawing.element("other", .cupboard, 2_100 + gap, 75, 1_000, 150),
                ]), "adm2/hall/hall")

        #expect(finding.verdict == (isLocal ? .pass : .fail))
    }

    @Test(arguments: [(1_500, true), (2_401, false), (3_550, false)] as [(Int32, Bool)])
    func `an obstruction where a hall turns isn't local`(place: Int32, isLocal: Bool) throws {
        let corners: [(Int32, Int32)] = [
            (0, 0), (4_000, 0), (4_000, 4_000), (3_100, 4_000), (3_100, 900), (0, 900),
        ]
        let hall = Room(
            id: "hall", name: "Hall", use: .hall,
            corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let finding = try Self.passage(
            [
                PlanItem(item: .room(hall)), Drawing.wall("west", -50, 0, to: -50, 900),
                Drawing.wall("north", 3_100, 4_050, to: 4_000, 4_050),
                Drawing.door("entrance", in: "west", at: 0, hole: 900, clear: 860, entrance: true),
                Drawing.door("door", in: "north", at: 0, hole: 900, clear: 860),
                Drawing.element("radiator", .appliance, place, 75, 800, 150),
            ], "adm2/hall/hall")

        #expect(finding.verdict == (isLocal ? .pass : .fail))
    }

    @Test func `a niche doesn't make a hall turn`() throws {
        // 400 mm deep, opposite the radiator.
        let corners: [(Int32, Int32)] = [
            (0, 0), (4_000, 0), (4_000, 900), (2_500, 900), (2_500, 1_300), (1_500, 1_300),
            (1_500, 900), (0, 900),
        ]
        let hall = Room(
            id: "hall", name: "Hall", use: .hall,
            corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let radiator = Drawing.element("radiator", .appliance, 1_000, 75, 800, 150)
        let items = Self.hall(900, [radiator]).dropFirst() + [PlanItem(item: .room(hall))]

        #expect(try Self.passage(Array(items), "adm2/hall/hall").verdict == .pass)
    }

    @Test func `things in the next room don't obstruct a hall`() throws {
        // An L-shaped hall, 1050 mm wide, and in its inner corner a bed in another room.
        let hall = PlanItem(
            item: .room(
                Room(
                    id: "hall", name: "Hall", use: .hall,
                    corners: [
                        (0, 0), (4_000, 0), (4_000, 4_000), (2_950, 4_000), (2_950, 1_050),
                        (0, 1_050),
                    ].map { PlanPoint(x: $0.0, y: $0.1) })))
        let items = [
            hall, Drawing.wall("west", -50, 0, to: -50, 1_050),
            Drawing.wall("north", 2_950, 4_050, to: 4_000, 4_050),
            Drawing.door(
                "entrance", in: "west", at: 25, clear: 860, entrance: true),
            Drawing.door("door", in: "north", at: 25, clear: 860),
            Drawing.element("radiator", .appliance, 1_500, 50, 1_000, 100),
            Drawing.element("bed", .bed, 1_500, 2_500, 1_000, 2_200),
        ]
        #expect(try Self.passage(items, "adm/hall/hall").margin == 0)
    }

    /// The width of the path to the toilet in a bathroom of 6 by 3 m with a door in the south.
    private static func wayToToilet(
        at place: Int32, door: UInt32, hole: UInt32, _ more: [PlanItem]
    ) throws -> Int32? {
        try passage(
            [
                Drawing.room(6_000, 3_000, use: .bathroom, id: "bath"),
                Drawing.wall("south", 0, -50, to: 6_000, -50),
                Drawing.door("door", in: "south", at: door, hole: hole, right: true),
                Drawing.element("toilet", .toilet, place, 2_650, 400, 700),
            ] + more, "tek17/passage-toilet/bath"
        ).measured
    }

    @Test func `a toilet is reached on the side that has a wide enough way to it`() throws {
        func measured(_ more: [PlanItem]) throws -> Int32? {
            try Self.wayToToilet(
                at: 3_000, door: 4_500, hole: 1_000,
                [
                    // West of the toilet there is more space, but only 300 mm to get there.
                    Drawing.element("screen", .structure, 2_900, 1_000, 100, 2_000),
                    Drawing.element("box", .structure, 4_500, 2_300, 600, 1_400),
                ] + more)
        }
        #expect(try measured([]) == 1_000)
        #expect(
            try measured([Drawing.element("shelf", .cupboard, 2_000, 2_500, 400, 1_000)])
                == 1_000)
    }

    @Test func `the way to a door starts on the side that leads on`() throws {
        // A screen across the middle of an opening that is 4 m wide.
        let screen = Drawing.element("screen", .structure, 3_300, 1_500, 200, 3_000)

        #expect(
            try Self.wayToToilet(at: 5_000, door: 1_000, hole: 4_000, [screen]) == 1_400)
    }

    @Test(arguments: [(700.0, 1_200.0, true), (800, 1_300, false)])
    func `a bend that is wide enough for the clause stops a long chair`(
        width: Double, length: Double, passes: Bool
    ) throws {
        let chair = PersonChair(width: width, length: length)
        let width: Int32 = 960
        let room = PlanItem(
            item: .room(
                Room(
                    id: "hall", name: "Hall", use: .hall,
                    corners: [
                        (0, 0), (4_000, 0), (4_000, 4_000), (4_000 - width, 4_000),
                        (4_000 - width, width), (0, width),
                    ].map {
                        PlanPoint(x: Int32($0.0), y: Int32($0.1))
                    })))
        let finding = try Self.passage(
            [
                room, Drawing.wall("west", -50, 0, to: -50, width),
                Drawing.wall("north", 4_000 - width, 4_050, to: 4_000, 4_050),
                Drawing.door("entrance", in: "west", at: 0, hole: 900, clear: 860, entrance: true),
                Drawing.door("door", in: "north", at: 0, hole: 900, clear: 860),
            ], chair: chair)

        #expect(finding.verdict == .pass)
        #expect(finding.measured == width)
        #expect(finding.person?.verdict == (passes ? .pass : .fail))
    }

    @Test(
        arguments: [
            (960, 800, 760, false), (1_300, 800, 760, true), (960, 1_400, 1_400, true),
            (960, 1_400, 710, false),
        ] as [(Int32, UInt32, UInt32, Bool)])
    func `a chair gets to a door at the side of a hall if it can turn into its clear width`(
        width: Int32, hole: UInt32, clear: UInt32, passes: Bool
    ) throws {
        let finding = try Self.passage(
            [
                Drawing.room(4_000, width, use: .hall, id: "hall"),
                Drawing.wall("west", -50, 0, to: -50, width),
                Drawing.wall("north", 0, width + 50, to: 4_000, width + 50),
                Drawing.door("entrance", in: "west", at: 0, hole: 900, clear: 860, entrance: true),
                Drawing.door("door", in: "north", at: 1_600, hole: hole, clear: clear),
            ], chair: PersonChair(width: 700, length: 1_200))

        #expect((finding.person?.verdict == .pass) == passes)
    }

    @Test(arguments: 0..<20)
    func `the width agrees with a grid of discs`(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ range: Range<Int32>) -> Int32 {
            state = state &* 2_862_933_555_777_941_757 &+ 3_037_000_493
            return range.lowerBound + Int32(state >> 33) % (range.upperBound - range.lowerBound)
        }
        let things = (0..<8).map { number in
            Drawing.element(
                "thing-\(number)", .cupboard, next(900..<3_100), next(0..<2_500),
                UInt32(next(200..<700)), UInt32(next(200..<700)), angle: UInt32(next(0..<90)))
        }
        let plan = FloorPlan([Drawing.room(4_000, 2_500, use: .hall)] + things)
        let floor = RoomFloor(try #require(plan.rooms["room"]), in: PlanLayout(plan))
        let (start, end) = (Vector(450, 1_250), Vector(3_550, 1_250))
        let ways = WidestWay(floor.outline, floor.obstacles(.person, for: .going))
        let ends = [start, end].map { place in
            WayEnd([(Segment(place, place + Vector(0.1, 0)), .zero)], ways)
        }
        let found = ways.narrowest(joining: ends).width

        func passes(_ diameter: Double, _ bound: ChairSpace.Bound) -> Bool {
            let disc = FloorShape(
                parts: [ConvexPolygon(aroundEllipse: diameter, diameter)],
                symmetry: 2 * .pi / 64)
            let space = ChairSpace(
                disc, in: floor.free(.person, for: .going), .init(cell: 10, headings: 1), bound)
            func near(_ place: Vector) -> Polygon {
                ConvexPolygon(centre: place, width: 30, depth: 30, angle: 0).polygon
            }
            return space.reaches(near(end), space.flood(from: space.places(in: near(start))))
        }
        if found > 130 { #expect(passes(found - 30, .surely)) }
        #expect(!passes(found + 40, .possibly))
    }

    @Test func `paths among too many things are given up, unless there is no limit`() {
        let room = ConvexPolygon(
            centre: Vector(1_000, 500), width: 2_000, depth: 1_000, angle: 0
        ).polygon
        let things = (0..<30).map { number in
            ConvexPolygon(
                centre: Vector(200 + Double(number) * 55, 500), width: 20, depth: 20, angle: 0)
        }
        func ways() -> WidestWay { WidestWay(room, things, mostGaps: 50) }

        #expect(WorkLimit { false }.run(ways) == nil)
        // Between the things and the wall in the south.
        let way = ways().width(from: Vector(100, 100), to: Vector(1_900, 100))
        #expect(abs(way.width - 490) < 0.01)
    }
}
