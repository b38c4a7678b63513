import FloorPlan
import Foundation
import Messages
import PlanFiles
import TestSupport
import Testing

@testable import AccessRules

/// The rules in homes that someone else drew.
struct RealHomeTests {
    static let folder = Recordings.folder("plan")
    static let missing: Comment = "\(Recordings.variable) names no folder with plans"
    static let homes = [
        "1-BedroomApartment", "2-BedroomApartment", "3-BedroomApartment", "Studio",
    ]

    private static func home(_ name: String) throws -> ImportedPlan {
        let file = try #require(folder).appending(path: "sh3d/\(name).Home.xml")
        return try PlanFile.read(Array(Data(contentsOf: file)), named: "\(name).Home.xml")
    }

    @Test(.enabled(if: folder != nil, missing), arguments: homes)
    func `a real home is checked against every standard`(name: String) throws {
        let home = try Self.home(name)
        var plan = FloorPlan(home.items)
        // The rooms of a demo don't say what they are for.
        for room in plan.rooms.values {
            var used = room
            used.use = Self.use(room.name)
            plan.apply(
                ItemChange(
                    before: PlanItem(item: .room(room)), after: PlanItem(item: .room(used))))
        }
        let inspection = try PlanInspection(
            plan, details: PlanDetails(tolerance: 10),
            standards: RuleBook.standards.map(\.id),
            chair: PersonChair(width: 700, length: 1_200), language: "nb")
        let findings = inspection.findings()

        #expect(Set(findings.map(\.id)).count == findings.count)
        let judged = findings.filter { $0.verdict == .pass || $0.verdict == .fail }
        #expect(Set(judged.map(\.verdict)) == [.pass, .fail])
        #expect(RuleBook.standards.count >= 5)
        for standard in RuleBook.standards.map(\.id) {
            #expect(judged.contains { $0.standard == standard }, "\(standard)")
        }
        for finding in findings {
            #expect(!finding.text.contains("{"), "\(finding.id)")
            guard let measured = finding.measured else { continue }
            #expect((0...20_000).contains(measured), "\(finding.id): \(finding.text)")
        }
    }

    private static func use(_ name: String) -> RoomUse {
        let name = name.lowercased()
        let words: [(String, RoomUse)] = [
            ("bath", .bathroom), ("toilet", .toilet), ("bed", .bedroom), ("kitchen", .kitchen),
            ("living", .living), ("corridor", .hall), ("entry", .hall), ("hall", .hall),
            ("balcony", .balcony), ("terrace", .balcony),
        ]
        return words.first { name.contains($0.0) }?.1 ?? .other
    }

    @Test(.enabled(if: folder != nil, missing))
    func `a circle of 1500 mm fits in the rooms where another program found it fits`() throws {
        let home = try Self.home("2-BedroomApartment")
        var plan = FloorPlan(home.items)
        for room in plan.rooms.values {
            var used = room
            used.use = .bathroom
            plan.apply(
                ItemChange(
                    before: PlanItem(item: .room(room)), after: PlanItem(item: .room(used))))
        }
        let inspection = try PlanInspection(
            plan, details: PlanDetails(), standards: ["fi", "tek10"])
        let fits = inspection.findings()
            .filter { $0.standard == "fi" && $0.rule == "turning-sheltered" && $0.verdict == .pass }
        // Three of seven rooms: the living room, the corridor and the kitchen.
        #expect(plan.rooms.count == 7)
        #expect(fits.count == 3)
    }
}
