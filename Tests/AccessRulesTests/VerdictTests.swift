import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Plans whose verdicts were computed by hand: no failure passes.
struct VerdictTests {
    private static func finding(_ items: [PlanItem], _ rule: String) throws -> PlanFinding? {
        try Drawing.inspection(items, [String(rule.prefix { $0 != "/" })]).finding(rule)
    }

    private static func turning(_ items: [PlanItem]) throws -> Verdict? {
        try finding(items, "tek10/turning-bathroom/room")?.verdict
    }

    @Test(arguments: [(209, true), (211, false)])
    func `a column just inside the circle leaves no room for it`(place: Int32, passes: Bool) throws
    {
        // Its inner corner is 750.9 or 748.1 mm from the middle of a room of 1500 mm.
        let column = Drawing.element("column", .structure, place, place, 20, 20)
        let room = Drawing.room(1_500, 1_500, use: .bathroom)

        #expect(try Self.turning([room, column]) == (passes ? .pass : .fail))
    }

    @Test(
        arguments: [
            (1_295, 0, nil, .fail), (1_300, 0, .fail, nil), (1_290, 10, nil, .fail),
            (1_295, 10, .uncertain, .uncertain), (1_305, 10, .uncertain, .uncertain),
            (1_310, 10, .fail, nil),
        ] as [(UInt32, UInt32, Verdict?, Verdict?)])
    func `what is asked of a bed is uncertain if it may be a double one`(
        width: UInt32, tolerance: UInt32, double: Verdict?, single: Verdict?
    ) throws {
        // A bed is a double one from 1300 mm.
        func verdicts(_ room: Int32) throws -> [Verdict?] {
            let inspection = try Drawing.inspection(
                [
                    Drawing.room(room, 4_000, use: .bedroom),
                    Drawing.element("bed", .bed, room / 2, 2_990, width, 2_000),
                ], ["adm"], tolerance: tolerance)
            return ["sides-double", "side-single"].map {
                inspection.finding("adm/bed-\($0)/bed")?.verdict
            }
        }
        #expect(try verdicts(1_600) == [double, single])
        // With 1500 mm at each side of it, nothing fails.
        let passing: [Verdict?] = [double, single].map { $0 == nil ? nil : .pass }
        #expect(try verdicts(4_300) == passing)
    }

    @Test(arguments: [(140, true), (150, false)])
    func `a turned cupboard takes up only the floor that it covers`(
        place: Int32, passes: Bool
    ) throws {
        // Its face is (750 - place)·√2 - 100 mm from the middle.
        let cupboard = Drawing.element("cupboard", .cupboard, place, place, 200, 200, angle: 45)
        let room = Drawing.room(1_500, 1_500, use: .bathroom)

        #expect(try Self.turning([room, cupboard]) == (passes ? .pass : .fail))
    }

    @Test(arguments: [(1_281, true), (1_280, false)])
    func `the circle in an L reaches round its inner corner`(arm: Int32, passes: Bool) throws {
        // Ø = 2·arm·√2 / (1 + √2).
        let corners: [(Int32, Int32)] = [
            (0, 0), (4_000, 0), (4_000, arm), (arm, arm), (arm, 4_000), (0, 4_000),
        ]
        let room = Room(
            id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })

