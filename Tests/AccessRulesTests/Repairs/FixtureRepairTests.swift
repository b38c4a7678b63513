import FloorPlan
import Messages
import TestSupport
import Testing

@testable import AccessRules

/// Fixtures that would have to be moved along their walls.
struct FixtureRepairTests {
    private static let rule = "tek17/toilet-sides/toilet"

    /// A bathroom with a toilet at its north wall, this far from the west wall.
    private static func bathroom(
        _ width: Int32, _ west: Int32, _ more: [PlanItem] = []
    ) -> [PlanItem] {
        [
            Drawing.room(width, 2_400, use: .bathroom),
            Drawing.element("toilet", .toilet, west + 200, 2_050, 400, 700),
        ] + more
    }

    private static func finding(
        _ items: [PlanItem], _ language: String = ""
    ) throws -> PlanFinding {
        try #require(
            try Drawing.inspection(items, language: language).findings(repairs: true)
                .first { $0.id == rule })
    }

    @Test func `a toilet is moved along its wall if nothing else helps, as building work`() throws {
        let repairs = try Self.finding(Self.bathroom(1_700, 500)).repairs
        #expect(
            repairs == [
                Repair(
                    text: "move the toilet 100 mm west along its wall, with its pipes or cables",
                    kind: .build),
                Repair(
                    text: "move the toilet 400 mm east along its wall, with its pipes or cables",
                    kind: .build),
            ])
        #expect(
            try Self.finding(Self.bathroom(1_700, 500), "nb").repairs.first?.text
                == "flytt toalettet 100 mm mot vest langs veggen, med rør eller ledninger")
        // There are 1100 mm at both sides together, or one less.
        #expect(try !Self.finding(Self.bathroom(1_500, 500)).repairs.isEmpty)
        #expect(try Self.finding(Self.bathroom(1_499, 500)).repairs == [])
    }

    @Test func `a fixture stays where it is if furniture can be moved instead`() throws {
        let chest = Drawing.element("chest", .cupboard, 1_500, 2_200, 400, 400)
        let repairs = try Self.finding(Self.bathroom(2_800, 300, [chest])).repairs
        #expect(!repairs.isEmpty && repairs.allSatisfy { $0.kind == .move }, "\(repairs)")
    }

    @Test func `a fixture with something under it isn't moved`() throws {
        // The basin is in the space at the east side of the toilet, and could move away.
        let basin = Drawing.element("basin", .washbasin, 1_400, 2_150, 600, 500)
        let alone = try Self.finding(Self.bathroom(2_400, 300, [basin])).repairs
        #expect(alone.contains { $0.text.hasPrefix("move the washbasin 500 mm east") }, "\(alone)")
        let under = Drawing.element("under", .structure, 1_400, 2_150, 500, 400)
        let fixed = try Self.finding(Self.bathroom(2_400, 300, [basin, under])).repairs
        #expect(!fixed.contains { $0.text.contains("washbasin") }, "\(fixed)")
    }

    @Test func `a fixture isn't moved away from the wall behind it`() throws {
        // The north wall steps back by 400 mm to the west of the toilet.
        let corners: [(Int32, Int32)] = [
            (0, 0), (1_700, 0), (1_700, 2_400), (480, 2_400), (480, 2_800), (0, 2_800),
        ]
        let room = Room(
            id: "room", use: .bathroom, corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let items = [
            PlanItem(item: .room(room)),
            Drawing.element("toilet", .toilet, 700, 2_050, 400, 700),
        ]
        let repairs = try Self.finding(items).repairs
        #expect(!repairs.contains { $0.text.contains("west") }, "\(repairs)")
    }

    /// The distance and the direction that a text names.
    private static func move(in text: String) -> (distance: Int32, x: Int32, y: Int32)? {
        let words = text.split(separator: " ")
        guard let unit = words.firstIndex(of: "mm"), let distance = Int32(words[unit - 1]) else {
            return nil
        }
        let ways: [Substring: (Int32, Int32)] = [
            "north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0),
        ]
        return ways[words[unit + 1]].map { (distance: distance, x: $0.0, y: $0.1) }
    }

    @Test(arguments: Seed.some(8))
    func `a fixture is moved no farther than any search of all distances finds`(seed: Seed) throws {
        var seed = seed
        let width = Int32(1_520 + seed.below(880))
        let basin = Int32(300 + seed.below(Int(width) - 600))
        let items = Self.bathroom(
            width, Int32(seed.below(Int(width) - 400)),
            [Drawing.element("basin", .washbasin, basin, 75, 600, 150, angle: 180)])
        let editor = PlanEditor(FloorPlan(items))
        func failing(_ plan: FloorPlan) throws -> Set<String> {
            let findings = try Drawing.inspection(plan.items).findings()
            return Set(findings.filter { $0.verdict == .fail }.map(\.id))
        }
        let before = try failing(editor.plan)
        // True if the toilet can be moved so, and that helps and breaks nothing.
        func works(_ distance: Int32, _ x: Int32) throws -> Bool {
            var moved = editor
            let place = PlanPoint(x: x * distance, y: 0)
            guard let outcome = try? moved.make(.move(["toilet"], by: place)),
                outcome.warnings.isEmpty,
                let centre = moved.plan.elements["toilet"]?.centre,
                (200...(width - 200)).contains(centre.x)
            else { return false }
            let after = try failing(moved.plan)
            return !after.contains(Self.rule) && after.isSubset(of: before)
        }
        let finding = try Self.finding(items)
        guard finding.verdict == .fail, let margin = finding.margin else { return }
        let offered = finding.repairs.compactMap { Self.move(in: $0.text) }
        #expect(offered.count == finding.repairs.count && offered.allSatisfy { $0.y == 0 })
        for x: Int32 in [-1, 1] {
            let found = offered.first { $0.x == x }?.distance
            if try works(-margin, x) { #expect(found != nil, "\(x)") }
            guard let found else { continue }
            #expect(try works(found, x), "\(x * found)")
            let nearer = try stride(from: Int32(10), to: found, by: 10).first { try works($0, x) }
            #expect(nearer == nil, "\(x * found)")
        }
    }
}
