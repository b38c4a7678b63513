import Dates
import ProjectRecord
import RedmineClient
import RedmineMirror
import Testing
import WorkCalendar

@testable import ProjectService

/// What a mirror has to do at its server, and when it stops.
@Suite struct MirrorPlanTests {
    private static let names = MirrorStateTests.names
    private let there = MirrorStateTests.remote(7, "Roof")
    private let record: ProjectRecord
    private var links = MirrorLinks()

    /// An issue that is the same on both sides.
    init() throws {
        var details = ProjectDetails(
            name: "House", identifier: "house", calendar: try WorkCalendar(week: .usual))
        details.trackers = ["Bug", "Task"]
        record = try ProjectRecord(details).making(
            .addIssue(ProjectIssue(id: 0, subject: "Roof", tracker: "Bug"))
        ).record
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: 1, remote: 7, base: RedmineBody.kept(there), seen: 1))
    }

    private func conflict(
        _ field: String, _ decision: MirrorConflict.Decision
    ) -> MirrorConflict {
        MirrorConflict(
            issue: 1, field: field, ours: "ours", theirs: "theirs", reason: "", decision: decision)
    }

    private func plan(_ conflicts: MirrorConflict...) -> MirrorPlan {
        MirrorPlan(record, Self.names, links, conflicts)
    }

    @Test func `an assignee whom the server doesn't know is reported`() throws {
        let week = try WorkCalendar(week: .usual)
        let people = try record.making(.keepMember(Member(id: 0, name: "Zoe", calendar: week)))
            .record
        var issue = try #require(people.issues[1])
        issue.assignee = 1
        let assigned = try people.making(.changeIssue(issue, .keepGaps)).record
        var links = links
        #expect(
            MirrorPlan(assigned, Self.names, links, []).unknownAssignees == [
                "the assignee of #1: the server doesn't know Zoe"
            ])
        links.keep(MirrorLinks.Link(kind: .member, number: 1, remote: 5, base: [], seen: 1))
        #expect(MirrorPlan(assigned, Self.names, links, []).unknownAssignees.isEmpty)
        #expect(plan().unknownAssignees.isEmpty)
    }

    @Test func `a decision about an issue is written or read`() {
        #expect(plan().steps.isEmpty)
        let field = RemoteField.subject
        #expect(
            plan(conflict("subject", .ours)).steps == [
                .change(
                    number: 1, base: there, values: [field: .text("Roof")], held: [],
                    forced: [field])
            ])
        #expect(
            plan(conflict("subject", .theirs)).steps == [
                .change(number: 1, base: there, values: [:], held: [], forced: [])
            ])
    }

    @Test(arguments: ["time 3 removed", "time 3 minutes", "relation 4", "note 9"])
    func `a decision about something else of an issue changes none of its fields`(field: String) {
        for decision in [MirrorConflict.Decision.ours, .theirs] {
            #expect(plan(conflict(field, decision)).steps.isEmpty)
        }
    }

    @Test func `a round of writing that changed nothing isn't repeated immediately`()
        throws
    {
        var mirror = MirrorRow(
            project: "house", logIn: "1", remote: 1, identifier: "house", due: 0)
        (mirror.phase, mirror.began) = (.write, 500)
        let snapshot = MirrorSnapshot(
            mirror: mirror, mark: "", linksMark: 0, record: record, bytes: 0,
            names: Self.names, links: links.written, conflicts: [conflict("assignee", .ours)],
            pending: [],
            withNotes: [], withUnsentNotes: [], now: 1_000)
        let task = MirrorTask(
            mirror: mirror,
            server: RedmineServer(
                try RedmineAddress("http://localhost"), .key("key"), .everywhere),
            user: 1,
            aim: .write([], known: .init(issues: [:], times: [:], notes: [], activities: [])))
        func after(_ done: MirrorNews.Done...) -> MirrorRow {
            var news = MirrorNews()
            news.done = done
            return MirrorRound.merge(news, of: task, into: snapshot).mirror
        }
        let same = after(.denied(number: 1))
        #expect(same.phase == .read && same.due == 1_000 + Mirrors.interval)
        var changed = there
        changed.done = 50
        let other = after(.stale(changed))
        #expect(other.phase == .write && other.due == 1_000)
    }
}
