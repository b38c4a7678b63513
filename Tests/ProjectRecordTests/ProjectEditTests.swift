import Dates
import Messages
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectRecord

/// The results of edits, and undoing them.
struct ProjectEditTests {
    @Test func `all missing fields of a project are named together`() throws {
        let details = ProjectDetails(name: " ", identifier: "", calendar: try WorkCalendar())
        let refusal = #expect(throws: Refusal.self) { try ProjectRecord(details) }
        #expect(refusal?.message == "the project needs a name and an identifier")
        let odd = ProjectDetails(name: "A", identifier: "9 Lives", calendar: try WorkCalendar())
        #expect(throws: Refusal.self) { try ProjectRecord(odd) }
    }

    @Test func `a number is given out once, even if its issue is gone`() throws {
        var record = try project()
        #expect(try record.add("One") == 1)
        #expect(try record.add("Two") == 2)
        try record.make(.removeIssue(2, withParts: false))
        #expect(try record.add("Three") == 3)
        let kept = ProjectRecord(
            kept: record.details, record.items, lastNumbers: record.lastNumbers)
        #expect(kept == record)
    }

    @Test func `successors move in the same step, and are undone with it`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        try record.add("Floor", "03-05", "03-06")
        try record.add("Doors", "03-09", "03-09")
        try record.relate(1, 2)
        try record.relate(2, 3)
        let before = record
        let outcome = try record.change(1) { $0.span = span("03-02", "03-05") }

