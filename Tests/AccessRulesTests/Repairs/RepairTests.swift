import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// The repairs offered to make a finding pass.
struct RepairTests {
    private static func finding(
        _ items: [PlanItem], _ rule: String, language: String = "", tolerance: UInt32 = 0,
        chair: PersonChair? = nil
    ) throws -> PlanFinding {
        let standard = String(rule.prefix { $0 != "/" })
        let inspection = try Drawing.inspection(
            items, [standard], tolerance: tolerance, chair: chair, language: language)
        return try #require(inspection.findings(repairs: true).first { $0.id == rule })
    }

    /// A bedroom of 3.2 by 3.5 m with a bed 100 mm from the north wall.
    private static let bedroom = [
        Drawing.room(3_200, 3_500, use: .bedroom, id: "bedroom"),
        Drawing.element("bed", .bed, 1_300, 2_300, 2_000, 2_200),
        Drawing.element("chest", .cupboard, 3_000, 3_000, 400, 800),
    ]

    @Test func `a bed is moved no farther than necessary`() throws {
        // 1200 mm remain at its foot; the rectangle needs 1300.
        let finding = try Self.finding(Self.bedroom, "tek17/turning-living/bedroom")
        let first = try #require(finding.repairs.first)

        #expect(finding.verdict == .fail)
        #expect(first.text == "move the bed 100 mm north")
        #expect(
            first.actions == [
                PlanAction(
                    action: .move(MoveItems(ids: ["bed"], by: PlanPoint(x: 0, y: 100))))
            ])
        for repair in finding.repairs {
            try expectRepaired(Self.bedroom, repair, "tek17/turning-living/bedroom")
        }
    }

    /// Makes a repair in the plan and checks it again.
    private func expectRepaired(
        _ items: [PlanItem], _ repair: Repair, _ rule: String
    ) throws {
        var editor = PlanEditor(FloorPlan(items))
        for action in repair.actions {
            switch action.action {
            case .move(let move):
                _ = try editor.make(.move(move.ids, by: move.by))
            case .rotate(let rotate):
                _ = try editor.make(.rotate(rotate.element, to: rotate.angle))
            case .replace(let item): _ = try editor.make(.replace(item))
            default: Issue.record("a repair that isn't known: \(action)")
            }
        }
        let before = try Drawing.inspection(items).findings()
        let after = try Drawing.inspection(editor.plan.items).findings()
        #expect(after.first { $0.id == rule }?.verdict == .pass, "\(repair.text)")
        let failing = Set(before.filter { $0.verdict == .fail }.map(\.id))
        #expect(
            Set(after.filter { $0.verdict == .fail }.map(\.id)).isSubset(of: failing),
            "\(repair.text)")
    }

    @Test func `repairs are described in Norwegian`() throws {
        let finding = try Self.finding(
            Self.bedroom, "tek17/turning-living/bedroom", language: "nb")

        #expect(finding.repairs.first?.text == "flytt sengen 100 mm mot nord")
    }

    /// A bathroom whose door is in the south wall and opens inwards.
    private static func bathroom(right: Bool = false, clear: UInt32 = 860) -> [PlanItem] {
        [
            Drawing.room(1_600, 1_900, use: .bathroom, id: "bathroom"),
            Drawing.wall("wall", -100, -50, to: 2_500, -50),
            Drawing.door(
                "door", in: "wall", at: 400, clear: clear, leaf: clear + 51, right: right),
        ]
    }

    @Test func `a door that sweeps the turning space is rehung to open outwards`() throws {
        let finding = try Self.finding(Self.bathroom(), "tek17/turning-bathroom/bathroom")

        #expect(finding.verdict == .fail)
        #expect(
            finding.repairs.first?.text
                == "hang the door (door) so that it opens to the other side of the wall")
        try expectRepaired(
            Self.bathroom(), try #require(finding.repairs.first),
            "tek17/turning-bathroom/bathroom")
    }

    @Test func `a door that is too narrow gets a wider leaf, which is described but not drawn`()
        throws
    {
        let finding = try Self.finding(
            Self.bathroom(right: true, clear: 700), "tek17/door-inside/door")

        #expect(
            finding.repairs == [
                Repair(
                    text: "put a wider leaf into the door; a leaf of 811 mm gives 760 mm clear",
                    kind: .build)
            ])
    }

    @Test func `an obstacle to a door is moved far enough for the door to open as required`()
        throws
    {
        let items = [
            Drawing.room(3_000, 3_000, use: .bedroom, id: "bedroom"),
            Drawing.wall("wall", 0, -50, to: 3_000, -50),
            Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: 800),
            Drawing.element("desk", .table, 1_300, 800, 400, 400, label: "Desk"),
        ]
        let finding = try Self.finding(items, "tek17/door-inside/door")

        #expect(finding.verdict == .fail)
        #expect(
            finding.repairs.map(\.text) == [
                "move “Desk” 300 mm north", "move “Desk” 500 mm west", "move “Desk” 570 mm east",
            ])
        for repair in finding.repairs {
            try expectRepaired(items, repair, "tek17/door-inside/door")
        }
    }

    @Test func `if the clause passes, the repair makes room for the chair`() throws {
        let chair = PersonChair(width: 700, length: 1_200)
        // 1300 mm at the foot of a bed from wall to wall: enough for the clause, and the chair
        // needs 1390 to turn.
        func room(_ depth: Int32) -> [PlanItem] {
            [
                Drawing.room(2_000, depth, use: .bedroom, id: "bedroom"),
                Drawing.element("bed", .bed, 1_000, 2_400, 2_000, 2_200),
            ]
        }
        let rule = "tek17/turning-living/bedroom"
        let finding = try Self.finding(room(3_700), rule, chair: chair)

        #expect(finding.verdict == .pass && finding.person?.verdict == .fail)
        #expect(finding.repairs.first?.text == "move the bed 90 mm north")
        #expect(try Self.finding(room(3_700), rule).repairs == [])
        #expect(
            try !Self.finding(room(3_580), rule, chair: chair).repairs
                .contains { $0.text.hasSuffix("north") })
    }

    @Test func `a door too narrow for the chair alone gets a leaf for the chair`() throws {
        let finding = try Self.finding(
            Self.bathroom(right: true, clear: 780), "tek17/door-inside/door", tolerance: 5,
            chair: PersonChair(width: 800, length: 1_300))

        #expect(finding.verdict == .pass && finding.person?.verdict == .fail)
        #expect(
            finding.repairs == [
                Repair(
                    text: "put a wider leaf into the door; a leaf of 856 mm gives 805 mm clear",
                    kind: .build)
            ])
    }

    @Test func `a door isn't widened if its wall has no room for it`() throws {
        let items = [
            Drawing.wall("wall", 0, 0, to: 800, 0),
            Drawing.door("door", in: "wall", at: 0, hole: 800, clear: 700),
        ]
        #expect(try Self.finding(items, "tek17/door-inside/door").repairs == [])
    }

    /// A care bed in a room that is wide enough, or not.
    private static func careRoom(_ width: Int32) -> [PlanItem] {
        [
            Drawing.room(width, 3_600, use: .bedroom, id: "bedroom"),
            Drawing.element("bed", .bed, 2_010, 2_500, 1_000, 2_200),
        ]
    }

    @Test func `no repair is offered that makes another finding fail`() throws {
        #expect(
            try Self.finding(Self.careRoom(4_000), "husbanken/bed-sides/bed").repairs.map(\.text)
                == ["move the bed 10 mm west"])
        #expect(try Self.finding(Self.careRoom(3_999), "husbanken/bed-sides/bed").repairs == [])

        let inspection = try Drawing.inspection(Self.careRoom(4_000), ["husbanken"])
        let trial = Trial(inspection, around: Bounds([Vector(0, 0), Vector(4_000, 3_600)]))
        let found = try #require(
            inspection.sorted.first { $0.finding.id == "husbanken/bed-sides/bed" })
        func repairs(_ x: Int32, _ y: Int32) throws -> Bool {
            let changes = trial.changes(by: .move(["bed"], by: PlanPoint(x: x, y: y)))
            return trial.isRepaired(found, by: try #require(changes))
        }
        #expect(try repairs(-10, 0))
        // The sides are wide enough then, but there are only 1399 mm at the foot.
        #expect(try !repairs(-10, -1))
    }

    @Test func `a threshold is lowered to the allowed height`() throws {
        let items = [
            Drawing.wall("wall", 0, 0, to: 3_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 900, threshold: 60),
        ]
        #expect(
            try Self.finding(items, "tek10/threshold/door").repairs
                == [
                    Repair(
                        text: "lay a ramp on each side of the door, 900 mm wide, 720 mm long and "
                            + "60 mm high", kind: .aid),
                    Repair(text: "lower the threshold of the door to 25 mm", kind: .build),
                ])
        #expect(try Self.finding(items, "tek17/threshold/door").verdict == .unknown)
    }

    @Test func `a threshold that only the chair doesn't get over is repaired too`() throws {
        func repairs(_ threshold: UInt32, tolerance: UInt32 = 0) throws -> [String] {
            let items = [
                Drawing.wall("wall", 0, 0, to: 3_000, 0),
                Drawing.door("door", in: "wall", at: 500, clear: 900, threshold: threshold),
            ]
            let finding = try Self.finding(
                items, "tek17/threshold/door", tolerance: tolerance,
                chair: PersonChair(width: 650, length: 1_100))
            #expect(finding.verdict == .unknown)
            return finding.repairs.map(\.text)
        }
        #expect(
            try repairs(60) == [
                "lay a ramp on each side of the door, 900 mm wide, 720 mm long and 60 mm high",
                "lower the threshold of the door to 25 mm",
            ])
        #expect(try repairs(60, tolerance: 5).contains("lower the threshold of the door to 20 mm"))
        #expect(try repairs(25) == [])
    }
}
