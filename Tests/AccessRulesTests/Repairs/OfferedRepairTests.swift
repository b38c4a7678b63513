import FloorPlan
import Messages
import TestSupport
import Testing

@testable import AccessRules

/// Every repair that is offered works, in randomly furnished rooms.
struct OfferedRepairTests {
    /// A room with a door and items that don't overlap.
    private static func room(_ seed: inout Seed) -> FloorPlan {
        let use: RoomUse = seed.pick([.bedroom, .bathroom, .living])
        let (width, depth) = (Int32(2_200 + seed.below(1_500)), Int32(2_200 + seed.below(1_500)))
        var editor = PlanEditor(
            FloorPlan([
                Drawing.room(width, depth, use: use, height: 2_400),
                Drawing.wall("south", -100, -50, to: width + 1_500, -50),
                Drawing.wall("west", -50, 0, to: -50, depth),
                Drawing.door(
                    "door", in: "south", at: 200, hole: 950, leaf: UInt32(780 + seed.below(140)),
                    threshold: seed.oneIn(2) ? 0 : 30, right: seed.oneIn(2),
                    atEnd: seed.oneIn(2)),
            ]))
        let kinds: [ElementKind] = [.bed, .table, .cupboard, .toilet, .seat, .washbasin]
        for number in 0..<5 {
            let thing = Drawing.element(
                "thing-\(number)", seed.pick(kinds),
                Int32(300 + seed.below(Int(width) - 600)),
                Int32(300 + seed.below(Int(depth) - 600)),
                UInt32(300 + seed.below(700)), UInt32(300 + seed.below(900)),
                angle: seed.pick([0, 90, 180, 270, 31]))
            _ = try? editor.make(.add([thing]))
        }
        return editor.plan
    }

    private static func findings(
        _ plan: FloorPlan, _ standard: String, repairs: Bool = false
    ) throws -> [PlanFinding] {
        try PlanInspection(
            plan, details: PlanDetails(tolerance: 3), standards: [standard],
            chair: PersonChair(width: 760, length: 1_250)
        ).findings(repairs: repairs)
    }

    /// The ids of the findings that fail, and of those that fail for the chair.
    private static func failing(_ findings: [PlanFinding]) -> Set<String> {
        Set(findings.filter { $0.verdict == .fail }.map(\.id)).union(
            findings.filter { $0.person?.verdict == .fail }.map { $0.id + " for the chair" })
    }

    @Test(arguments: Seed.some(3), ["tek17", "husbanken", "adm"])
    func `an offered repair makes its finding pass and breaks nothing`(
        seed: Seed, standard: String
    ) throws {
        var seed = seed
        let plan = Self.room(&seed)
        let before = try Self.findings(plan, standard, repairs: true)
        let failing = Self.failing(before)
        for finding in before {
            let isForChair = finding.verdict != .fail && finding.person?.verdict == .fail
            #expect(finding.repairs.isEmpty || finding.verdict == .fail || isForChair)
            #expect(Set(finding.repairs.map(\.text)).count == finding.repairs.count, "\(finding)")
            for repair in finding.repairs where !repair.actions.isEmpty {
                var editor = PlanEditor(plan)
                for action in repair.actions {
                    expectSaid(action, repair.text, plan)
                    let outcome = try editor.make(action)
                    #expect(outcome.warnings.isEmpty, "\(repair.text)")
                }
                let after = try Self.findings(editor.plan, standard)
                let repaired = after.first { $0.id == finding.id }
                // For the chair alone, an undecided clause may stay so.
                let isKept = isForChair && repaired?.verdict == finding.verdict
                #expect(repaired?.verdict == .pass || isKept, "\(repair.text)")
                #expect(!isForChair || repaired?.person?.verdict == .pass, "\(repair.text)")
                #expect(Self.failing(after).isSubset(of: failing), "\(repair.text)")
            }
        }
    }

    /// Expects that the text of a repair describes what it does.
    private func expectSaid(_ action: PlanAction, _ text: String, _ plan: FloorPlan) {
        switch action.action {
        case .move(let move):
            let by = move.by
            let (word, distance) =
                by.x > 0
                ? ("east", by.x)
                : by.x < 0
                    ? ("west", -by.x)
                    : by.y > 0 ? ("north", by.y) : ("south", -by.y)
            #expect(text.hasSuffix(" \(distance) mm \(word)"))
        case .rotate(let rotate):
            let old = plan.elements[rotate.element]?.angle ?? 0
            let isLeft = (rotate.angle + 360_000 - old) % 360_000 == 90_000
            #expect(text.hasSuffix(isLeft ? "90 degrees to the left" : "90 degrees to the right"))
        case .replace(let item):
            guard case .opening(let new) = item.item, let old = plan.openings[new.id] else {
                Issue.record("\(action)")
                return
            }
            #expect(text.contains("other side") == (new.swingsRight != old.swingsRight))
            #expect(text.contains("other end") == (new.hingesAtEnd != old.hingesAtEnd))
        default: Issue.record("a repair that isn't known: \(action)")
        }
    }

    @Test func `of repairs that pass alone and not together, only the first is combined`() throws {
        // Each bed lacks 10 mm beside the wall, and there are 1500 mm and a rest between them.
        func combined(rest: Int32) throws -> (beds: [String], combined: [String]) {
            let items = [
                Drawing.room(6_480 + rest, 4_600, use: .bedroom, id: "bedroom"),
                Drawing.element("bed-1", .bed, 1_990, 3_500, 1_000, 2_200),
                Drawing.element("bed-2", .bed, 4_490 + rest, 3_500, 1_000, 2_200),
            ]
            let inspection = try Drawing.inspection(items, ["husbanken"])
            let findings = inspection.findings(repairs: true)
            let beds = findings.filter { $0.rule == "bed-sides" }
            for bed in beds {
                #expect(bed.verdict == .fail && bed.margin == -10)
                #expect(bed.repairs.first?.actions.count == 1, "\(bed.repairs)")
            }
            return (beds.map(\.id), inspection.combined(findings))
        }
        let narrow = try combined(rest: 10)
        #expect(narrow.beds == ["husbanken/bed-sides/bed-1", "husbanken/bed-sides/bed-2"])
        #expect(narrow.combined == ["husbanken/bed-sides/bed-1"])
        let wide = try combined(rest: 20)
        #expect(wide.combined == wide.beds)
    }

    @Test func `a finding that an earlier repair makes pass isn't repaired again`() throws {
        let items = [
            Drawing.room(4_000, 3_600, use: .bedroom, id: "bedroom"),
            Drawing.element("bed", .bed, 2_010, 2_500, 1_000, 2_200),
        ]
        let inspection = try Drawing.inspection(items, ["husbanken"])
        let finding = try #require(
            inspection.findings(repairs: true).first { $0.rule == "bed-sides" })
        #expect(inspection.combined([finding, finding]) == [finding.id])
    }
}
