import FloorPlan
import Messages
import TestSupport
import Testing

@testable import AccessRules

/// What is beside a required space by less than the tolerance may stand in it.
struct AsideTests {
    private static func finding(
        _ items: [PlanItem], _ rule: String, tolerance: UInt32
    ) throws -> PlanFinding {
        let standard = String(rule.prefix { $0 != "/" })
        return try #require(
            try Drawing.inspection(
                items, [standard], tolerance: tolerance,
                chair: PersonChair(width: 700, length: 1_200)
            ).finding(rule))
    }

    /// A toilet at the north wall with 300 mm to its west and 1000 mm to its east, and a shelf.
    private static func toilet(_ shelf: PlanItem) -> [PlanItem] {
        [
            Drawing.room(1_700, 2_400, use: .bathroom),
            Drawing.element("toilet", .toilet, 500, 2_050, 400, 700), shelf,
        ]
    }

    @Test(
        arguments: [
            (0, 0, .pass), (9, 10, .uncertain), (10, 10, .pass), (-9, 10, .uncertain),
            (-11, 10, .fail),
        ] as [(Int32, UInt32, Verdict)])
    func `a shelf that is just beyond the space at the side of a toilet may be in it`(
        gap: Int32, tolerance: UInt32, verdict: Verdict
    ) throws {
        // The front of the toilet is at 1700 mm. The shelf is 200 mm from its side.
        let shelf = Drawing.element("shelf", .cupboard, 1_000, 1_600 - gap, 200, 200)
        let finding = try Self.finding(
            Self.toilet(shelf), "tek17/toilet-sides/toilet", tolerance: tolerance)
        #expect(finding.verdict == verdict, "\(finding.text)")
        if gap == 9 {
            #expect(
                finding.text
                    == "Whether something beside this space stands in it is too close to tell: "
                    + "measure how near it is.")
            #expect(finding.person?.verdict == .uncertain && finding.measured == nil)
        }
    }

    @Test(arguments: [(1_505, .uncertain), (1_510, .pass)] as [(Int32, Verdict)])
    func `what is beside a bench can't come before it, and what is farther out can`(
        west: Int32, verdict: Verdict
    ) throws {
        func finding(_ more: [PlanItem]) throws -> PlanFinding {
            try Self.finding(
                [
                    Drawing.room(3_000, 2_200, use: .kitchen),
                    Drawing.element("bench", .kitchenBench, 1_000, 1_900, 1_000, 600),
                    // It stands beside the bench, and 50 mm farther out.
                    Drawing.element("fridge", .appliance, 1_800, 1_875, 600, 650),
                ] + more, "din18040/kitchen-front/bench", tolerance: 10)
        }
        #expect(try finding([]).verdict == .pass)
        let table = Drawing.element("table", .table, west + 300, 1_200, 600, 400)
        #expect(try finding([table]).verdict == verdict)
    }

    @Test(arguments: [(770, .uncertain), (780, .pass)] as [(Int32, Verdict)])
    func `walls beside a basin may be nearer if the floor has to be wider than the basin`(
        width: Int32, verdict: Verdict
    ) throws {
        // It needs 760 mm.
        let items = [
            Drawing.room(width, 2_000, use: .bathroom),
            Drawing.element("basin", .washbasin, width / 2, 1_750, 600, 500),
        ]
        let finding = try Self.finding(items, "ada/basin-front/basin", tolerance: 10)
        #expect(finding.verdict == verdict, "\(finding.text)")
    }

    @Test(arguments: [(1_304, .uncertain), (1_305, .pass)] as [(Int32, Verdict)])
    func `a cupboard just beyond the space beside a handle may be in it`(
        y: Int32, verdict: Verdict
    ) throws {
        // It begins 100 mm nearer to the wall, from which the space extends 1200 mm.
        let items = try DrawnRoom(
            """
            room hall 3000x3000; wall south; door south 1000 980 leaf=900 end entrance; \
            cupboard 800,\(y) 400x200
            """
        ).items
        let finding = try Self.finding(items, "adm2/latch-space-entrance/door", tolerance: 5)
        #expect(finding.verdict == verdict, "\(finding.text)")
    }

    @Test(arguments: Seed.some(40))
    func `what passes still passes wherever a thing may really be`(
        seed: Seed
    ) throws {
        var seed = seed
        let place = (x: Int32(600 + seed.below(800)), y: Int32(1_200 + seed.below(1_000)))
        let size = (UInt32(100 + seed.below(500)), UInt32(100 + seed.below(500)))
        let angle: UInt32 = seed.pick([0, 0, 45, 90, 100])
        func shelf(_ x: Int32, _ y: Int32) -> PlanItem {
            Drawing.element(
                "shelf", .cupboard, place.x + x, place.y + y, size.0, size.1, angle: angle)
        }
        let rule = "tek17/toilet-sides/toilet"
        let found = try Self.finding(Self.toilet(shelf(0, 0)), rule, tolerance: 20)
        guard found.verdict == .pass else { return }
        for x: Int32 in [-19, 0, 19] {
            for y: Int32 in [-19, 0, 19] {
                let items = Self.toilet(shelf(x, y))
                let outlines = FloorPlan(items).elements.values.map(\.outline)
                // It can't be in the toilet.
                guard Overlap(outlines[0], outlines[1]) == nil else { continue }
                let moved = try Self.finding(items, rule, tolerance: 0)
                #expect(moved.verdict == .pass, "\(x), \(y): \(moved.text)")
            }
        }
    }
}
