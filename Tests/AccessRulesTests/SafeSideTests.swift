import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// What is a millimetre too small never passes.
struct SafeSideTests {
    private static func door(_ things: [PlanItem], clear: UInt32 = 800) throws -> PlanFinding {
        try #require(
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: clear),
                ] + things, chair: PersonChair(width: 650, length: 1_100)
            ).finding("tek17/door-inside/door"))
    }

    @Test func `a door that furniture keeps from opening fails, and the text names the furniture`()
        throws
    {
        let free = try Self.door([])
        #expect(free.verdict == .pass && free.margin == 40)

        let stopped = try Self.door([
            Drawing.element("desk", .table, 1_300, 800, 400, 400, label: "Desk")
        ])
        #expect(stopped.verdict == .fail && stopped.person?.verdict == .fail)
        #expect(stopped.text.hasSuffix("The door opens only to 50 degrees: Desk is in the way."))
        // 800 less 900 times the cosine of 50.2 degrees.
        #expect(stopped.measured == 224 && stopped.margin == 224 - 760)
    }

    @Test func `a thing that stands in a doorway narrows it`() throws {
        // The door opens away from the chest, which covers the first 100 mm of 800.
        func door(_ x: Int32, _ y: Int32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(3_000, 3_000, use: .bedroom),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        Drawing.door(
                            "door", in: "wall", at: 1_000, hole: 900, clear: 800, right: true),
                        Drawing.element("chest", .cupboard, x, y, 400, 400, label: "Chest"),
                    ]
                ).finding("tek17/door-inside/door"))
        }
        let narrowed = try door(950, 200)
        #expect(narrowed.verdict == .fail && narrowed.measured == 700)
        #expect(narrowed.text.hasSuffix("Chest stands in the doorway."), "\(narrowed.text)")
        #expect(try door(850, 200).verdict == .pass)
        // The chest stands in front of the doorway, not in it: the rule for the path covers that.
        #expect(try door(950, 251).verdict == .pass)
    }

    @Test(arguments: [false, true])
    func `a leaf that doesn't open fully and a thing in the doorway take from it together`(
        atEnd: Bool
    ) throws {
        func door(_ things: [PlanItem]) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(3_000, 3_000, use: .bedroom),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        Drawing.door(
                            "door", in: "wall", at: 1_000, hole: 900, clear: 900, atEnd: atEnd),
                    ] + things
                ).finding("tek17/door-inside/door"))
        }
        // Both are mirrored with the hinges, about x = 1450.
        func mirrored(_ x: Int32) -> Int32 { atEnd ? 2_900 - x : x }
        // The corner at (78, 700) from the hinges, less half a millimetre, stops the leaf. The
        // chest stands on the other side of the wall and covers the 100 mm farthest from them.
        let stop = Drawing.element("stop", .cupboard, mirrored(1_053), 725, 50, 50)
        let chest = Drawing.element("chest", .cupboard, mirrored(2_000), -230, 400, 340)
        #expect(try door([stop]).measured == 801)
        #expect(try door([chest]).measured == 800)

        let both = try door([stop, chest])
        #expect(both.measured == 701 && both.verdict == .fail)
        // Beside the leaf, the chest takes nothing that the leaf leaves.
        let behind = Drawing.element("chest", .cupboard, mirrored(850), -230, 400, 340)
        #expect(try door([stop, behind]).measured == 801)
    }

    @Test func `a partition between two rooms that ends in a doorway narrows it`() throws {
        func door(_ wall: PlanItem, right: Bool = true, atEnd: Bool = false) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(1_450, 3_000, use: .bedroom, id: "west"),
                        Drawing.room(900, 3_000, use: .bedroom, id: "east", at: 2_000),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        Drawing.door(
                            "door", in: "wall", at: 1_000, hole: 900, clear: 900, right: right,
                            atEnd: atEnd),
                        wall,
                    ]
                ).finding("tek17/door-inside/door"))
        }
        // It leaves 450 mm in the west and 350 mm in the east.
        let middle = Drawing.wall("partition", 1_500, -50, to: 1_500, 3_000)
        let narrowed = try door(middle)
        #expect(narrowed.verdict == .fail && narrowed.measured == 450)
        #expect(narrowed.text.hasSuffix("The wall stands in the doorway."), "\(narrowed.text)")
        // A door that opens to that side doesn't open at all.
        let stopped = try door(middle, right: false)
        #expect(stopped.verdict == .fail && stopped.measured == 0)

        // Walls that end beside the opening, and one that is drawn over this one, take nothing.
        for x: Int32 in [950, 1_950] {
            for (right, atEnd) in [(true, false), (false, false), (false, true)] {
                let beside = try door(
                    Drawing.wall("partition", x, -50, to: x, 3_000), right: right, atEnd: atEnd)
                #expect(beside.verdict == .pass && beside.measured == 900, "\(beside.text)")
            }
        }
        let over = try door(Drawing.wall("over", 500, -50, to: 2_500, -50))
        #expect(over.verdict == .pass && over.measured == 900)
    }

    @Test(arguments: [0, 25] as [UInt32], [false, true])
    func `a drawing of a whole plan has the widths of doors that a check finds`(
        angle: UInt32, right: Bool
    ) throws {
        var found: Set<UInt32> = []
        for x in stride(from: Int32(700), through: 2_200, by: 75) {
            for partition in [Int32(-1_000), 1_700] {
                let items = [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.wall("partition", partition, -50, to: partition, 2_000),
                    Drawing.door(
                        "door", in: "wall", at: 1_000, hole: 900, clear: 800, right: right),
                    Drawing.element("chest", .cupboard, x, 200, 400, 400, angle: angle),
                ]
                let plan = FloorPlan(items)
                let widths = plan.clearWidths(amongWalls: plan.standingWalls)
                let drawn = try #require(widths["door"]).millimetres
                let finding = try Drawing.inspection(items).finding("tek17/door-inside/door")
                #expect(try #require(finding).measured == Int32(drawn), "\(x), \(partition)")
                found.insert(drawn)
            }
        }
        #expect(found.count > (right ? 5 : 1))
    }

    @Test func `the floor under a basin counts up to whatever stands there`() throws {
        func front(_ things: [PlanItem]) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(2_000, 1_220, use: .bathroom),
                        Drawing.element(
                            "basin", .washbasin, 1_000, 1_020, 760, 400, elevation: 700),
                    ] + things, ["ada"]
                ).finding("ada/basin-front/basin"))
        }
        #expect(try front([]).margin == 0)
        let taken = try front([Drawing.element("bin", .cupboard, 1_000, 1_120, 300, 200)])
        #expect(taken.verdict == .fail && taken.margin == -200)
    }

    @Test func `the floor behind a basin isn't in front of it`() throws {
        func front(_ items: [PlanItem]) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(items, ["adm"]).finding("adm/basin-front/basin"))
        }
        let corners: [(Int32, Int32)] = [
            (0, 0), (2_039, 0), (2_039, 1_713), (1_607, 2_074), (0, 2_074),
        ]
        let room = Room(
            id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let found = try front([
            PlanItem(item: .room(room)),
            Drawing.element("basin", .washbasin, 1_395, 911, 407, 659, elevation: 715),
            Drawing.element("cupboard", .cupboard, 1_928, 1_034, 478, 617, angle: 90),
        ])
        // 581.5 mm in front and 659 mm under it.
        #expect(found.verdict == .fail && found.margin == 1_240 - 1_650)

        // It is held by a low partition 300 mm or more before the wall, or on the wall.
        func standing(_ gap: Int32) throws -> Int32? {
            try front([
                Drawing.room(1_200, 1_650, use: .bathroom),
                Drawing.element(
                    "basin", .washbasin, 600, 1_450 - gap, 600, 400, elevation: 700),
            ]).margin
        }
        #expect(try [0, 299, 300].map(standing) == [0, 0, -300])
    }

    @Test func `the floor around a toilet is free at its whole width`() throws {
        func zone(_ room: PlanItem, _ y: Int32, _ width: UInt32) throws -> PlanFinding {
            // Its rear is 148 mm from the wall in the west.
            let toilet = Drawing.element("toilet", .toilet, 487, y, width, 678, angle: 90)
            return try #require(
                try Drawing.inspection([room, toilet], ["ada"])
                    .finding("ada/toilet-clearance/toilet"))
        }
        let corners: [(Int32, Int32)] = [(0, 0), (2_539, 0), (0, 2_940)]
        let triangle = Room(
            id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        // It overlaps the wall in the south. The sloping wall is 2539 · (1 - 1524 / 2940) mm from
        // the west where the 1525 mm end, less the 1 mm in which things only touch.
        let sloping = try zone(PlanItem(item: .room(triangle)), 383, 996)
        #expect(sloping.verdict == .fail && sloping.margin == 1_222 - 1_420)

        let room = Drawing.room(1_420, 1_525, use: .bathroom)
        #expect(try [430, 1_095].map { try zone(room, $0, 500).margin } == [0, 0])
    }

    @Test func `the floor under a basin is as wide as that in front of it`() throws {
        func margin(_ things: [PlanItem]) throws -> Int32? {
            try Drawing.inspection(
                [
                    Drawing.room(1_500, 1_220, use: .bathroom),
                    Drawing.element("basin", .washbasin, 750, 1_020, 400, 400, elevation: 700),
                ] + things, ["ada"]
            ).finding("ada/basin-front/basin")?.margin
        }
        // Either leaves 760 mm on the other side; both leave 600 mm.
        let east = Drawing.element("east", .cupboard, 1_150, 1_120, 200, 200)
        let west = Drawing.element("west", .cupboard, 350, 1_120, 200, 200)
        #expect(try [[], [east], [west], [east, west]].map(margin) == [0, 0, 0, -200])
    }

    @Test func `a thing that stands in a shower makes it smaller`() throws {
        func shower(_ things: [PlanItem]) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(2_000, 2_000, use: .bathroom),
                        Drawing.element("shower", .shower, 700, 850, 1_400, 1_700),
                    ] + things
                ).finding("tek17/shower/shower"))
        }
        #expect(try shower([]).margin == 100)
        // 100 mm may be taken from either side, and no more.
        #expect(try shower([Drawing.element("shelf", .cupboard, 50, 850, 100, 300)]).margin == 0)
        let taken = try shower([Drawing.element("shelf", .cupboard, 100, 850, 200, 300)])
        #expect(taken.verdict == .fail && taken.margin == -100)
    }

    @Test func `a partition keeps a door from opening, just as furniture does`() throws {
        let stopped = try Self.door([Drawing.wall("partition", 1_100, 600, to: 1_800, 600)])
        #expect(stopped.verdict == .fail)
    }

    @Test func `a circle that misses the arc of a door by half a millimetre fails`() throws {
        // The hinges are in a corner of the room. A circle of 1500 that touches the two opposite
        // walls and the arc has its centre 750 + 900 from the hinges: with a width of 1990 the room
        // is 750 + √(1650² − 1240²) = 1838.53 deep.
        func turning(_ depth: Int32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(1_990, depth, use: .bathroom),
                        Drawing.wall("wall", 0, -50, to: 1_990, -50),
                        Drawing.door("door", in: "wall", at: 0, hole: 900, clear: 860),
                    ], ["tek10"]
                ).finding("tek10/turning-bathroom/room"))
        }
        #expect(try turning(1_838).verdict == .fail)
        #expect(try turning(1_839).verdict == .pass)
    }

    @Test func `a toilet that is a fraction of a millimetre too far from its wall fails`() throws {
        func centre(_ x: Int32) throws -> PlanFinding {
            let corners: [(Int32, Int32)] = [(1, 0), (3_000, 0), (3_000, 2_500), (0, 2_500)]
            let room = Room(
                id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
            return try #require(
                try Drawing.inspection(
                    [
                        PlanItem(item: .room(room)),
                        Drawing.element("toilet", .toilet, x, 2_150, 400, 700),
                    ], ["ada"]
                ).finding("ada/toilet-centre/toilet"))
        }
        // The wall is nearest a millimetre behind the toilet's front: x - 0.28 mm.
        let over = try centre(456)
        #expect(over.verdict == .fail && over.measured == 456)
        #expect(
            try [405, 406, 455, 456].map { try centre($0).margin } == [-1, 0, 0, -1])
    }

    @Test func `something that protrudes a millimetre into a room counts`() throws {
        func turning(_ y: Int32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(2_000, 1_500, use: .bathroom),
                        Drawing.element("shelf", .cupboard, 1_000, y, 500, 100),
                    ], ["tek10"]
                ).finding("tek10/turning-bathroom/room"))
        }
        // The circle touches the wall where the shelf is.
        #expect(try turning(1_550).verdict == .pass)
        #expect(try turning(1_549).verdict == .fail)
    }

    @Test func `a door that begins above the floor has a threshold of that height`() throws {
        func threshold(sill: UInt32, _ threshold: UInt32) throws -> PlanFinding {
            let door = Opening(
                id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, sill: sill,
                clearWidth: 800, threshold: threshold)
            return try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(3_000, 2_000, use: .hall),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        PlanItem(item: .opening(door)),
                    ], ["fi"]
                ).finding("fi/threshold/door"))
        }
        #expect(try threshold(sill: 20, 0).margin == 0)
        #expect(try threshold(sill: 150, 0).verdict == .fail)
        #expect(try threshold(sill: 150, 20).margin == -130)
        #expect(try threshold(sill: 0, 0).verdict == .pass)
    }

    @Test(arguments: [0, 1, 2] as [Int32], [0, 90] as [UInt32])
    func `no wall is so near that the floor behind it counts`(gap: Int32, angle: UInt32) throws {
        // On the other side 900 mm are free. All four walls of a room take part.
        for place: Int32 in [gap + 200, 900 + 200] {
            let items: [PlanItem] =
                angle == 0
                ? [
                    Drawing.room(1_300 + gap, 2_000, use: .bathroom),
                    Drawing.element("toilet", .toilet, place, 1_650, 400, 700),
                ]
                : [
                    Drawing.room(2_000, 1_300 + gap, use: .bathroom),
                    Drawing.element("toilet", .toilet, 350, place, 400, 700, angle: angle),
                ]
            let finding = try #require(
                try Drawing.inspection(items).finding("tek17/toilet-sides/toilet"))
            #expect(finding.verdict == .fail)
            #expect((-200...(-200 + gap)).contains(finding.margin ?? 0), "\(finding.text)")
        }
    }

    @Test func `a door a millimetre from the corner has no room beside it`() throws {
        func space(
            _ corners: [(Int32, Int32)], _ hole: UInt32, leaf: UInt32, atEnd: Bool, _ rule: String
        ) throws -> PlanFinding {
            let room = Room(
                id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
            return try #require(
                try Drawing.inspection(
                    [
                        PlanItem(item: .room(room)),
                        Drawing.wall("wall", 0, -50, to: corners[1].0, -50),
                        Drawing.door(
                            "door", in: "wall", at: 1, hole: hole, leaf: leaf, atEnd: atEnd,
                            entrance: true),
                    ], [String(rule.prefix { $0 != "/" })]
                ).finding(rule))
        }
        // Only the frame is left: 38 mm, and 11.5 mm.
        let hinges = try space(
            [(0, 0), (2_012, 0), (0, 1_205)], 1_048, leaf: 972, atEnd: false,
            "husbanken/hinge-space/door")
        #expect(hinges.verdict == .fail && (38...39).contains(hinges.measured ?? 0))
        let handle = try space(
            [(0, 0), (2_335, 0), (2_335, 1_971), (1_936, 2_548), (0, 2_548)], 864, leaf: 841,
            atEnd: true, "adm2/latch-space-entrance/door")
        #expect(handle.verdict == .fail && (11...12).contains(handle.measured ?? 0))
    }

    @Test func `a measurement is never rounded up to the requirement`() {
        #expect(Judge.whole(1_499.98) == 1_499)
        #expect(Judge.whole(1_499.9999) == 1_500)
        #expect(Judge.whole(-0.5) == -1)
    }
}
