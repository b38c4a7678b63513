import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Openings without a leaf: what a rule asks of the way through a door is asked of them, too; what
/// it asks of a leaf or beside a handle isn't.
struct BareOpeningTests {
    static let standards = RuleBook.sets.map(\.standard)

    private static func gap(
        width: UInt32 = 900, height: UInt32 = 2_100, threshold: UInt32 = 0,
        entrance: Bool = false, isUnknown: Bool = false
    ) -> Opening {
        Opening(
            id: "gap", wall: "wall", kind: .passage, offset: 1_000, width: width, height: height,
            threshold: threshold, entrance: entrance, thresholdUnknown: isUnknown)
    }

    /// A bathroom with an opening in its south wall.
    private static func inspection(
        _ gap: Opening, _ standard: String = "tek17", chair: PersonChair? = nil
    ) throws -> PlanInspection {
        try Drawing.inspection(
            [
                Drawing.room(3_000, 3_000, use: .bathroom),
                Drawing.wall("wall", 0, -50, to: 3_000, -50), PlanItem(item: .opening(gap)),
            ], [standard], chair: chair)
    }

    /// The rules of a standard that ask something of the way through an opening.
    private static func rules(
        _ standard: String, _ gap: Opening, _ measures: [Measure]
    ) throws -> [Rule] {
        let set = try #require(RuleBook.sets.first { $0.standard == standard })
        return set.rules.filter { rule in
            measures.contains(rule.measure) && rule.doors?.includes(gap) == true
        }
    }

    @Test(arguments: standards, [false, true])
    func `an opening of 600 mm without a leaf is too narrow for every standard`(
        standard: String, isEntrance: Bool
    ) throws {
        let gap = Self.gap(width: 600, entrance: isEntrance)
        let inspection = try Self.inspection(gap, standard)
        let rules = try Self.rules(standard, gap, [.doorWidth])

        #expect(!rules.isEmpty)
        for rule in rules {
            let finding = inspection.finding("\(standard)/\(rule.id)/gap")
            #expect(finding?.verdict == .fail, "\(rule.id)")
            #expect(finding?.measured == 600, "\(rule.id)")
        }
    }

    @Test(arguments: standards)
    func `a step of 60 mm in an opening without a leaf passes no standard`(
        standard: String
    ) throws {
        let chair = PersonChair(width: 700, length: 1_200)
        var judged = 0
        for isEntrance in [false, true] {
            let gap = Self.gap(threshold: 60, entrance: isEntrance)
            let inspection = try Self.inspection(gap, standard, chair: chair)
            for rule in try Self.rules(standard, gap, [.threshold]) {
                let finding = inspection.finding("\(standard)/\(rule.id)/gap")
                // TEK17 has no number: what the step means for a chair is known.
                let expected: Verdict = rule.atMost == nil ? .unknown : .fail
                #expect(finding?.verdict == expected, "\(rule.id)")
                #expect(finding?.person?.verdict == .fail, "\(rule.id)")
                judged += 1
            }
        }
        #expect(judged > 0)
    }

    @Test(arguments: standards, [false, true])
    func `a wide, level opening passes, and nothing is said of a leaf or a handle`(
        standard: String, isEntrance: Bool
    ) throws {
        // A frame of 40 mm would make it too low for DIN 18040.
        let gap = Self.gap(height: 2_050, entrance: isEntrance)
        let found = try Self.inspection(gap, standard).findings().filter { $0.item == "gap" }
        let rules = try Self.rules(standard, gap, [.doorWidth, .doorHeight, .threshold])

        #expect(Set(found.map(\.rule)) == Set(rules.map(\.id)))
        #expect(found.allSatisfy { $0.verdict == .pass }, "\(found.map(\.text))")
    }

    @Test func `a frame takes from the height of an opening without a leaf`() throws {
        var framed = Self.gap(height: 2_039)
        framed.clearWidth = 820
        let found = try Self.inspection(framed).finding("tek17/door-height/gap")

        // The frame takes 40 mm of the height, give or take 40 mm.
        #expect(found?.measured == 1_999 && found?.verdict == .uncertain)
    }

    @Test(arguments: [
        ("threshold", "Threshold: not known, it has to be measured."),
        (
            "door-height",
            "Nobody measured whether the opening has a threshold, which would make it lower: "
                + "measure that."
        ),
    ])
    func `a threshold that nobody measured is unknown without a leaf, too`(
        rule: String, text: String
    ) throws {
        let found = try Self.inspection(Self.gap(isUnknown: true)).finding("tek17/\(rule)/gap")
        #expect(found?.verdict == .unknown)
        #expect(found?.text == text)
    }

    @Test func `what stands in an opening without a leaf takes from its width`() throws {
        var inspection = try Self.inspection(Self.gap())
        #expect(inspection.finding("tek17/door-inside/gap")?.verdict == .pass)

        let post = Drawing.element("post", .structure, 1_100, -50, 200, 200)
        inspection.apply([ItemChange(after: post)])

        let narrowed = inspection.finding("tek17/door-inside/gap")
        #expect(narrowed?.verdict == .fail && narrowed?.measured == 700)
    }

    @Test(arguments: [nil, 560] as [UInt32?])
    func `an opening without a leaf is widened, and gets none`(clear: UInt32?) throws {
        var gap = Self.gap(width: 600)
        gap.clearWidth = clear
        let found = try Self.inspection(gap).findings(repairs: true)
            .first { $0.id == "tek17/door-inside/gap" }

        #expect(
            found?.repairs
                == [Repair(text: "widen the opening to 760 mm clear", kind: .build)])
    }

    @Test func `an opening without a leaf that becomes a window has no findings any more`() throws {
        let gap = Self.gap(width: 600)
        var window = gap
        window.kind = .window
        var inspection = try Self.inspection(gap)
        #expect(inspection.findings().contains { $0.item == "gap" })

        inspection.apply([
            ItemChange(
                before: PlanItem(item: .opening(gap)), after: PlanItem(item: .opening(window)))
        ])
        #expect(!inspection.findings().contains { $0.item == "gap" })
    }
}
