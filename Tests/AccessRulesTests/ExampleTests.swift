import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Designs that the standards themselves call compliant.
struct ExampleTests {
    /// Example 3.12B of Approved Document M: a room with a toilet, its centre line 450 mm from the
    /// east wall, and a small basin on that wall.
    private static func cloakroom(_ width: Int32 = 1_650, _ depth: Int32 = 2_200) -> [PlanItem] {
        [
            Drawing.room(width, depth, use: .toilet, id: "wc"),
            Drawing.element("toilet", .toilet, width - 450, depth - 350, 500, 700),
            Drawing.element(
                "basin", .washbasin, width - 100, depth - 1_300, 350, 200, angle: 270,
                elevation: 650),
            Drawing.wall("wall", 0, -50, to: width, -50),
            Drawing.door("door", in: "wall", at: 330, clear: 850, leaf: 901, right: true),
        ]
    }

    private static func verdicts(
        _ items: [PlanItem], _ standard: String, _ rules: [String]
    ) throws -> [Verdict?] {
        let inspection = try Drawing.inspection(items, [standard])
        return rules.map { inspection.finding("\(standard)/\($0)")?.verdict }
    }

    private static let rules = [
        "toilet-zone/toilet", "toilet-centre/toilet", "toilet-door/door", "door/door",
        "turning-bathroom/wc",
    ]

    @Test func `the cloakroom of diagram 3.12B complies`() throws {
        #expect(
            try Self.verdicts(Self.cloakroom(), "adm", Self.rules)
                == [.pass, .pass, .pass, .pass, .pass])
        let turning = try Drawing.inspection(Self.cloakroom(), ["adm"])
            .finding("adm/turning-bathroom/wc")
        // 1523.6 mm by the formula for the circle between three lines and a corner.
        #expect(turning?.measured == 1_523)
        #expect(turning?.margin == 23)
    }

    @Test func `the cloakroom fails once it is smaller by more than its margin`() throws {
        #expect(
            try Self.verdicts(Self.cloakroom(1_649), "adm", Self.rules)
                == [.fail, .pass, .pass, .pass, .pass])
        #expect(
            try Self.verdicts(Self.cloakroom(1_650, 2_199), "adm", Self.rules)
                == [.fail, .pass, .pass, .pass, .pass])
        #expect(
            try Self.verdicts(Self.cloakroom(1_610, 2_170), "adm", Self.rules)
                == [.fail, .pass, .pass, .pass, .fail])
    }

    /// Examples 3.16A to C: a shower in a corner, the centre line of the toilet 800 mm from its
    /// edge, and 450 mm from there to the wall or a boxed-in part.
    private static func bathroom(
        _ width: Int32, _ depth: Int32, boxed: Int32, shorter: Int32 = 0
    ) -> [PlanItem] {
        let (width, depth) = (width - boxed - shorter, depth)
        return [
            Drawing.room(width, depth, use: .bathroom, id: "bath"),
            Drawing.element("shower", .shower, 600, depth - 600, 1_200, 1_200),
            Drawing.element("toilet", .toilet, width - 450, depth - 350, 500, 700),
        ]
    }

    @Test(arguments: [(2_600, 2_200, 150), (2_450, 2_450, 0), (2_450, 2_200, 0)])
    func `the bathrooms of diagram 3.16 comply`(width: Int32, depth: Int32, boxed: Int32) throws {
        let rules = [
            "toilet-zone/toilet", "toilet-centre/toilet", "shower/shower",
            "turning-bathroom/bath",
        ]
        #expect(
            try Self.verdicts(Self.bathroom(width, depth, boxed: boxed), "adm", rules)
                == [.pass, .pass, .pass, .pass])
    }

    /// The access zone of the toilet is 2200 mm deep, and 1550 mm wide with a shower 100 mm away
    /// from it.
    @Test(arguments: [(2_600, 2_200, 150), (2_450, 2_450, 0), (2_450, 2_200, 0)])
    func `the bathrooms of diagram 3.16 fail once they are smaller by more than their margin`(
        width: Int32, depth: Int32, boxed: Int32
    ) throws {
        func zone(shorter: Int32 = 0, depth: Int32) throws -> Verdict? {
            try Self.verdicts(
                Self.bathroom(width, depth, boxed: boxed, shorter: shorter), "adm",
                ["toilet-zone/toilet"])[0]
        }
        #expect(try zone(depth: 2_200) == .pass)
        #expect(try zone(depth: 2_199) == .fail)
        #expect(try zone(shorter: 100, depth: depth) == .pass)
        #expect(try zone(shorter: 101, depth: depth) == .fail)
    }

    @Test func `a turning space may overlap a shower by at most 500 mm`() throws {
        func turning(_ depth: Int32) throws -> Verdict? {
            try Self.verdicts(
                [
                    Drawing.room(1_500, depth, use: .bathroom, id: "bath"),
                    Drawing.element("shower", .shower, 750, depth - 500, 1_500, 1_000),
                ], "adm", ["turning-bathroom/bath"])[0]
        }
        #expect(try turning(2_000) == .pass)
        #expect(try turning(1_999) == .fail)
    }

    /// Plan 2B of the ADA's rule making: 84 by 78 inches, the toilet with its rear to the west.
    private static func singleUser(_ width: Int32, _ depth: Int32) -> [PlanItem] {
        [
            Drawing.room(width, depth, use: .toilet, id: "wc"),
            Drawing.element("toilet", .toilet, 350, 430, 500, 700, angle: 90),
            Drawing.element(
                "basin", .washbasin, 250, depth - 225, 450, 500, angle: 90, elevation: 690),
        ]
    }

    /// Plan 1B, 84 by 60 inches, which the standard converts to 1525 mm. The turning space fills
    /// the room from wall to wall next to the toilet, and extends under the basin.
    private static func planOneB(depth: Int32 = 1_525, basin elevation: UInt32 = 690) -> [PlanItem]
    {
        [
            Drawing.room(2_134, depth, use: .toilet, id: "wc"),
            Drawing.element("toilet", .toilet, 300, 430, 360, 600, angle: 90),
            Drawing.element(
                "basin", .washbasin, 1_750, depth - 225, 500, 450, elevation: elevation),
        ]
    }

    @Test func `the single-user toilet rooms of the ADA comply`() throws {
        let rules = ["toilet-clearance/toilet", "toilet-centre/toilet", "turning-bathroom/wc"]
        #expect(
            try Self.verdicts(Self.singleUser(2_134, 1_981), "ada", rules)
                == [.pass, .pass, .pass])
        #expect(
            try Self.verdicts(Self.planOneB(), "ada", rules) == [.pass, .pass, .pass])
        #expect(
            try Self.verdicts(Self.planOneB(depth: 1_524), "ada", rules) == [.fail, .pass, .fail])
        // A basin that hangs too low for knees leaves no turning space.
        #expect(
            try Self.verdicts(Self.planOneB(basin: 684), "ada", rules) == [.pass, .pass, .fail])
        #expect(
            try Self.verdicts(Self.singleUser(2_134, 1_524), "ada", rules).first == .fail)
        #expect(
            try Self.verdicts(Self.singleUser(1_500, 1_500), "ada", rules)
                == [.fail, .pass, .fail])
    }
}
