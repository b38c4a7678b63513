import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The rules about doors.
struct DoorRuleTests {
    private static func door(
        clear: UInt32? = nil, leaf: UInt32? = nil, entrance: Bool = false,
        _ standard: String = "tek17", tolerance: UInt32 = 0, thickness: UInt32 = 100,
        chair: PersonChair? = nil
    ) throws -> PlanInspection {
        try Drawing.inspection(
            [
                Drawing.wall("wall", 0, 0, to: 3_000, 0, thickness: thickness),
                Drawing.door(
                    "door", in: "wall", at: 500, clear: clear, leaf: leaf, entrance: entrance),
            ], [standard], tolerance: tolerance, chair: chair)
    }

    @Test func `a door inside a dwelling needs 760 mm, not the 860 mm of an entrance`() throws {
        let inside = try #require(
            try Self.door(clear: 760).finding("tek17/door-inside/door"))
        let entrance = try #require(
            try Self.door(clear: 760, entrance: true).finding("tek17/door-entrance/door"))

        #expect(inside.verdict == .pass)
        #expect(inside.margin == 0)
        #expect(inside.clause == "§ 12-13 (2) b")
        #expect(entrance.verdict == .fail)
        #expect(entrance.margin == -100)
        #expect(entrance.text == "Free width: 760 mm, 100 mm too little.")
        #expect(try Self.door(clear: 760).finding("tek17/door-entrance/door") == nil)
    }

    @Test func `the same door may pass one edition of a standard and fail another`() throws {
        #expect(
            try Self.door(clear: 780, "tek10").finding("tek10/door-inside/door")?.verdict == .fail)
        #expect(try Self.door(clear: 780).finding("tek17/door-inside/door")?.verdict == .pass)
    }

    @Test func `a width that follows from the leaf is less certain than a measured one`() throws {
        let derived = try #require(
            try Self.door(leaf: 821).finding("tek17/door-inside/door"))

        #expect(derived.measured == 770)
        #expect(derived.verdict == .uncertain)
        #expect(derived.tolerance == 15)
        #expect(try Self.door(clear: 770).finding("tek17/door-inside/door")?.verdict == .pass)
        #expect(try Self.door(leaf: 826).finding("tek17/door-inside/door")?.verdict == .pass)
    }

    @Test func `what lies within the plan's tolerance is uncertain`() throws {
        func verdict(_ clear: UInt32) throws -> Verdict? {
            try Self.door(clear: clear, tolerance: 5).finding("tek17/door-inside/door")?.verdict
        }
        #expect(try verdict(764) == .uncertain)
        #expect(try verdict(756) == .uncertain)
        #expect(try verdict(765) == .pass)
        #expect(try verdict(755) == .fail)
    }

    @Test(
        arguments: [
            (605, 850, 10, .uncertain), (615, 850, 10, .uncertain), (610, 850, 10, .uncertain),
            (605, 850, 0, .pass), (611, 850, 0, .fail), (600, 850, 10, .pass),
            (620, 850, 10, .fail), (605, 925, 10, .pass), (605, 800, 10, .fail),
        ] as [(UInt32, UInt32, UInt32, Verdict)])
    func `how wide a door must be is uncertain if its wall may be too thick for the lesser width`(
        thickness: UInt32, clear: UInt32, tolerance: UInt32, verdict: Verdict
    ) throws {
        // In a wall thicker than 610 mm a door needs 915 mm, otherwise 815 mm.
        let finding = try #require(
            try Self.door(clear: clear, "ada", tolerance: tolerance, thickness: thickness)
                .finding("ada/door/door"))

        #expect(finding.verdict == verdict, "\(finding.text)")
        guard verdict == .uncertain else { return }
        #expect(
            finding.text
                == "The wall is \(thickness) mm thick, too close to 610 mm to tell whether 815 or "
                + "915 mm are required.")
    }

    @Test func `a finding says whether the chair fits, even if the clause passes`() throws {
        let finding = try #require(
            try Self.door(clear: 780, chair: PersonChair(width: 800, length: 1_300))
                .finding("tek17/door-inside/door"))

        #expect(finding.verdict == .pass)
        #expect(
            finding.person
                == PersonFinding(
                    verdict: .fail,
                    text: "The chair is 800 mm wide and doesn't pass; 20 mm are missing.",
                    needed: 800, margin: -20))
    }

    @Test(arguments: ["tek17/threshold/door", "husbanken/threshold-inside/door"])
    func `a missing threshold is recognised however imprecise the plan`(
        id: String
    ) throws {
        let items = [
            Drawing.wall("wall", 0, 0, to: 3_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 900),
        ]
        let inspection = try Drawing.inspection(items, ["tek17", "husbanken"], tolerance: 5)
        let finding = try #require(inspection.finding(id))
        #expect(finding.verdict == .pass && finding.text == "There is no threshold.")
    }

    @Test func `a door that a wall of its room keeps from opening fails, until the wall is moved`()
        throws
    {
        func items(_ depth: Int32, _ more: [PlanItem] = []) -> [PlanItem] {
            [
                Drawing.room(4_000, depth, use: .hall, id: "Corridor"),
                Drawing.wall("wall", 0, -50, to: 4_000, -50),
                Drawing.door("door", in: "wall", at: 1_000, hole: 900, leaf: 826),
            ] + more
        }
        func door(_ inspection: PlanInspection) throws -> PlanFinding {
            try #require(inspection.finding("tek17/door-inside/door"))
        }
        var inspection = try Drawing.inspection(items(800))
        let bare = try door(inspection)
        #expect(bare.verdict == .fail && bare.measured == 571)
        #expect(
            bare.text.hasSuffix(
                "The door opens only to 75 degrees: a wall of Corridor is in the way."),
            "\(bare.text)")
        let north = Drawing.wall("north", 4_000, 850, to: 0, 850)
        let drawn = try door(Drawing.inspection(items(800, [north])))
        #expect(drawn.measured == 571)
        #expect(drawn.text.hasSuffix("75 degrees: the wall is in the way."), "\(drawn.text)")

        inspection.apply([ItemChange(before: items(800)[0], after: items(830)[0])])
        let wide = try door(inspection)
        #expect(wide.verdict == .pass && wide.measured == 775)
    }

    @Test(arguments: ["tek17/threshold/door", "husbanken/threshold-inside/door"])
    func `a threshold that nobody measured is unknown`(id: String) throws {
        func finding(_ change: (inout Opening) -> Void = { _ in }) throws -> PlanFinding {
            var door = Opening(
                id: "door", wall: "wall", kind: .door, offset: 500, width: 1_000, clearWidth: 900,
                thresholdUnknown: true)
            change(&door)
            let items = [
                Drawing.wall("wall", 0, 0, to: 3_000, 0), PlanItem(item: .opening(door)),
            ]
            return try #require(
                try Drawing.inspection(items, ["tek17", "husbanken"]).finding(id))
        }
        let unknown = try finding()
        #expect(unknown.verdict == .unknown && unknown.measured == nil)
        #expect(unknown.text == "Threshold: not known, it has to be measured.")
        #expect(try finding { $0.thresholdUnknown = false }.verdict == .pass)
        // A height is known, whatever else was not.
        #expect(try finding { $0.threshold = 20 }.measured == 20)
        #expect(try finding { $0.sill = 20 }.measured == 20)
    }

    @Test(arguments: [(2_200, .unknown), (2_000, .fail)] as [(UInt32, Verdict)])
    func `a door above a threshold that nobody measured is high enough for no rule`(
        height: UInt32, verdict: Verdict
    ) throws {
        func finding(isUnknown: Bool) throws -> PlanFinding {
            let door = Opening(
                id: "door", wall: "wall", kind: .door, offset: 500, width: 1_000, height: height,
                clearWidth: 900, thresholdUnknown: isUnknown)
            let items = [
                Drawing.wall("wall", 0, 0, to: 3_000, 0), PlanItem(item: .opening(door)),
            ]
            return try #require(
                try Drawing.inspection(items).finding("tek17/door-height/door"))
        }
        // The frame takes 40 mm of the height, give or take 40 mm.
        #expect(try finding(isUnknown: false).verdict == (height == 2_200 ? .pass : .fail))
        let unknown = try finding(isUnknown: true)
        #expect(unknown.verdict == verdict)
        // It isn't the height that has to be measured.
        #expect(unknown.text.hasSuffix("lower: measure that.") == (verdict == .unknown))
    }

    @Test(arguments: [false, true])
    func `the space beside a handle isn't free where another door opens over it`(
        opensIntoRoom: Bool
    ) throws {
        let finding = try #require(
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.door("door", in: "wall", at: 500, hole: 900, leaf: 860),
                    Drawing.door(
                        "other", in: "wall", at: 1_600, hole: 900, leaf: 860,
                        right: !opensIntoRoom),
                ], ["husbanken"]
            ).finding("husbanken/latch-space/door"))

        #expect(finding.verdict == (opensIntoRoom ? .fail : .pass))
    }

    @Test(arguments: [(820, .pass), (880, .fail)] as [(UInt32, Verdict)])
    func `a frame is no wider than a measured clear width leaves`(
        clear: UInt32, verdict: Verdict
    ) throws {
        // 475 mm beside the opening of 900 mm, and the frame of a leaf that nobody measured: 40 or
        // 10 mm, give or take 15.
        let items = try DrawnRoom(
            "room hall 3000x2000; wall south; door south 475 900 clear=\(clear) end"
        ).items
        let finding = try Drawing.inspection(items, ["husbanken"])
            .finding("husbanken/latch-space/door")
        #expect(finding?.verdict == verdict, "\(String(describing: finding))")
    }

    @Test func `the space beside the handle depends on the side the door opens to`() throws {
        func finding(_ offset: UInt32, right: Bool) throws -> PlanFinding? {
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 2_000, use: .bathroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    // The handle is towards the start of the wall, in the west.
                    Drawing.door(
                        "door", in: "wall", at: offset, hole: 980, leaf: 900, right: right,
                        atEnd: true),
                ], ["adm"]
            ).finding("adm/\(right ? "push" : "latch")-space/door")
        }
        #expect(try finding(260, right: false)?.margin == 0)
        #expect(try finding(259, right: false)?.verdict == .fail)
        #expect(try finding(160, right: true)?.margin == 0)
    }

    @Test func `the door of a toilet opens outwards in England`() throws {
        func verdict(right: Bool) throws -> Verdict {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(3_000, 2_000, use: .toilet),
                        Drawing.wall("wall", 0, -50, to: 3_000, -50),
                        Drawing.door("door", in: "wall", at: 500, clear: 900, right: right),
                    ], ["adm"]
                ).finding("adm/toilet-door/door")
            ).verdict
        }
        #expect(try verdict(right: false) == .fail)
        #expect(try verdict(right: true) == .pass)
    }

    @Test func `an unknown standard is refused with a list of the known ones`() throws {
        #expect(
            throws: Refusal.notFound(
                "there are no rules of the standard “tek97”; there are those of ada, adm, "
                    + "adm2, din18040, fi, husbanken, tek10, tek17"
            ).because(.standardMissing, of: "tek97")
        ) { _ = try Self.door("tek97") }
    }
}