        #expect(
            try Self.turning([PlanItem(item: .room(room))]) == (passes ? .pass : .fail))
    }

    @Test func `a column in the middle of a room leaves the circles beside it`() throws {
        func room(_ size: Int32) -> [PlanItem] {
            [
                Drawing.room(size, size, use: .bathroom),
                Drawing.element("column", .structure, size / 2, size / 2, 400, 400),
            ]
        }
        // In the corner: r·(1 + √2) = √2·(size / 2 - 200).
        #expect(try Self.turning(room(2_962)) == .pass)
        #expect(try Self.turning(room(2_958)) == .fail)
    }

    @Test(arguments: [true, false])
    func `a door within one room sweeps the side it opens to`(right: Bool) throws {
        // A partition leaves 1300 mm in the west and 1600 mm in the east.
        let items = [
            Drawing.room(3_000, 1_600, use: .bathroom),
            Drawing.wall("partition", 1_350, 0, to: 1_350, 1_600),
            Drawing.door("door", in: "partition", at: 350, hole: 900, right: right),
        ]
        #expect(try Self.turning(items) == (right ? .fail : .pass))
    }

    @Test func `a way through a door within one room is as wide as the door`() throws {
        func passage(_ clear: UInt32) throws -> PlanFinding? {
            try Self.finding(
                [
                    Drawing.room(4_000, 3_000, use: .living),
                    Drawing.wall("west", -50, 0, to: -50, 3_000),
                    Drawing.door("a", in: "west", at: 1_000, clear: 950, right: false),
                    Drawing.wall("partition", 2_000, 0, to: 2_000, 3_000),
                    Drawing.door("b", in: "partition", at: 1_000, clear: clear),
                    Drawing.wall("east", 4_050, 0, to: 4_050, 3_000),
                    Drawing.door("c", in: "east", at: 1_000, clear: 950, right: true),
                ], "tek17/passage-living/room")
        }
        #expect(try passage(900)?.verdict == .pass)
        #expect(try passage(800)?.verdict == .fail)
        #expect(try passage(800)?.measured == 800)
    }

    @Test(arguments: [(700, false), (1_900, false), (2_000, true)])
    func `nobody walks under a basin`(elevation: UInt32, passes: Bool) throws {
        let items = [
            Drawing.room(1_400, 4_000, use: .bathroom),
            Drawing.wall("south", 0, -50, to: 1_400, -50),
            Drawing.door("door", in: "south", at: 200, clear: 860, right: true),
            Drawing.element(
                "basin", .washbasin, 300, 1_500, 600, 600, angle: 90, elevation: elevation),
            Drawing.element("toilet", .toilet, 300, 3_650, 400, 700),
        ]
        let finding = try Self.finding(items, "tek17/passage-toilet/room")

        #expect(finding?.verdict == (passes ? .pass : .fail))
        if !passes { #expect(finding?.measured == 800) }
    }

    @Test func `knees go under a basin only where it hangs high enough`() throws {
        func front(_ elevation: UInt32, depth: UInt32 = 500) throws -> PlanFinding? {
            let y = 800 + Int32(depth) / 2
            return try Self.finding(
                [
                    Drawing.room(1_500, 800 + Int32(depth), use: .bathroom),
                    Drawing.element(
                        "basin", .washbasin, 750, y, 760, depth, elevation: elevation),
                ], "ada/basin-front/basin")
        }
        #expect(try front(700)?.verdict == .pass)
        #expect(try front(700)?.measured == 1_300)
        #expect(try front(0)?.verdict == .fail)
        #expect(try front(0)?.measured == 800)
        // Not deeper than 635 mm.
        #expect(try front(700, depth: 900)?.measured == 1_435)
    }

    @Test func `the floor in front of a basin is wider than a small basin`() throws {
        func front(_ edge: Int32) throws -> Verdict? {
            try Self.finding(
                [
                    Drawing.room(1_500, 1_500, use: .bathroom),
                    Drawing.element("basin", .washbasin, 700, 1_300, 400, 400, elevation: 700),
                    Drawing.element("east", .cupboard, edge + 200, 500, 400, 400),
                    Drawing.element("west", .cupboard, 120, 500, 400, 400),
                ], "ada/basin-front/basin")?.verdict
        }
        // Between the cupboards there are 760 mm.
        #expect(try front(1_080) == .pass)
        #expect(try front(1_070) == .fail)
    }

    @Test func `each of two doors in a wall is judged by itself`() throws {
        let items = [
            Drawing.room(4_000, 2_000, use: .hall),
            Drawing.wall("south", 0, -50, to: 4_000, -50),
            Drawing.door("narrow", in: "south", at: 500, clear: 759, right: true),
            Drawing.door("wide", in: "south", at: 2_000, clear: 760, right: true),
        ]
        #expect(try Self.finding(items, "tek17/door-inside/narrow")?.verdict == .fail)
        #expect(try Self.finding(items, "tek17/door-inside/wide")?.verdict == .pass)
        #expect(try Self.finding(items, "tek17/door-inside/wide")?.margin == 0)
    }

    @Test func `a door belongs to rooms that are drawn a little off its wall`() throws {
        // 20 mm on each side; it opens into the room in the north.
        let items = [
            Drawing.room(1_600, 1_600, use: .bathroom, id: "north", at: 0, 70),
            Drawing.room(1_600, 1_600, use: .hall, id: "south", at: 0, -1_670),
            Drawing.wall("wall", 0, 0, to: 1_600, 0),
            Drawing.door("door", in: "wall", at: 300, clear: 860),
        ]
        let finding = try Self.finding(items, "tek10/turning-bathroom/north")

        #expect(finding?.verdict == .fail)
        #expect(try Self.finding(items, "adm/toilet-door/door")?.verdict == .fail)
    }

    @Test(arguments: [(25, true), (26, false)])
    func `a threshold may be as high as the standard says`(height: UInt32, passes: Bool) throws {
        let items = [
            Drawing.wall("wall", 0, 0, to: 2_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 900, threshold: height),
        ]
        let finding = try Self.finding(items, "tek10/threshold/door")

        #expect(finding?.verdict == (passes ? .pass : .fail))
    }

    @Test func `a plan without rooms is judged by its doors alone`() throws {
        let items = [
            Drawing.wall("wall", 0, 0, to: 2_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 900, height: 2_200),
            Drawing.element("toilet", .toilet, 500, 1_000, 400, 700),
        ]
        let findings = try Drawing.inspection(
            items, RuleBook.standards.map(\.id)
        ).findings()

        #expect(!findings.isEmpty)
        #expect(findings.allSatisfy { $0.item == "door" })
        #expect(try Drawing.inspection([], RuleBook.standards.map(\.id)).findings() == [])
    }

    @Test func `things in a room of unknown use are judged by what they are`() throws {
        let items = [
            Drawing.room(1_600, 2_000, use: .unspecified),
            Drawing.element("toilet", .toilet, 400, 1_650, 400, 700),
        ]
        let findings = try Drawing.inspection(items).findings()

        #expect(Set(findings.map(\.rule)) == ["toilet-sides", "toilet-both-sides"])
    }

    @Test func `a skewed outline is measured at its narrowest`() throws {
        let corners: [(Int32, Int32)] = [(0, 0), (4_000, 300), (4_000, 1_500), (0, 1_500)]
        let room = Room(
            id: "room", use: .hall, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let items = [
            PlanItem(item: .room(room)),
            Drawing.wall("west", -50, 0, to: -50, 1_500),
            Drawing.wall("east", 4_050, 300, to: 4_050, 1_500),
            Drawing.door("a", in: "west", at: 300, clear: 860, entrance: true),
            Drawing.door("b", in: "east", at: 100, clear: 860, right: true),
        ]
        let finding = try Self.finding(items, "tek17/passage-hall/room")

        // A disc in front of the east door touches both long sides, tan α = 300 / 4000:
        // r / cos α = 1200 - r + r·tan α, which is Ø 1244.9.
        #expect(finding?.measured == 1_244 || finding?.measured == 1_245)
    }

    @Test func `an inner hall needs space to turn like any room`() throws {
        func rules(_ entrance: Bool) throws -> Set<String> {
            let findings = try Drawing.inspection([
                Drawing.room(1_000, 1_000, use: .hall),
                Drawing.wall("west", -50, 0, to: -50, 1_000),
                Drawing.door("a", in: "west", at: 0, clear: 860, entrance: entrance),
            ]).findings()
            return Set(findings.filter { $0.verdict == .fail }.map(\.rule))
        }
        #expect(try rules(true).contains("turning-hall"))
        #expect(try rules(false).contains("turning-other"))
        #expect(try !rules(true).contains("turning-other"))
    }

    @Test func `the clause and the chair each get a verdict, in one report`() throws {
        let findings = try Drawing.inspection(
            [
                Drawing.room(1_300, 1_800, use: .bathroom, id: "box"),
                Drawing.room(1_500, 1_500, use: .toilet, id: "circle", at: 3_000),
                Drawing.room(1_600, 1_600, use: .bathroom, id: "large", at: 6_000),
            ], chair: PersonChair(width: 800, length: 1_300)
        ).findings()
        let verdicts = ["box", "circle", "large"].map { room in
            let finding = findings.first { $0.id == "tek17/turning-bathroom/\(room)" }
            return [finding?.verdict, finding?.person?.verdict]
        }

        #expect(verdicts == [[.pass, .fail], [.pass, .fail], [.pass, .pass]])
        #expect(findings.allSatisfy { $0.clause.hasPrefix("§") && $0.source.hasPrefix("http") })
    }
}
