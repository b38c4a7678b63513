import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The space that a person in a chair needs besides the chair itself.
struct PersonTests {
    @Test func `a chair of 500 mm with hands on its rims needs more than a door of 500 mm`() throws
    {
        func door(hands: UInt32) throws -> PersonFinding? {
            let chair = PersonChair(width: 500, length: 900, build: Wheelchair(hands: hands))
            return try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.door("door", in: "wall", at: 1_000, hole: 700, clear: 599),
                ], chair: chair
            ).finding("tek17/door-inside/door")?.person
        }
        #expect(try door(hands: 0)?.verdict == .pass)
        let stopped = try door(hands: 100)
        #expect(stopped?.verdict == .fail && stopped?.needed == 600 && stopped?.margin == -1)
    }

    @Test func `a chair whose size is a guess passes and reaches nothing for certain`() throws {
        func results(_ width: UInt32, isGuess: Bool) throws -> (PersonFinding?, RoomReach?) {
            var chair = Element(
                id: "chair", kind: .wheelchair, centre: PlanPoint(x: 0, y: -3_000), width: width,
                depth: 1_100)
            chair.product = PlacedProduct(
                id: "p", name: "Chair", isoCode: "12220303", sizeEstimated: isGuess)
            let plan = FloorPlan([
                Drawing.room(3_000, 3_000, use: .bedroom),
                Drawing.wall("wall", 0, -50, to: 3_000, -50),
                Drawing.door(
                    "door", in: "wall", at: 1_000, clear: 900, right: true, entrance: true),
                PlanItem(item: .element(chair)),
            ])
            let person = try PersonChair.find("chair", in: plan)
            let inspection = try PlanInspection(
                plan, details: PlanDetails(), standards: ["tek17"], chair: person)
            return (
                inspection.finding("tek17/door-entrance/door")?.person,
                try reach(plan, chair: #require(person)).rooms.first
            )
        }
        let exact = try results(650, isGuess: false)
        #expect(exact.0?.verdict == .pass)
        #expect(exact.1?.reached == .pass && exact.1?.turned == .pass)
        let guessed = try results(650, isGuess: true)
        #expect(guessed.0?.verdict == .uncertain && guessed.0?.margin == 250)
        #expect(
            guessed.0?.text == "The size of the chair, 650 x 1100 mm, is a guess: measure both, "
                + "and give them together.")
        #expect(guessed.1?.reached == .uncertain && guessed.1?.turned == .uncertain)
        #expect(guessed.1?.obstruction.contains("measure the chair") == true)
        // What is too narrow for the guess fails, as before.
        let wide = try results(950, isGuess: true)
        #expect(wide.0?.verdict == .fail && wide.1?.reached == .fail)
    }

    @Test func `leg rests and an assistant widen a chair's turning circle`() {
        func circle(_ build: Wheelchair) -> Double {
            PersonChair(width: 700, length: 1_200, build: build).turningDiameter
        }
        #expect(circle(Wheelchair(turningDiameter: 1_500)) == 1_500)
        #expect(circle(Wheelchair(turningDiameter: 1_500, legRests: 250)) == 2_000)
        #expect(circle(Wheelchair(turningDiameter: 1_500, assistant: 400, legRests: 250)) == 2_300)
        // About its axle, 300 mm from its rear: 350 across and 900 + 250 to the front.
        let pivot = circle(Wheelchair(axleFromRear: 300, legRests: 250))
        #expect(abs(pivot - 2 * (350.0 * 350 + 1_150 * 1_150).squareRoot()) < 1e-9)
        // About its centre: the diagonal of 800 by 1,450.
        let spin = circle(Wheelchair(hands: 100, legRests: 250))
        #expect(abs(spin - (800.0 * 800 + 1_450 * 1_450).squareRoot()) < 1e-9)
    }

    /// A room of two corridors, each 1.1 m wide and a kilometre long, with a door at the end of
    /// each.
    private static func corridors(_ use: RoomUse) -> [PlanItem] {
        let far: Int32 = 990_000
        let corners: [(Int32, Int32)] = [
            (0, 0), (far, 0), (far, 1_100), (1_100, 1_100), (1_100, far), (0, far),
        ]
        let room = Room(
            id: "room", use: use, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        return [
            PlanItem(item: .room(room)),
            Drawing.wall("east", far + 50, 0, to: far + 50, 1_100),
            Drawing.door("first", in: "east", at: 50),
            Drawing.wall("north", 0, far + 50, to: 1_100, far + 50),
            Drawing.door("last", in: "north", at: 50),
        ]
    }

    @Test func `corridors of a kilometre are checked on a coarse grid, which proves nothing`()
        throws
    {
        // The chair can turn in the corner, and drive through both corridors without turning, but
        // a grid as large as the room doesn't show that.
        let turning = try Drawing.inspection(
            Self.corridors(.bathroom), ["tek10"], chair: PersonChair(width: 700, length: 1_100)
        ).finding("tek10/turning-bathroom/room")
        #expect(turning?.person?.verdict == .uncertain)
        let going = try Drawing.inspection(
            Self.corridors(.hall), ["adm2"], chair: PersonChair(width: 1_000, length: 1_090)
        ).finding("adm2/hall/room")
        #expect(going?.person?.verdict == .uncertain)
    }

    @Test func `a threshold with ramps is judged by its remaining height`() throws {
        func threshold(_ ramps: [PlanItem]) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(3_000, 3_000, use: .bedroom),
                        Drawing.room(3_000, 3_000, use: .hall, id: "hall", at: 0, -3_100),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        Drawing.door(
                            "door", in: "wall", at: 1_000, hole: 900, clear: 800, threshold: 40),
                    ] + ramps, ["fi"]
                ).finding("fi/threshold/door"))
        }
        func ramp(_ id: String, _ y: Int32, height: UInt32) -> PlanItem {
            PlanItem(
                item: .element(
                    Element(
                        id: id, kind: .aid, label: id, centre: PlanPoint(x: 1_450, y: y),
                        width: 900, depth: 500, height: height, aidClass: "183015")))
        }
        #expect(try threshold([]).margin == -20)
        let one = try threshold([ramp("Wedge", 250, height: 30)])
        #expect(one.verdict == .fail && one.text.contains("Wedge is on one side only"), "\(one)")
        let both = try threshold([ramp("A", 250, height: 30), ramp("B", -350, height: 40)])
        #expect(both.verdict == .pass && both.margin == 10)
    }

    @Test(arguments: [(20, .pass), (30, .uncertain)] as [(UInt32, Verdict)])
    func `what ramps leave of a threshold is no more exact than its height`(
        tolerance: UInt32, verdict: Verdict
    ) throws {
        func ramp(_ id: String, _ y: Int32) -> PlanItem {
            PlanItem(
                item: .element(
                    Element(
                        id: id, kind: .aid, label: id, centre: PlanPoint(x: 1_550, y: y),
                        width: 1_100, depth: 600, height: 40, aidClass: "183015")))
        }
        let finding = try Drawing.inspection(
            [
                Drawing.room(3_000, 2_000, use: .hall),
                Drawing.wall("wall", 0, -50, to: 3_000, -50),
                Drawing.door(
                    "door", in: "wall", at: 1_000, hole: 1_100, clear: 900, threshold: 40),
                ramp("A", 300), ramp("B", -400),
            ], ["fi"], tolerance: tolerance, chair: PersonChair(width: 650, length: 1_100)
        ).finding("fi/threshold/door")
        #expect(finding?.verdict == verdict && finding?.person?.verdict == verdict)
    }

    /// What a threshold at an entrance means for a chair.
    private static func crossing(
        _ threshold: UInt32, _ standard: String, tolerance: UInt32 = 0,
        _ change: (inout Opening) -> Void = { _ in }
    ) throws -> PersonFinding {
        var door = Opening(
            id: "door", wall: "wall", kind: .door, offset: 1_000, width: 1_000, clearWidth: 900,
            threshold: threshold, swingsRight: true, entrance: true)
        change(&door)
        let finding = try Drawing.inspection(
            [
                Drawing.room(3_000, 3_000, use: .hall),
                Drawing.wall("wall", 0, -50, to: 3_000, -50), PlanItem(item: .opening(door)),
            ], [standard], tolerance: tolerance, chair: PersonChair(width: 650, length: 1_100)
        ).findings().first { $0.item == "door" && $0.rule.hasPrefix("threshold") }
        return try #require(finding?.person)
    }

    @Test(arguments: ["tek17", "tek10", "husbanken", "fi", "adm", "adm2", "ada", "din18040"])
    func `a threshold that the chair can't pass fails for the chair in every standard`(
        standard: String
    ) throws {
        #expect(try Self.crossing(25, standard).verdict == .pass)
        let high = try Self.crossing(26, standard)
        #expect(high.verdict == .fail && high.margin == -1)
        #expect(high.text == "The chair doesn't get over 26 mm; at most 25 mm can be passed.")
        #expect(try Self.crossing(26, standard, tolerance: 5).verdict == .uncertain)
        #expect(try Self.crossing(0, standard, tolerance: 50).verdict == .pass)
    }

    @Test func `whether the chair gets over what nobody measured is uncertain`() throws {
        let unknown = try Self.crossing(0, "tek17") { $0.thresholdUnknown = true }
        #expect(unknown.verdict == .uncertain && unknown.margin == nil)
        #expect(unknown.text.contains("has to be measured"))
        #expect(try Self.crossing(0, "tek17") { $0.sill = 60 }.verdict == .fail)
    }

    /// What a hall means for the chair that has doors in both walls of the inner corner at (3000,
    /// 1500): the floors before them cross outside. A screen stands at the corner.
    private static func hall(_ screen: Int32, _ more: [PlanItem] = []) throws -> PersonFinding? {
        let corners: [(Int32, Int32)] = [
            (0, 0), (4_500, 0), (4_500, 4_000), (3_000, 4_000), (3_000, 1_500), (0, 1_500),
        ]
        let hall = Room(
            id: "hall", name: "Hall", use: .hall,
            corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let items = [
            PlanItem(item: .room(hall)),
            Drawing.wall("north", 0, 1_550, to: 3_000, 1_550),
            Drawing.wall("west", 2_950, 1_500, to: 2_950, 4_000),
            Drawing.door(
                "entrance", in: "north", at: 2_200, hole: 700, clear: 700, entrance: true),
            Drawing.door("door", in: "west", at: 100, hole: 700, clear: 700),
            Drawing.element("screen", .structure, 3_000, screen / 2, 100, UInt32(screen)),
        ]
        let chair = PersonChair(width: 250, length: 1_200)
        return try #require(
            try Drawing.inspection(items + more, chair: chair).finding("tek17/passage-hall/hall")
        ).person
    }

    @Test(arguments: [(1_220, true, false), (600, false, true)] as [(Int32, Bool, Bool)])
    func `a chair gets from door to door inside the room, not by what is outside both`(
        screen: Int32, isNarrow: Bool, passes: Bool
    ) throws {
        // The screen leaves a gap at the corner, and another stands before that.
        let other = Drawing.element("other", .structure, 3_450, 925, 100, 1_250)

        let person = try Self.hall(screen, isNarrow ? [other] : [])

        #expect((person?.verdict == .pass) == passes)
    }

    @Test(arguments: [(2, .pass), (3, .uncertain)] as [(Int, Verdict)])
    func `whether a chair gets between doors is uncertain if the floors of five all cross`(
        more: Int, verdict: Verdict
    ) throws {
        // Walls with doors that lie on those of the north.
        let others = (0..<more).flatMap { number in
            [
                Drawing.wall("north \(number)", 0, 1_550, to: 3_000, 1_550),
                Drawing.door(
                    "door \(number)", in: "north \(number)", at: 2_200, hole: 700, clear: 700),
            ]
        }
        #expect(try Self.hall(600, others)?.verdict == verdict)
    }

    @Test(arguments: [(1_700, false), (1_900, true)] as [(Int32, Bool)])
    func `a chair that turns beside a cupboard passes by a door only if it gets out there too`(
        cupboard: Int32, passes: Bool
    ) throws {
        // It turns before the west of the opening. Where the cupboard begins at 1700 mm, 680 mm of
        // the clear width are left.
        let finding = try #require(
            try Drawing.inspection(
                [
                    Drawing.room(5_000, 4_000, use: .hall, id: "hall"),
                    Drawing.wall("south", 0, -50, to: 5_000, -50),
                    Drawing.wall("east", 5_050, 0, to: 5_050, 4_000),
                    Drawing.door(
                        "entrance", in: "south", at: 1_000, hole: 900, clear: 860, right: true,
                        entrance: true),
                    Drawing.door("door", in: "east", at: 2_000, hole: 900, clear: 860, right: true),
                    Drawing.element("cupboard", .cupboard, cupboard + 300, 250, 600, 500),
                ], chair: PersonChair(width: 700, length: 1_200)
            ).finding("tek17/passage-hall/hall"))

        #expect((finding.verdict == .pass) == passes)
        #expect((finding.person?.verdict == .pass) == passes)
    }
}
