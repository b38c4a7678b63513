import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The rules about the floor around toilets, beds and basins.
struct ElementRuleTests {
    private static func finding(
        _ items: [PlanItem], _ rule: String, chair: PersonChair? = nil, tolerance: UInt32 = 0
    ) throws -> PlanFinding {
        let standard = String(rule.prefix { $0 != "/" })
        return try #require(
            try Drawing.inspection(items, [standard], tolerance: tolerance, chair: chair)
                .finding(rule))
    }

    /// A toilet at the north wall with this much space to its west and east.
    private static func toilet(_ west: Int32, _ east: Int32, _ more: [PlanItem] = []) -> [PlanItem]
    {
        [
            Drawing.room(west + 400 + east, 2_000, use: .bathroom),
            Drawing.element("toilet", .toilet, west + 200, 1_650, 400, 700),
        ] + more
    }

    @Test func `a toilet needs 900 mm on either side and 200 mm on the other`() throws {
        func verdict(_ west: Int32, _ east: Int32) throws -> Verdict {
            try Self.finding(Self.toilet(west, east), "tek17/toilet-sides/toilet").verdict
        }
        #expect(try verdict(900, 200) == .pass)
        #expect(try verdict(200, 900) == .pass)
        #expect(try verdict(899, 200) == .fail)
        #expect(try verdict(900, 199) == .fail)
        #expect(try verdict(500, 500) == .fail)
    }

    @Test func `things that stand beside a toilet count, and so do things that hang below 2 m`()
        throws
    {
        func finding(_ elevation: UInt32) throws -> PlanFinding {
            try Self.finding(
                Self.toilet(
                    200, 1_000,
                    [
                        Drawing.element(
                            "shelf", .cupboard, 1_500, 1_900, 200, 200, elevation: elevation)
                    ]), "tek17/toilet-sides/toilet", chair: PersonChair(width: 850, length: 1_200))
        }
        let low = try finding(0)

        #expect(low.margin == -100)
        #expect(
            low.text
                == "Space at the sides: 800 mm, 100 mm too little. "
                + "Free at the sides: 200 and 800 mm.")
        #expect(low.person?.margin == -50)
        #expect(try finding(670).verdict == .fail)
        #expect(try finding(2_000).verdict == .pass)
    }

    @Test(arguments: [(200, true), (201, false), (400, false)] as [(Int32, Bool)])
    func `a basin above the knees may extend 200 mm into a toilet's zone in England`(
        encroaching: Int32, isEnough: Bool
    ) throws {
        func finding(_ x: Int32, _ y: Int32, elevation: UInt32 = 650) throws -> PlanFinding {
            // The zone is from 0 to 1550 mm, and 2200 mm deep.
            try Self.finding(
                [
                    Drawing.room(2_000, 2_400, use: .bathroom),
                    Drawing.element("toilet", .toilet, 350, 2_050, 400, 700),
                    Drawing.element(
                        "basin", .washbasin, x, y, 400, 400, elevation: elevation),
                ], "adm/toilet-zone/toilet")
        }
        let places: [(Int32, Int32)] = [
            (1_750 - encroaching, 1_000), (1_750 - encroaching, 2_200), (800, encroaching),
        ]
        for (x, y) in places {
            #expect(try (finding(x, y).verdict == .pass) == isEnough, "\(x), \(y)")
        }
        if !isEnough {
            #expect(try finding(1_750 - encroaching, 1_000).margin == 200 - encroaching)
        }
        #expect(try finding(1_750 - encroaching, 1_000, elevation: 2_000).verdict == .pass)
        // One that stands on the floor is an obstacle.
        #expect(try finding(1_750 - encroaching, 1_000, elevation: 0).verdict == .fail)
    }

    @Test func `a care bed needs 1500 mm along both long sides and 1400 mm at its foot`() throws {
        func verdicts(_ west: Int32, _ foot: Int32) throws -> [Verdict] {
            let items = [
                Drawing.room(west + 1_000 + 1_500, 2_200 + foot, use: .bedroom),
                Drawing.element("bed", .bed, west + 500, foot + 1_100, 1_000, 2_200),
            ]
            return [
                try Self.finding(items, "husbanken/bed-sides/bed").verdict,
                try Self.finding(items, "husbanken/bed-foot/bed").verdict,
            ]
        }
        #expect(try verdicts(1_500, 1_400) == [.pass, .pass])
        #expect(try verdicts(1_499, 1_400) == [.fail, .pass])
        #expect(try verdicts(1_500, 1_399) == [.pass, .fail])
    }

    @Test func `the sides of a bed turn with the bed`() throws {
        // Its head is at the west wall, and its foot is to the east.
        let items = [
            Drawing.room(3_600, 4_000, use: .bedroom),
            Drawing.element("bed", .bed, 1_100, 2_000, 1_000, 2_200, angle: 90),
        ]
        #expect(try Self.finding(items, "husbanken/bed-sides/bed").margin == 0)
        #expect(try Self.finding(items, "husbanken/bed-foot/bed").margin == 0)
    }

    @Test func `a bedside table at the head doesn't matter in England`() throws {
        func finding(_ y: Int32) throws -> PlanFinding {
            try Self.finding(
                [
                    Drawing.room(3_500, 4_000, use: .bedroom),
                    Drawing.element("bed", .bed, 1_750, 3_000, 1_500, 2_000),
                    Drawing.element("table", .table, 800, y, 400, 400),
                ], "adm/bed-sides-double/bed")
        }
        #expect(try finding(3_800).verdict == .pass)
        #expect(try finding(3_300).verdict == .fail)
    }

    @Test(
        arguments: [
            // At the wall in the north, with its rear or its front; then 299 and 301 mm from it.
            (2_700, 0, true, false), (2_700, 180, false, true), (2_401, 180, false, true),
            (2_399, 180, false, false),
            // Its front is free, but not far enough.
            (1_299, 0, false, false),
        ] as [(Int32, UInt32, Bool, Bool)])
    func `a cupboard that fails because its front is at the wall says that it may be turned`(
        y: Int32, angle: UInt32, passes: Bool, isTurned: Bool
    ) throws {
        let items = [
            Drawing.room(4_000, 3_000, use: .bedroom),
            Drawing.element("chest", .cupboard, 1_000, y, 1_200, 600, angle: angle),
        ]
        let id = "adm/bedroom-cupboard-front/chest"
        let finding = try Self.finding(items, id)
        #expect(finding.verdict == (passes ? .pass : .fail))
        #expect(
            finding.text.contains("The front of the cupboard is at the wall") == isTurned,
            "\(finding.text)")
        for (language, words) in [("nb", "mot veggen"), ("sv", "mot väggen")] {
            let other = try Drawing.inspection(items, ["adm"], language: language).finding(id)
            #expect(other?.text.contains(words) == isTurned)
        }
    }

    @Test func `a cupboard between two walls doesn't ask to be turned`() throws {
        let finding = try Self.finding(
            [
                Drawing.room(4_000, 800, use: .bedroom),
                Drawing.element("chest", .cupboard, 1_000, 400, 1_200, 600, angle: 180),
            ], "adm/bedroom-cupboard-front/chest")
        #expect(finding.verdict == .fail && !finding.text.contains("turn"), "\(finding.text)")
    }

    @Test(arguments: [0, 180] as [UInt32])
    func `a bath with its front or its rear at the wall doesn't ask to be turned`(
        angle: UInt32
    ) throws {
        for (standard, missing) in [("ada", 1), ("adm", 41)] as [(String, Int32)] {
            let finding = try Self.finding(
                [
                    Drawing.room(1_600, 1_459, use: .bathroom),
                    Drawing.element("bath", .bath, 800, 1_109, 1_600, 700, angle: angle),
                ], "\(standard)/bath-front/bath")
            #expect(finding.verdict == .fail && finding.margin == -missing)
            #expect(!finding.text.contains("turn"), "\(finding.text)")
        }
    }

    @Test func `a shower may have the required size either way round`() throws {
        func verdict(_ width: UInt32, _ depth: UInt32) throws -> Verdict {
            try Self.finding(
                [
                    Drawing.room(3_000, 3_000, use: .bathroom),
                    Drawing.element("shower", .shower, 800, 800, width, depth),
                ], "tek17/shower/shower"
            ).verdict
        }
        #expect(try verdict(1_300, 1_600) == .pass)
        #expect(try verdict(1_600, 1_300) == .pass)
        #expect(try verdict(1_500, 1_500) == .fail)
    }

    @Test(arguments: [0, 150, 2_100] as [UInt32])
    func `a shower of any height has the size that is drawn`(height: UInt32) throws {
        let finding = try Self.finding(
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.element("shower", .shower, 800, 800, 1_400, 1_600, height: height),
            ], "tek17/shower/shower")
        #expect(finding.margin == 0)
    }

    @Test func `the way to a cabin ends at its side`() throws {
        func verdict(_ west: Int32) throws -> Verdict {
            try Self.finding(
                [
                    Drawing.room(900 + west, 3_000, use: .bathroom),
                    Drawing.wall("wall", 0, -50, to: 900 + west, -50),
                    Drawing.door("door", in: "wall", at: 0, hole: 950, clear: 900, right: true),
                    // It takes the rear of the room but for a strip, and a cupboard the front.
                    Drawing.element("cabin", .shower, west + 450, 2_550, 900, 900, height: 2_100),
                    Drawing.element("cupboard", .cupboard, west + 450, 1_250, 900, 1_500),
                ], "tek17/passage-shower/room"
            ).verdict
        }
        #expect(try verdict(1_000) == .pass)
        #expect(try verdict(880) == .fail)
    }

    @Test(
        arguments: [
            ("husbanken/bed-size/thing", .bed, "123"),
            ("aids/hoist-turning/thing", .aid, "123603"),
        ] as [(String, ElementKind, String)])
    func `a thing whose size is a guess of its catalogue passes no rule about it`(
        rule: String, kind: ElementKind, code: String
    ) throws {
        func finding(isGuess: Bool, room: Int32 = 4_000) throws -> PlanFinding {
            let thing = Element(
                id: "thing", kind: kind, centre: PlanPoint(x: room / 2, y: 2_000), width: 1_000,
                depth: 2_200,
                product: PlacedProduct(
                    id: "p", name: "Thing", isoCode: code, sizeEstimated: isGuess),
                aidClass: code)
            return try Self.finding(
                [
                    Drawing.room(room, 4_000, use: .bedroom),
                    PlanItem(item: .element(thing)),
                ], rule)
        }
        #expect(try finding(isGuess: false).verdict == .pass)
        let guessed = try finding(isGuess: true)
        #expect(guessed.verdict == .unknown && guessed.measured == nil && guessed.margin == nil)
        #expect(guessed.text.hasPrefix("The catalogue doesn't give the size of"))
        guard kind == .aid else { return }
        // Its diagonal is 2417 mm as drawn, and 1208 mm with half the size.
        #expect(try finding(isGuess: false, room: 2_000).verdict == .fail)
        #expect(try finding(isGuess: true, room: 2_000).verdict == .uncertain)
        #expect(try finding(isGuess: true, room: 1_100).verdict == .fail)
    }

    @Test(arguments: [(1_500, false), (1_501, true)] as [(Double, Bool)])
    func `beside a bed whose size is a guess the chair fails or nothing is said of it`(
        chair: Double, fails: Bool
    ) throws {
        func finding(isGuess: Bool) throws -> PlanFinding {
            let bed = Element(
                id: "bed", kind: .bed, centre: PlanPoint(x: 2_000, y: 2_000), width: 1_000,
                depth: 2_200,
                product: PlacedProduct(
                    id: "p", name: "Bed", isoCode: "123", sizeEstimated: isGuess))
            return try Self.finding(
                [
                    Drawing.room(4_000, 4_000, use: .bedroom),
                    PlanItem(item: .element(bed)),
                ], "adm/bed-side-single/bed", chair: PersonChair(width: chair, length: 1_200))
        }
        #expect(try finding(isGuess: false).person?.verdict == (fails ? .fail : .pass))
        let guessed = try finding(isGuess: true)
        let said: Verdict? = fails ? .fail : nil
        #expect(guessed.verdict == .unknown && guessed.person?.verdict == said)
    }

    @Test(arguments: [(650, 0), (649, 0), (648, -2), (550, -100)] as [(Int32, Int32)])
    func `of a shower only what is inside the room counts`(east: Int32, margin: Int32) throws {
        // A millimetre in the wall is rounding.
        let finding = try Self.finding(
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.element("shower", .shower, east, 1_500, 1_300, 1_600),
            ], "tek17/shower/shower")

        #expect(finding.margin == margin)
        #expect(finding.verdict == (margin < 0 ? .fail : .pass))
    }

    @Test(arguments: [0, 90, 180, 270] as [UInt32], [false, true])
    func `a bath needs free floor along its length, on either side and however it is drawn`(
        angle: UInt32, isDeep: Bool
    ) throws {
        // Its length is along the x axis, or else along the y axis.
        let isAcross = isDeep == (angle % 180 == 90)
        let size: (width: UInt32, depth: UInt32) = isDeep ? (700, 1_600) : (1_600, 700)
        func finding(_ standard: String, _ free: Int32) throws -> PlanFinding {
            let room: (Int32, Int32) = isAcross ? (1_600, 700 + free) : (700 + free, 1_600)
            let place: (Int32, Int32) = isAcross ? (800, free + 350) : (free + 350, 800)
            return try Self.finding(
                [
                    Drawing.room(room.0, room.1, use: .bathroom),
                    Drawing.element(
                        "bath", .bath, place.0, place.1, size.width, size.depth, angle: angle),
                ], "\(standard)/bath-front/bath")
        }
        for (standard, needed) in [("ada", 760), ("adm", 800)] as [(String, Int32)] {
            let (just, less) = (try finding(standard, needed), try finding(standard, needed - 1))
            #expect(just.verdict == .pass && just.margin == 0, "\(just)")
            #expect(less.verdict == .fail && less.margin == -1, "\(less)")
        }
    }

    @Test func `a basin along a bath is uncertain at one end of it, and fails elsewhere`() throws {
        func finding(_ basins: [Int32], _ elevation: UInt32) throws -> PlanFinding {
            // The bath is from 200 to 1800 mm, and the floor 760 mm deep.
            let things = basins.map { x in
                Drawing.element(
                    "basin-\(x)", .washbasin, x, 225, 400, 450, elevation: elevation)
            }
            return try Self.finding(
                [
                    Drawing.room(2_000, 1_460, use: .bathroom),
                    Drawing.element("bath", .bath, 1_000, 1_110, 1_600, 700),
                ] + things, "ada/bath-front/bath")
        }
        for elevation: UInt32 in [0, 684, 685, 1_999] {
            func verdict(_ basins: Int32...) throws -> Verdict {
                try finding(basins, elevation).verdict
            }
            #expect(try [verdict(400), verdict(1_600)] == [.uncertain, .uncertain])
            #expect(try [verdict(999), verdict(1_001)] == [.uncertain, .uncertain])
            #expect(try [verdict(1_000), verdict(400, 1_600)] == [.fail, .fail])
            // One that only touches the floor is no obstacle.
            #expect(try verdict(0) == .pass)
        }
        // Anyone passes under what hangs as high as a door.
        #expect(try finding([1_000], 2_000).verdict == .pass)
        #expect(try finding([400], 685).text.contains("at the end with the taps"))
    }

    @Test func `a shower is one to roll into, or has exactly the size of one to transfer into`()
        throws
    {
        func finding(
            _ width: UInt32, _ depth: UInt32, tolerance: UInt32 = 0
        ) throws -> PlanFinding {
            try Self.finding(
                [
                    Drawing.room(3_000, 3_000, use: .bathroom),
                    Drawing.element("shower", .shower, 1_500, 1_500, width, depth),
                ], "ada/shower/shower", tolerance: tolerance)
        }
        let sizes: [UInt32] = [759, 760, 914, 915, 916, 1_000, 1_524, 1_525, 1_600]
        for (width, depth) in sizes.flatMap({ width in sizes.map { (width, $0) } }) {
            let (short, long) = (min(width, depth), max(width, depth))
            let expected: Verdict =
                if short >= 760, long >= 1_525 {
                    .pass
                } else if short == 915, long == 915 {
                    .pass
                } else {
                    short >= 915 ? .uncertain : .fail
                }
            let found = try finding(width, depth)
            #expect(found.verdict == expected, "\(width) x \(depth)")
            #expect(found.required == "915 x 915 mm or at least 760 x 1525 mm")
            #expect((found.margin ?? 0 < 0) == (expected == .fail), "\(width) x \(depth)")
        }
        #expect(try finding(914, 914).margin == -1)
        #expect(try finding(916, 915).text.contains("915 x 915 mm, neither less nor more"))
        // No tape is exact.
        #expect(try finding(915, 915, tolerance: 5).verdict == .uncertain)
        #expect(try finding(911, 915, tolerance: 5).verdict == .uncertain)
        #expect(try finding(910, 915, tolerance: 5).verdict == .fail)
    }

    @Test func `what stands in a shower to transfer into makes it too small`() throws {
        let finding = try Self.finding(
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.element("shower", .shower, 1_500, 1_500, 915, 915),
                Drawing.element("shelf", .cupboard, 1_070, 1_500, 60, 300),
            ], "ada/shower/shower")
        #expect(finding.verdict == .fail)
    }
}