        #expect(outcome.changes.count == 3)
        #expect(outcome.moves.map(\.issue) == [2, 3])
        #expect(outcome.moves.first?.cause == .relation(1, predecessor: 1))
        #expect(record.issues[2]?.span == span("03-09", "03-10"))
        #expect(record.issues[3]?.span == span("03-11", "03-11"))
        var back = record
        try back.apply(outcome.changes.reversed().map(\.reversed))
        #expect(back.content == before.content)
        try back.apply(outcome.changes)
        #expect(back.content == record.content)
    }

    @Test(arguments: CascadeMode.allCases)
    func `an absence moves open issues in one step if requested, and otherwise nothing`(
        mode: CascadeMode
    ) throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-05", assignee: 1)
        try record.add("Floor", "03-06", "03-06")
        try record.add("Plan", "03-04", "03-04", assignee: 1)
        try record.relate(1, 2)
        try record.change(3) { $0.status = "Closed" }
        var kari = try #require(record.members[1])
        kari.calendar = try WorkCalendar(
            absences: [.init(days: day("03-04")...day("03-05"), reason: "Ill")])
        let before = record
        #expect(try record.making(.keepMember(kari)).changes.count == 1)

        let outcome = try record.make(.keepMember(kari, moving: mode))

        #expect(outcome.moves.map(\.issue).sorted() == [1, 2] && outcome.changes.count == 3)
        #expect(record.issues[1]?.span == span("03-02", "03-09"))
        #expect(record.issues[2]?.span == span("03-10", "03-10"))
        #expect(record.issues[3]?.span == span("03-04", "03-04"))
        #expect(record.members[1] == kari)
        // What follows is planned with the new days.
        let network = try record.network()
        #expect(network.people[1] == kari.calendar)
        try record.apply(outcome.changes.reversed().map(\.reversed))
        #expect(record.content == before.content)
        // Nothing moves for somebody whose days are the same.
        kari.calendar = try WorkCalendar()
        kari.share = 50
        #expect(try record.making(.keepMember(kari, moving: mode)).changes.count == 1)
    }

    @Test func `all cascades of an edit share the steps that it may take`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        try record.add("Floor", "03-05", "03-06")
        try record.relate(1, 2)
        var walls = try #require(record.issues[1])
        // One step: the floor is examined.
        var editor = ProjectEditor(record, mostSteps: 1)
        walls.span = span("03-02", "03-04")
        try editor.make(.changeIssue(walls, .redmine))
        #expect(editor.record.issues[1]?.span == walls.span)
        walls.span = span("03-02", "03-05")
        let refusal = #expect(throws: Refusal.self) {
            var another = editor
            try another.make(.changeIssue(walls, .redmine))
        }
        #expect(refusal?.message.contains("too many for one edit") == true)
        try editor.make(.changeIssue(walls, .keepGaps))
    }

    @Test func `a step can't be undone if its items have changed since`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        let step = try record.change(1) { $0.done = 50 }
        try record.change(1) { $0.done = 60 }
        let refusal = #expect(throws: Refusal.self) {
            var copy = record
            try copy.apply(step.changes.map(\.reversed))
        }
        #expect(refusal?.code == .conflict)
        #expect(refusal?.message == "issue 1 has been changed since")
    }

    @Test func `a whole has the dates of its parts, and none of its own`() throws {
        var record = try project()
        try record.add("House")
        try record.add("Walls", "03-02", "03-03", parent: 1)
        try record.add("Roof", "03-09", "03-10", parent: 1)
        #expect(record.issues[1]?.span == span("03-02", "03-10"))
        let refusal = #expect(throws: Refusal.self) {
            try record.change(1) { $0.span = span("04-01", "04-02") }
        }
        #expect(refusal?.message == "the dates of #1 follow from its parts")
        try record.change(1) { $0.subject = "Villa" }
        try record.make(.removeIssue(3, withParts: false))
        #expect(record.issues[1]?.span == span("03-02", "03-03"))
        #expect(record.issues[1]?.subject == "Villa")
    }

    @Test func `an issue that is blocked or has open parts can't be closed`() throws {
        var record = try project()
        try record.add("Walls")
        try record.add("Permit")
        try record.make(
            .relate(IssueRelation(id: 0, kind: .blocks, from: 2, to: 1), .keepGaps))
        let blocked = #expect(throws: Refusal.self) {
            try record.change(1) { $0.status = "Closed" }
        }
        #expect(
            blocked?.message
                == "#1 is blocked by #2 “Permit”, which is open; close that first")
        try record.change(2) { $0.status = "Closed" }
        try record.change(1) { $0.status = "Closed" }
        try record.change(1) { $0.status = "New" }
        try record.add("Paint", parent: 1)
        let refusal = #expect(throws: Refusal.self) {
            try record.change(1) { $0.status = "Rejected" }
        }
        #expect(refusal?.message == "#1 has an open part, #3 “Paint”; close that first")
    }

    /// A mistake in an issue, and its message.
    struct Mistake: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (inout ProjectIssue) -> Void

        init(_ description: String, _ make: @escaping @Sendable (inout ProjectIssue) -> Void) {
            self.description = description
            self.make = make
        }
    }

    static let mistakes = [
        Mistake("the issue needs a subject") { $0.subject = "  " },
        Mistake("101 % are done; it may be 0 to 100") { $0.done = 101 },
        Mistake("there is no person 9 in the project") { $0.assignee = 9 },
        Mistake("there is no version 4") { $0.version = 4 },
        Mistake("the project has no #7") { $0.parent = 7 },
        Mistake("#1 can't be a part of itself") { $0.parent = 1 },
        Mistake("there is no tracker “Wish”; choose one of Task, Bug, Feature") {
            $0.tracker = "Wish"
        },
        Mistake("it is due on 2026-03-02, before it begins on 2026-03-04; change one of them") {
            $0.span = span("03-04", "03-02")
        },
        Mistake("the status has more than 480 bytes") {
            $0.status = String(repeating: "a\u{301}", count: 10_000)
        },
        Mistake("the estimate is -1 minutes; it may be up to 100,000 hours") { $0.estimate = -1 },
        Mistake("the estimate is 6000001 minutes; it may be up to 100,000 hours") {
            $0.estimate = 6_000_001
        },
    ]

    @Test(arguments: mistakes)
    func `mistakes are named with advice, and nothing is changed`(
        mistake: Mistake
    ) throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        let before = record
        let refusal = #expect(throws: Refusal.self) {
            try record.change(1, .keepGaps, mistake.make)
        }
        #expect(refusal?.message == mistake.description)
        #expect(record == before)
    }

    @Test func `a cycle of relations or of parts is refused with the ids in it`() throws {
        var record = try project()
        try record.add("One", "03-02", "03-03")
        try record.add("Two", "03-04", "03-05")
        try record.relate(1, 2)
        let circle = #expect(throws: Refusal.self) { try record.relate(2, 1) }
        #expect(circle?.message.contains("wait for each other") == true)
        try record.add("Three", parent: 1)
        let parts = #expect(throws: Refusal.self) { try record.change(1) { $0.parent = 3 } }
        #expect(parts?.message.contains("parts of each other") == true)
    }

    @Test func `a thing that others still refer to can't be removed`() throws {
        var record = try project()
        try record.make(.keepVersion(Version(id: 0, name: "1.0")))
        try record.add("Walls", "03-02", "03-03", assignee: 1)
        try record.add("Bricks", "03-02", "03-03", parent: 1)
        try record.change(2) { $0.version = 1 }
        try record.make(
            .keepEntry(TimeEntry(id: 0, issue: 2, member: 2, day: day("03-02"), minutes: 90)))
        for edit in [
            ProjectEdit.removeMember(1), .removeMember(2), .removeVersion(1),
            .removeIssue(1, withParts: false), .removeIssue(1, withParts: true),
            .keepVersion(
                {
                    var version = Version(id: 1, name: "1.0")
                    version.isClosed = true
                    return version
                }()),
        ] {
            let refusal = #expect(throws: Refusal.self) { try record.making(edit) }
            #expect(refusal?.code == .conflict)
        }
        try record.make(.removeEntry(1))
        let outcome = try record.make(.removeIssue(1, withParts: true))
        #expect(outcome.changes.count == 2)
        #expect(record.issues.isEmpty)
    }

    @Test func `nobody can log more than 24 hours in a day`() throws {
        var record = try project()
        try record.add("Walls")
        let entry = TimeEntry(id: 0, issue: 1, member: 1, day: day("03-02"), minutes: 1_000)
        try record.make(.keepEntry(entry))
        let refusal = #expect(throws: Refusal.self) { try record.making(.keepEntry(entry)) }
        #expect(
            refusal?.message.hasPrefix("that would be 33 h 20 min of work on 2026-03-02") == true)
        var corrected = entry
        (corrected.id, corrected.minutes) = (1, 1_440)
        try record.make(.keepEntry(corrected))
        #expect(record.entries[1]?.minutes == 1_440)
    }

    @Test func `a baseline keeps the dates of its day`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        try record.make(.keepBaseline("Kick-off", on: day("03-01")))
        try record.change(1) { $0.span = span("03-02", "03-06") }
        let baseline = try #require(record.baselines[1]?.baseline)
        #expect(baseline.slippageOfAll(in: try record.network()) == 3)
        let again = #expect(throws: Refusal.self) {
            try record.making(.keepBaseline("Kick-off", on: day("03-02")))
        }
        #expect(again?.code == .conflict)
    }

    @Test func `the journal of an issue shows its fields as people read them`() throws {
        var record = try project()
        try record.add("Walls", "03-02", "03-03")
        let outcome = try record.change(1) {
            $0.assignee = 2
            $0.estimate = 450
            $0.span.due = day("03-05")
            $0.priority = .high
        }
        let journal = outcome.changes.flatMap { record.journal(of: $0) }
        #expect(
            journal == [
                FieldChange(.priority, before: "normal", after: "high"),
                FieldChange(.assignee, before: "", after: "Ola"),
                FieldChange(.due, before: "2026-03-03", after: "2026-03-05"),
                FieldChange(.estimate, before: "", after: "7:30"),
            ])
    }

    @Test func `a tracker or a status that an issue has can't be removed`() throws {
        var record = try project()
        try record.add("Walls")
        var details = record.details
        details.trackers = ["Bug"]
        let refusal = #expect(throws: Refusal.self) { try record.making(.changeDetails(details)) }
        #expect(refusal?.message == "#1 has the tracker “Task”; change that first")
        details = record.details
        details.statuses = [.init("Open"), .init("Done", isClosed: true)]
        #expect(throws: Refusal.self) { try record.making(.changeDetails(details)) }
        details.statuses = [.init("Open"), .init("New")]
        #expect(throws: Refusal.self) { try record.making(.changeDetails(details)) }
    }

    @Test(arguments: Seed.some(60))
    func `any edits can all be undone and redone`(seed: Seed) throws {
        var seed = seed
        var record = try project()
        let first = record
        var steps: [[ProjectChange]] = []
        for subject in ["One", "Two", "Three"] {
            let issue = ProjectIssue(id: 0, subject: subject, span: span("03-02", "03-03"))
            steps.append(try record.make(.addIssue(issue)).changes)
        }
        for _ in 0..<60 {
            let edit = try ProjectEdit.any(&seed, of: record)
            let outcome: ProjectOutcome
            do {
                outcome = try record.making(edit)
            } catch {
                #expect(error.code != .internal && !error.message.isEmpty)
                continue
            }
            // Each object has at most one change, and every change changes something.
            let keys = outcome.changes.map { $0.after?.key ?? $0.before?.key }
            #expect(Set(keys).count == keys.count)
            #expect(outcome.changes.allSatisfy { $0.before != $0.after })
            record = outcome.record
            steps.append(outcome.changes)
            // The result is consistent.
            let issues = record.issues.values.sorted { $0.id < $1.id }
            #expect(try record.network().issues.map(\.span) == issues.map(\.span))
        }
        let last = record
        for step in steps.reversed() { try record.apply(step.reversed().map(\.reversed)) }
        #expect(record.content == first.content)
        for step in steps { try record.apply(step) }
        #expect(record.content == last.content)
    }
}
