import ProjectNetwork
import ProjectRecord
import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Issues that only relate to each other. A server turns such a relation so that the lower number
/// comes first.
@Suite(.serialized, .waiting) struct RelatedIssueTests {
    private static let turned = RemoteRelation(id: 9, kind: .relates, from: 30, to: 40)

    @Test func `a relation from the higher number is made once, though the server turns it`()
        throws
    {
        let system = try System()
        let server = try RedmineNotesTests.server(in: system, "2", "[]", "[]", "0", "0")
        let step = MirrorStep.relate(
            number: 7, issue: 2, kind: .relates, from: 2, to: 1, delay: 0, isForced: false)

        let news = RedmineNotesTests.run(
            .write(
                [step, step], known: .init(issues: [:], times: [:], notes: [], activities: [])),
            at: server)

        #expect(news.problem == nil)
        let done = news.done.map { done in
            guard case .related(let number, let relation) = done else { return "\(done)" }
            return "\(number) is \(relation.id), from \(relation.from) to \(relation.to)"
        }
        #expect(done == ["7 is 1, from 1 to 2", "7 is 1, from 1 to 2"])
    }

    /// Two issues that are on both sides, with relations between them that are only here.
    private func sides(_ ends: [(from: Int, to: Int)]) throws -> MirrorState {
        var record = try MirrorStateTests.record()
        var links = MirrorLinks()
        for number in [3, 4] {
            let issue = ProjectIssue(id: number, subject: "Issue \(number)", tracker: "Bug")
            record = ProjectRecord(kept: record.details, record.items + [.issue(issue)])
            links.keep(
                MirrorLinks.Link(
                    kind: .issue, number: number, remote: 10 * number,
                    base: RedmineBody.kept(
                        MirrorStateTests.remote(10 * number, "Issue \(number)"))))
        }
        for (from, to) in ends {
            let relation = IssueRelation(id: 0, kind: .relates, from: from, to: to)
            record = try record.making(.relate(relation, .keepGaps)).record
        }
        return MirrorState(record, MirrorStateTests.names, links, [])
    }

    @Test func `a relation that the server has turned is still the same`() throws {
        var state = try sides([(4, 3)])
        let issues = [30, 40].map { number in
            var issue = MirrorStateTests.remote(number, "Issue \(number / 10)")
            issue.relations = [Self.turned]
            return issue
        }

        state.apply(issues, sweep: nil)

        #expect(state.links[.relation, 1]?.remote == 9)
        var record = state.record
        if let edit = state.edit { record = try record.making(edit).record }
        #expect(record.relations.count == 1)
        #expect(MirrorPlan(record, MirrorStateTests.names, state.links, []).steps == [])
    }

    @Test func `of two relations in both directions one is there, and the other is a conflict`()
        throws
    {
        var state = try sides([(4, 3), (3, 4)])

        for number in [1, 2] { state.join(relation: number, with: Self.turned) }

        #expect(state.links[.relation, 1]?.remote == 9 && state.links[.relation, 2] == nil)
        #expect(state.conflicts.map(\.field) == ["relation 2"])
        #expect(state.conflicts.first?.reason.contains("the other direction") == true)
        let plan = MirrorPlan(
            state.record, MirrorStateTests.names, state.links, state.conflicts)
        #expect(plan.steps == [])
    }
}
