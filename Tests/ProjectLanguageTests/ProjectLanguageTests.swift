import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectLanguage

/// The parts of a project as messages, and back.
struct ProjectLanguageTests {
    private func date(_ seed: inout Seed) -> CivilDate {
        CivilDate(daysSince1970: 20_000 + seed.below(2_000))
    }

    private func calendar(_ seed: inout Seed) throws -> WorkCalendar {
        let first = date(&seed)
        return try WorkCalendar(
            week: seed.oneIn(2) ? .usual : .init([480..<900], on: [0, 1, 5]),
            holidays: [.init(day: date(&seed), name: "Eve", hours: seed.oneIn(2) ? [] : [0..<60])],
            absences: [
                .init(
                    days: first...CivilDate(daysSince1970: first.daysSince1970 + seed.below(9)),
                    reason: "Away")
            ])
    }

    @Test(arguments: Seed.some(100))
    func `whatever is sent is read back unchanged`(seed: Seed) throws {
        var seed = seed
        let details = try ProjectDetails(
            name: "House", identifier: "house", calendar: WorkCalendar())
        var issue = ProjectIssue(
            id: 1 + seed.below(9), subject: "Walls", tracker: "Bug", status: "Feedback",
            span: Span(
                start: seed.oneIn(2) ? nil : date(&seed), due: seed.oneIn(2) ? nil : date(&seed)),
            assignee: seed.oneIn(2) ? nil : 4, parent: seed.oneIn(2) ? nil : 2)
        issue.priority = seed.pick(Importance.allCases)
        issue.estimate = seed.oneIn(2) ? nil : seed.below(9_000)
        issue.done = seed.below(101)
        issue.version = seed.oneIn(2) ? nil : 3
        (issue.isFixed, issue.isMilestone) = (seed.oneIn(2), seed.oneIn(2))
        issue.skills = seed.oneIn(2) ? [] : ["gas", "water"]
        #expect(try told(TrackedIssue(issue)).issue(in: details) == issue)

        let relation = IssueRelation(
            id: 3, kind: seed.pick(IssueRelation.Kind.allCases), from: 1, to: 2,
            delay: seed.below(9) - 4)
        #expect(try told(IssueLink(relation)).relation() == relation)

        var member = Member(
            id: 5, name: "Kari", timeZone: "Europe/Oslo", calendar: try calendar(&seed))
        (member.account, member.share, member.skills) = ("a1", seed.below(101), ["gas"])
        #expect(try told(TeamMember(member)).member() == member)

        var version = Version(id: 2, name: "1.0", due: seed.oneIn(2) ? nil : date(&seed))
        version.isClosed = seed.oneIn(2)
        #expect(try told(ProjectVersion(version)).version() == version)

        let entry = TimeEntry(
            id: 1, issue: 2, member: 5, day: date(&seed), minutes: 1 + seed.below(1_440),
            comment: "Bricks")
        #expect(try told(WorkedTime(entry)).entry() == entry)
    }

    @Test(arguments: Seed.some(50))
    func `a project, its baselines and its changes are read back unchanged`(seed: Seed) throws {
        var seed = seed
        var details = try ProjectDetails(
            name: "House", identifier: "house", description: "Of wood", trackers: ["Wall", "Roof"],
            statuses: [.init("Open"), .init("Done", isClosed: true)],
            calendar: calendar(&seed))
        #expect(try told(Project(details)).details() == details)
        let before = details
        details.name = "Barn"

        let spans = [
            1: Span(start: date(&seed), due: nil), 2: Span(start: date(&seed), due: date(&seed)),
            7: Span(),
        ]
        let kept = KeptBaseline(
            id: 3, baseline: Baseline("Promised", spans: spans), day: date(&seed))
        #expect(try told(PlanBaseline(kept)).baseline() == kept)

        for change in [
            ProjectChange(before: .details(before), after: .details(details)),
            ProjectChange(after: .baseline(kept)),
            ProjectChange(before: .issue(ProjectIssue(id: 4, subject: "Door", tracker: "Wall"))),
        ] {
            #expect(try told(ThingChange(change)).change(in: details) == change)
        }
    }

    @Test func `a relation to the item added last gets its number`() throws {
        var record = try ProjectRecord(
            ProjectDetails(name: "A", identifier: "a", calendar: WorkCalendar()))
        let actions = [
            ProjectAction(
                action: .keep(ProjectThing(thing: .issue(TrackedIssue(subject: "One"))))),
            ProjectAction(
                action: .keep(ProjectThing(thing: .issue(TrackedIssue(subject: "Two"))))),
            ProjectAction(
                action: .keep(
                    ProjectThing(thing: .relation(IssueLink(kind: .precedes, from: 1))))),
        ]
        let outcome = try record.making(actions.count) { number, record throws(Refusal) in
            try actions[number].edit(
                of: record, .keepGaps, on: CivilDate(daysSince1970: 20_000))
        }
        record = outcome.record
        #expect(record.relations[1] == IssueRelation(id: 1, from: 1, to: 2))
        #expect(outcome.numbers == [1, 2, 1])
    }

    /// A message as its recipient gets it.
    private func told<Message: ProtobufMessage>(_ message: Message) throws -> Message {
        try Message(unpacking: message.packed())
    }

    @Test func `an invalid date is refused by its name`() throws {
        let refusal = #expect(throws: Refusal.self) {
            try TrackedIssue(subject: "A", start: "2026-02-30").issue(
                in: ProjectDetails(name: "A", identifier: "a", calendar: WorkCalendar()))
        }
        #expect(refusal?.message == "the start is “2026-02-30”; write it as 2026-03-31")
    }
}
