import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Plans that are exactly as large as a standard requires.
struct LimitTests {
    /// A rule, its minimum or maximum, and a plan with that measure.
    struct Limit: Sendable, CustomTestStringConvertible {
        let rule: String
        let millimetres: Int32
        var isMost = false
        let plan: @Sendable (Int32) -> [PlanItem]

        var testDescription: String { rule }
    }

    /// A door in a wall along the south of a room, hinged in the east by default.
    private static func door(
        _ use: RoomUse, at offset: UInt32 = 1_000, clear: Int32 = 900, threshold: Int32 = 0,
        hingesAtStart: Bool = false, entrance: Bool = false
    ) -> [PlanItem] {
        [
            Drawing.room(3_000, 2_000, use: use), Drawing.wall("wall", 0, -50, to: 3_000, -50),
            Drawing.door(
                "door", in: "wall", at: offset, hole: 980, clear: UInt32(clear), leaf: 900,
                threshold: UInt32(threshold), atEnd: !hingesAtStart, entrance: entrance),
        ]
    }

    /// A room of 4 m with a door in the west and a door or window in the east.
    private static func through(_ use: RoomUse, _ width: Int32, to kind: OpeningKind) -> [PlanItem]
    {
        let goal = Opening(id: "goal", wall: "east", kind: kind, offset: 0, width: UInt32(width))
        return [
            Drawing.room(4_000, width, use: use), Drawing.wall("west", -50, 0, to: -50, width),
            Drawing.wall("east", 4_050, 0, to: 4_050, width),
            Drawing.door("door", in: "west", at: 0, hole: UInt32(width), entrance: true),
            PlanItem(item: .opening(goal)),
        ]
    }

    /// A bed in the north-west corner of a bedroom, with this much space to its east and south.
    private static func bed(_ width: Int32, side: Int32, foot: Int32) -> [PlanItem] {
        [
            Drawing.room(width + side, 2_000 + foot, use: .bedroom),
            Drawing.element("bed", .bed, width / 2, foot + 1_000, UInt32(width), 2_000),
        ]
    }

    static let limits = [
        Limit(rule: "adm2/door-entrance/door", millimetres: 850) {
            door(.hall, clear: $0, entrance: true)
        },
        Limit(rule: "adm2/threshold/door", millimetres: 15, isMost: true) {
            door(.hall, threshold: $0, entrance: true)
        },
        // The frame takes 40 mm on each side of the opening.
        Limit(rule: "adm2/latch-space/door", millimetres: 300) {
            door(.living, at: UInt32($0 - 40))
        },
        Limit(rule: "adm2/latch-space-entrance/door", millimetres: 300) {
            door(.hall, at: UInt32($0 - 40), entrance: true)
        },
        Limit(rule: "adm/hinge-space-entrance/door", millimetres: 150) {
            door(.hall, at: UInt32($0 - 40), hingesAtStart: true, entrance: true)
        },
        Limit(rule: "adm2/hall/room", millimetres: 900) { through(.hall, $0, to: .door) },
        Limit(rule: "adm2/bedroom-window/room", millimetres: 750) {
            through(.bedroom, $0, to: .window)
        },
        Limit(rule: "adm2/kitchen-front/bench", millimetres: 1_200) {
            [
                Drawing.room(3_000, 600 + $0, use: .kitchen),
                Drawing.element("bench", .kitchenBench, 1_500, 300 + $0, 2_000, 600),
            ]
        },
        Limit(rule: "adm2/bed-side-single/bed", millimetres: 750) {
            bed(1_000, side: $0, foot: 0)
        },
        Limit(rule: "adm2/bed-side-double/bed", millimetres: 750) {
            bed(1_500, side: $0, foot: 750)
        },
        Limit(rule: "adm2/bed-foot-double/bed", millimetres: 750) {
            bed(1_500, side: 750, foot: $0)
        },
        Limit(rule: "husbanken/turning-recommended-rooms/room", millimetres: 1_600) {
            [Drawing.room(2_000, $0, use: .living)]
        },
        Limit(rule: "fi/turning-kitchen-sheltered/room", millimetres: 1_500) {
            [Drawing.room(2_000, $0, use: .kitchen)]
        },
        // Beyond the door's leaf of 900 mm, across the width of the room.
        Limit(rule: "ada/floor-beyond-swing/room", millimetres: 760) {
            [
                Drawing.room(1_220, 900 + $0, use: .toilet),
                Drawing.wall("wall", 0, -50, to: 1_220, -50),
                Drawing.door("door", in: "wall", at: 120, hole: 980, leaf: 900),
            ]
        },
        Limit(rule: "ada/bath-front/bath", millimetres: 760) {
            [
                Drawing.room(1_600, 700 + $0, use: .bathroom),
                Drawing.element("bath", .bath, 800, 350 + $0, 1_600, 700),
            ]
        },
        Limit(rule: "ada/shower/shower", millimetres: 1_525) {
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.element("shower", .shower, 1_500, 1_500, UInt32($0), 760),
            ]
        },
        Limit(rule: "ada/shower/shower", millimetres: 915) {
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.element("shower", .shower, 1_500, 1_500, UInt32($0), 915),
            ]
        },
    ]

    @Test(arguments: limits)
    func `the exact limit passes, and a millimetre beyond it fails`(limit: Limit) throws {
        func finding(_ beyond: Int32) throws -> PlanFinding {
            let measure = limit.millimetres + (limit.isMost ? beyond : -beyond)
            let standard = String(limit.rule.prefix { $0 != "/" })
            return try #require(
                try Drawing.inspection(limit.plan(measure), [standard]).finding(limit.rule))
        }
        let (just, beyond) = (try finding(0), try finding(1))
        #expect(just.verdict == .pass && just.margin == 0, "\(just)")
        // The shortfall of a shape that isn't a circle is accurate to a millimetre.
        #expect(beyond.verdict == .fail && [-1, -2].contains(beyond.margin), "\(beyond)")
    }

    @Test(
        arguments: [(749, .fail), (750, .uncertain), (799, .uncertain), (800, .pass)]
            as [(Int32, Verdict)])
    func `a door between the least and the most of the English table is uncertain`(
        clear: Int32, verdict: Verdict
    ) throws {
        func finding(_ tolerance: UInt32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    Self.door(.hall, clear: clear), ["adm2"], tolerance: tolerance
                ).finding("adm2/door-inside/door"))
        }
        let exact = try finding(0)
        #expect(exact.verdict == verdict && exact.margin == clear - 750)
        #expect(exact.required == (verdict == .uncertain ? "750 to 800 mm" : "750 mm"))
        #expect(exact.text.contains("2.22c, table 2.1") == (verdict == .uncertain))
        #expect(try finding(5).verdict == .uncertain)
    }

    @Test func `floor beyond a door's swing is required only if the door opens into the room`()
        throws
    {
        func finding(outwards: Bool) throws -> PlanFinding? {
            try Drawing.inspection(
                [
                    Drawing.room(1_220, 1_600, use: .toilet),
                    Drawing.wall("wall", 0, -50, to: 1_220, -50),
                    Drawing.door(
                        "door", in: "wall", at: 120, hole: 980, leaf: 900, right: outwards),
                ], ["ada"]
            ).finding("ada/floor-beyond-swing/room")
        }
        #expect(try finding(outwards: false)?.verdict == .fail)
        #expect(try finding(outwards: true) == nil)
    }
}
