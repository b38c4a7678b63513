import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The rules about turning spaces, and what they mean for a chair.
struct TurningRuleTests {
    private static func turning(
        _ width: Int32, _ depth: Int32, _ standard: String = "tek17", chair: PersonChair? = nil,
        tolerance: UInt32 = 0, with more: [PlanItem] = []
    ) throws -> PlanFinding {
        try #require(
            try Drawing.inspection(
                [Drawing.room(width, depth, use: .bathroom)] + more, [standard],
                tolerance: tolerance, chair: chair
            ).finding("\(standard)/turning-bathroom/room"))
    }

    @Test func `the rectangle in TEK17's guidance passes, though its chair can't turn in it`()
        throws
    {
        let finding = try Self.turning(
            1_300, 1_800, chair: PersonChair(width: 700, length: 1_200))

        #expect(finding.verdict == .pass)
        #expect(finding.text == "There is a place for 1300 x 1800 mm.")
        #expect(finding.required == "Ø 1500 mm or 1300 x 1800 mm")
        #expect(finding.person?.verdict == .fail)
        #expect(
            finding.person?.text == "The chair, 700 x 1200 mm, can't be turned; it needs Ø 1390 mm."
        )
        #expect(try Self.turning(1_299, 1_800).verdict == .fail)
        #expect(try Self.turning(1_300, 1_800, "tek10").verdict == .fail)
    }

    @Test(
        arguments: [(0, .pass), (20, .pass), (21, .fail), (150, .fail), (2_100, .fail)]
            as [(UInt32, Verdict)])
    func `a shower tray higher than 20 mm leaves less room to turn`(
        height: UInt32, verdict: Verdict
    ) throws {
        let tray = Drawing.element("tray", .shower, 1_550, 1_550, 900, 900, height: height)

        #expect(try Self.turning(2_000, 2_000, with: [tray]).verdict == verdict)
    }

    @Test func `a circle of 1500 mm passes, though a chair of 800 x 1300 mm can't turn in it`()
        throws
    {
        let finding = try Self.turning(
            1_500, 1_500, chair: PersonChair(width: 800, length: 1_300))

        #expect(finding.verdict == .pass)
        #expect(finding.measured == 1_500)
        #expect(finding.margin == 0)
        #expect(finding.person?.verdict == .fail)
        #expect(finding.person?.needed == 1_527)
        #expect(
            try Self.turning(1_530, 1_530, chair: PersonChair(width: 800, length: 1_300))
                .person?.verdict == .pass)
    }

    @Test func `a chair that must manoeuvre to turn is reported`() throws {
        let finding = try Self.turning(
            1_500, 1_500,
            chair: PersonChair(width: 700, length: 1_200, turningDiameter: 1_700))

        #expect(finding.person?.verdict == .pass)
        #expect(
            finding.person?.text
                == "The chair can be turned by moving to and fro; for one turn it needs Ø 1700 mm.")
    }

    @Test func `the floor that a door sweeps doesn't count where the standard says so`() throws {
        let door = [
            Drawing.wall("wall", 0, -50, to: 1_600, -50),
            Drawing.door("door", in: "wall", at: 300, clear: 860),
        ]
        #expect(try Self.turning(1_600, 1_600, with: door).verdict == .fail)
        #expect(try Self.turning(1_600, 1_600).verdict == .pass)
        #expect(try Self.turning(1_600, 1_600, "adm", with: door).verdict == .pass)
    }

    @Test func `knees pass under whatever is higher`() throws {
        func basin(_ elevation: UInt32) -> [PlanItem] {
            [Drawing.element("basin", .washbasin, 800, 1_400, 600, 400, elevation: elevation)]
        }
        #expect(try Self.turning(1_600, 1_600, with: basin(670)).verdict == .pass)
        #expect(try Self.turning(1_600, 1_600, with: basin(669)).verdict == .fail)
    }

    @Test func `a low wall cupboard stops the person, though the standard says nothing of it`()
        throws
    {
        func finding(_ elevation: UInt32) throws -> PlanFinding {
            try Self.turning(
                1_600, 1_600, chair: PersonChair(width: 700, length: 1_200),
                with: [
                    Drawing.element(
                        "cupboard", .cupboard, 800, 1_400, 600, 400, elevation: elevation)
                ])
        }
        #expect(try finding(1_000).verdict == .pass)
        #expect(try finding(1_000).person?.verdict == .fail)
        #expect(try finding(1_410).person?.verdict == .pass)
    }

    @Test(
        arguments: [
            (0, .fail), (665, .fail), (666, .uncertain), (674, .uncertain), (675, .pass),
        ] as [(UInt32, Verdict)])
    func `room for knees is uncertain within the plan's tolerance`(
        elevation: UInt32, verdict: Verdict
    ) throws {
        let basin = Drawing.element(
            "basin", .washbasin, 800, 1_400, 600, 400, elevation: elevation)
        let finding = try Self.turning(
            1_600, 1_600, chair: PersonChair(width: 700, length: 1_200), tolerance: 5,
            with: [basin])
        #expect(finding.verdict == verdict && finding.person?.verdict == verdict)
        #expect(finding.text.contains("how high above the floor") == (verdict == .uncertain))
    }

    @Test(
        arguments: [
            (1_405, .fail), (1_406, .uncertain), (1_414, .uncertain), (1_415, .pass),
        ] as [(UInt32, Verdict)])
    func `room for the head is uncertain within the plan's tolerance`(
        elevation: UInt32, verdict: Verdict
    ) throws {
        let chair = PersonChair(width: 700, length: 1_200)
        let cupboard = Drawing.element(
            "cupboard", .cupboard, 800, 1_400, 600, 400, elevation: elevation)
        let finding = try Self.turning(1_600, 1_600, chair: chair, tolerance: 5, with: [cupboard])
        #expect(finding.verdict == .pass && finding.person?.verdict == verdict)
        // Without an entrance each room is examined by itself.
        let plan = FloorPlan([Drawing.room(1_600, 1_600, use: .bathroom), cupboard])
        #expect(try reach(plan, chair: chair, tolerance: 5).rooms.first?.turned == verdict)
    }

    @Test func `what lies within the plan's tolerance is uncertain`() throws {
        #expect(try Self.turning(1_505, 1_505, "tek10", tolerance: 10).verdict == .uncertain)
        #expect(try Self.turning(1_305, 1_805, tolerance: 10).verdict == .uncertain)
        #expect(try Self.turning(1_310, 1_810, tolerance: 10).verdict == .pass)
        #expect(try Self.turning(1_289, 1_805, tolerance: 10).verdict == .fail)
    }
}
