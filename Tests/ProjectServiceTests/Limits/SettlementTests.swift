import Dates
import ProjectNetwork
import ProjectRecord
import Testing

@testable import ProjectService

/// How much a decision about conflicts changes at once.
struct SettlementTests {
    /// A project with two related issues and as many time entries of the first.
    private func record(times: Int) throws -> ProjectRecord {
        let first = ProjectIssue(id: 7, subject: "Roof", tracker: "Bug")
        let second = ProjectIssue(id: 8, subject: "Door", tracker: "Bug")
        var items: [ProjectItem] = [
            .issue(first), .issue(second), .relation(IssueRelation(id: 1, from: 7, to: 8)),
        ]
        for number in 0..<times {
            let day = CivilDate(daysSince1970: 20_000 + number)
            let entry = TimeEntry(id: number + 1, issue: 7, member: 1, day: day, minutes: 60)
            items.append(.entry(entry))
        }
        return ProjectRecord(kept: try MirrorStateTests.record().details, items)
    }

    private func conflict(_ field: String, of issue: Int = 7) -> MirrorConflict {
        MirrorConflict(issue: issue, field: field, ours: "a", theirs: "", reason: "No")
    }

    private func made(_ settlement: Settlement, in record: ProjectRecord) throws -> ProjectOutcome {
        try record.making(settlement.edits.count) { number, _ in settlement.edits[number] }
    }

    @Test func `a thousand removals are one step, and the others wait for another decision`()
        throws
    {
        let record = try record(times: 1_200)
        let chosen = [conflict("subject")] + (1...1_200).map { conflict(MirrorConflict.time($0)) }
        let other = conflict("subject", of: 8)
        var links = MirrorLinks()
        links.keep(MirrorLinks.Link(kind: .entry, number: 1, remote: 0, base: []))
        let settlement = Settlement(
            of: chosen, among: chosen + [other], record, links, theirs: true)

        #expect(try made(settlement, in: record).record.entries.count == 200)
        #expect(settlement.links[.entry, 1] == nil)
        let left = settlement.conflicts.filter { $0.decision == nil }
        #expect(left.count == 201 && left.contains(other))
        #expect(settlement.conflicts.count == 202)
    }

    @Test func `if the server's side counts, an issue goes after its time, with its relations`()
        throws
    {
        let record = try record(times: 1)
        let chosen = [
            MirrorConflict.removed, MirrorConflict.relation(1), MirrorConflict.time(1),
        ].map { conflict($0) }
        let settlement = Settlement(of: chosen, among: chosen, record, MirrorLinks(), theirs: true)

        #expect(settlement.edits == [.removeEntry(1), .removeIssue(7, withParts: false)])
        #expect(settlement.conflicts.isEmpty && settlement.unlinked == 7)
        let after = try made(settlement, in: record).record
        #expect(after.issues.count == 1 && after.relations.isEmpty)
    }

    @Test(arguments: [true, false])
    func `time that the server had is decided about with its issue`(theirs: Bool) throws {
        let record = try record(times: 2)
        let chosen = [conflict(MirrorConflict.removed)]
        var links = MirrorLinks()
        links.keep(MirrorLinks.Link(kind: .entry, number: 1, remote: 50, base: []))
        links.keep(MirrorLinks.Link(kind: .entry, number: 2, remote: 0, base: []))
        let settlement = Settlement(
            of: chosen, among: chosen, record, links, theirs: theirs)

        let removals: [ProjectEdit] = [.removeEntry(1), .removeIssue(7, withParts: false)]
        #expect(settlement.edits == (theirs ? removals : []))
        // If ours counts, it is logged again.
        #expect(settlement.links[.entry, 1] == nil)
        #expect(settlement.links[.entry, 2] != nil)
    }

    @Test func `if our side counts, only links are removed`() throws {
        let record = try record(times: 1)
        let chosen = [conflict(MirrorConflict.removed), conflict("note 3"), conflict("subject")]
        var links = MirrorLinks()
        links.keep(MirrorLinks.Link(kind: .issue, number: 7, remote: 70, base: []))
        links.keep(MirrorLinks.Link(kind: .note, number: 3, remote: 0, base: []))
        let settlement = Settlement(of: chosen, among: chosen, record, links, theirs: false)

        #expect(settlement.edits.isEmpty && settlement.conflicts.isEmpty)
        #expect(settlement.links[.issue, 7] == nil && settlement.links[.note, 3] != nil)
    }
}
