import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// A server whose administrator has changed its statuses, trackers or priorities.
struct ChangedTermTests {
    private var record: ProjectRecord
    private var links = MirrorLinks()
    private var conflicts: [MirrorConflict] = []
    private var names = MirrorStateTests.names
    /// The names that were read before.
    private var known = MirrorNames()

    init() throws { record = try MirrorStateTests.record() }

    /// Reads everything.
    private mutating func read(_ issues: RemoteIssue...) throws {
        let list = names.statuses.map {
            #"{"id":\#($0.id),"name":"\#($0.name)","is_closed":\#($0.id == 5)}"#
        }.joined(separator: ",")
        let statuses = try RedmineReader.statuses(Array(#"{"issue_statuses":[\#(list)]}"#.utf8))
        var state = MirrorState(record, known, links, conflicts)
        state.apply(names, statuses.items)
        state.apply(issues, sweep: 1)
        if let edit = state.edit { record = try record.making(edit).record }
        (links, conflicts, known) = (state.links, state.conflicts, state.names)
    }

    private var steps: [MirrorStep] { MirrorPlan(record, names, links, conflicts).steps }

    @Test func `a status and a tracker that were renamed there have their new names here`() throws {
        var side = self
        var issue = MirrorStateTests.remote(7, "Roof")
        try side.read(issue)
        #expect(side.record.issues[7]?.status == "New" && side.record.issues[7]?.tracker == "Bug")

        side.names.statuses[0] = RemoteName(id: 1, name: "Open")
        side.names.trackers[0] = RemoteName(id: 1, name: "Defect")
        (issue.status, issue.tracker) = (side.names.statuses[0], side.names.trackers[0])
        try side.read(issue)
        #expect(side.record.issues[7]?.status == "Open")
        #expect(side.record.issues[7]?.tracker == "Defect" && side.steps.isEmpty)

        // What is changed there later is no conflict.
        (issue.status, issue.tracker) = (side.names.statuses[1], side.names.trackers[1])
        try side.read(issue)
        #expect(side.record.issues[7]?.status == "Closed")
        #expect(side.record.issues[7]?.tracker == "Task")
        #expect(side.conflicts.isEmpty && side.steps.isEmpty)
        #expect(side.record.details.statuses.map(\.name) == ["Open", "Closed"])
    }

    @Test func `another priority at the server changes none of the issues there`() throws {
        var side = self
        side.names.priorities = ["Lav", "Vanlig", "Høy", "Haster", "Straks"].enumerated().map {
            RemoteName(id: $0 + 1, name: $1)
        }
        let all = (1...5).map { id in
            var issue = MirrorStateTests.remote(id, "Issue \(id)")
            issue.priority = side.names.priorities[id - 1]
            return issue
        }
        try side.read(all[0], all[1], all[2], all[3], all[4])
        func importances() -> [Importance] {
            side.record.issues.sorted { $0.key < $1.key }.map { $0.value.priority }
        }
        #expect(importances() == [.low, .normal, .high, .urgent, .immediate])
        var changed = try #require(side.record.issues[1])
        changed.priority = .immediate
        side.record = try side.record.making(.changeIssue(changed, .keepGaps)).record

        side.names.priorities.append(RemoteName(id: 6, name: "Nå"))
        try side.read(all[0], all[1], all[2], all[3], all[4])

        #expect(importances() == [.immediate, .low, .normal, .high, .urgent])
        #expect(side.conflicts.isEmpty)
        // Only what was changed here is written.
        let written = side.steps.map { step -> [RemoteField: RemoteValue] in
            if case .change(1, _, let values, _, _) = step { values } else { [:] }
        }
        #expect(written == [[.priority: .number(6)]])
    }
}
