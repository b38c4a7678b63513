import Dates
import Messages
import ProjectRecord
import RedmineMirror
import ServiceRuntime
import TestStore
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// What becomes of an issue here that is private at the server by now.
@Suite(.serialized, .waiting) struct HiddenIssueTests {
    private static let names = MirrorStateTests.names

    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .project, ProjectStore.migrator) }

    // MARK: Rounds

    /// A project after the server's issues were read, and what is known about them.
    private static func read(
        _ issues: [RemoteIssue], into record: ProjectRecord, _ links: MirrorLinks = MirrorLinks()
    ) throws -> (record: ProjectRecord, links: MirrorLinks) {
        var state = MirrorState(record, names, links, [])
        state.apply(issues, sweep: nil)
        let after = try state.edit.map { try record.making($0).record }
        return (after ?? record, state.links)
    }

    /// Issue 8, which became private after it was copied, beside issue 9.
    private static func hidden() throws -> (
        before: ProjectRecord, after: ProjectRecord, links: MirrorLinks
    ) {
        var roof = MirrorStateTests.remote(8, "Roof")
        let both = [roof, MirrorStateTests.remote(9, "Door")]
        let before = try read(both, into: try MirrorStateTests.record())
        roof.isPrivate = true
        let after = try read([roof], into: before.record, before.links)
        return (before.record, after.record, after.links)
    }

    @Test func `it isn't made at the server again if it is here again`() throws {
        let (before, after, links) = try Self.hidden()

        #expect(before.issues.count == 2 && after.issues.keys.sorted() == [9])
        #expect(MirrorPlan(before, Self.names, links, []).steps.isEmpty)
    }

    @Test func `it has its number here again once it is no longer private`() throws {
        let (_, after, links) = try Self.hidden()

        let shown = try Self.read([MirrorStateTests.remote(8, "Roof")], into: after, links)

        #expect(shown.record.issues.keys.sorted() == [8, 9])
        #expect(shown.links.hidden.isEmpty && shown.links.remote(.issue, 8) == 8)
    }

    // MARK: Time

    /// A project with issue 8 and an hour that Ann has worked on it, entry 3 of the server.
    private static func worked() throws -> (record: ProjectRecord, links: MirrorLinks) {
        let roof = try read(
            [MirrorStateTests.remote(8, "Roof")], into: try MirrorStateTests.record())
        return try read(time(of: 8), into: roof.record, roof.links).both
    }

    private static func time(of issue: Int?, _ comment: String = "") throws -> RemoteTime {
        RemoteTime(
            id: 3, project: 1, issue: issue, user: RemoteName(id: 5, name: "Ann"),
            day: try #require(CivilDate(iso: "2027-03-01")), minutes: 60, comment: comment)
    }

    /// A project after a time entry of the server was read, and what is known about it.
    private static func read(
        _ time: RemoteTime, into record: ProjectRecord, _ links: MirrorLinks,
        _ conflicts: [MirrorConflict] = []
    ) throws -> (both: (record: ProjectRecord, links: MirrorLinks), conflicts: [MirrorConflict]) {
        var state = MirrorState(record, names, links, conflicts)
        state.apply([time], sweep: 1)
        let after = try state.edit.map { try record.making($0).record }
        return ((after ?? record, state.links), state.conflicts)
    }

    @Test(arguments: [nil, 99] as [Int?])
    func `time that was moved to an issue that isn't here is removed here`(issue: Int?) throws {
        let (record, links) = try Self.worked()
        #expect(record.entries.count == 1)

        let moved = try Self.read(Self.time(of: issue, "Secret"), into: record, links)

        #expect(moved.both.record.entries.isEmpty && moved.conflicts.isEmpty)
        #expect(MirrorPlan(moved.both.record, Self.names, moved.both.links, []).steps.isEmpty)
    }

    @Test func `time that was changed here and moved there waits for a decision, or its return`()
        throws
    {
        var (record, links) = try Self.worked()
        var entry = try #require(record.entries.values.first)
        entry.minutes = 90
        record = try record.making(.mirror([.entry(entry)], removed: [])).record

        let moved = try Self.read(Self.time(of: 99, "Secret"), into: record, links)
        #expect(moved.both.record.entries[entry.id] == entry)
        #expect(moved.conflicts.map(\.field) == ["time \(entry.id) removed"])
        let waiting = MirrorPlan(record, Self.names, moved.both.links, moved.conflicts)
        #expect(waiting.steps.isEmpty)

        links = moved.both.links
        let back = try Self.read(Self.time(of: 8), into: record, links, moved.conflicts)
        #expect(back.conflicts.isEmpty)
        let steps = MirrorPlan(record, Self.names, back.both.links, []).steps
        #expect(steps.count == 1)
    }

    @Test func `a decision about a field doesn't remove what was changed at the server since`()
        throws
    {
        let roof = try Self.read(
            [MirrorStateTests.remote(8, "Roof")], into: try MirrorStateTests.record())
        let gone = try roof.record.making(.removeIssue(8, withParts: false)).record
        let decided = MirrorConflict(
            issue: 8, field: "due", ours: "a", theirs: "b", reason: "", decision: .theirs)

        let steps = MirrorPlan(gone, Self.names, roof.links, [decided]).steps

        guard case .remove(8, _, let isForced, _)? = steps.first else {
            throw Complaint("it isn't removed: \(steps)")
        }
        #expect(!isForced && steps.count == 1)
    }

    // MARK: Decisions

    /// Makes a project with issue 1, which is issue 8 of the server that it mirrors.
    private func mirror() throws -> Project {
        try store.run { transaction in
            let project = try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")),
                in: transaction)
            try MirrorRow(
                project: project.id, logIn: "ann", remote: 1, identifier: "house", due: .max
            ).save(transaction.db)
            _ = try Edits.edit(
                EditProject(
                    project: project.id,
                    actions: [.keep(.issue(TrackedIssue(subject: "Roof")))]),
                in: transaction)
            var links = MirrorLinks()
            links.keep(MirrorLinks.Link(kind: .issue, number: 1, remote: 8, base: []))
            try MirroredStore.save(links, of: project.id, transaction.db)
            let conflict = MirrorConflict(
                issue: 1, field: MirrorConflict.removed, ours: "changed",
                theirs: MirrorConflict.hidden, reason: "")
            try ConflictStore.save([conflict], of: project.id, transaction.db)
            return project
        }
    }

    @Test func `nobody can decide that it is to be public here`() throws {
        let project = try mirror()

        let refusal = #expect(throws: Refusal.self) {
            try store.run {
                try Redmines.settle(SettleRedmine(project: project.id, issue: 1), in: $0)
            }
        }

        #expect(refusal?.code == .conflict)
        #expect(try store.run { try ConflictStore.all(of: project.id, $0.db).count } == 1)
        let links = try store.run { try MirroredStore.links(of: project.id, $0.db) }
        #expect(links.remote(.issue, 1) == 8)
    }

    @Test func `the decision to remove it here can't be undone`() throws {
        let project = try mirror()
        _ = try store.run {
            try Redmines.settle(
                SettleRedmine(project: project.id, issue: 1, theirs: true), in: $0)
        }

        let refusal = #expect(throws: Refusal.self) {
            try store.run { try Edits.undo(UndoProject(project: project.id), in: $0) }
        }

        #expect(refusal?.message.hasPrefix("#1 has become private") == true)
        let issues = try store.run { try $0.project(project.id).record($0).issues }
        #expect(issues.isEmpty)
    }
}
