import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// What somebody has to do in all projects, in a real store.
struct MyIssueTests {
    /// The morning of 2026-06-01.
    private static let now: Int64 = 1_780_300_800_000
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .crew)])
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])

    private let store: MemoryStore

    /// Makes a quiet project, in which Ann has an issue that is overdue, and a busy one, which was
    /// changed later.
    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        try make("quiet", at: Self.now)
        try join("quiet")
        try edit(
            "quiet", .issue(TrackedIssue(subject: "Roof", assignee: 1, due: "2026-05-01")))
        try make("busy", at: Self.now + 1_000)
        for subject in ["One", "Two", "Three"] {
            try edit("busy", .issue(TrackedIssue(subject: subject)), at: Self.now + 2_000)
        }
    }

    private func make(_ name: String, at now: Int64) throws {
        _ = try store.run(at: now, as: Self.lead) {
            try Projects.create(
                CreateProject(project: Project(identifier: name, name: name)), in: $0)
        }
    }

    private func edit(
        _ project: String, _ thing: ProjectThing.Thing, at now: Int64 = Self.now,
        as person: Principal = Self.lead
    ) throws {
        _ = try store.run(at: now, as: person) {
            try Edits.edit(EditProject(project: project, actions: [.keep(thing)]), in: $0)
        }
    }

    /// Ann says that she works for a project.
    private func join(_ project: String) throws {
        try edit(
            project, .member(TeamMember(name: "Ann", account: "me", timeZone: "UTC", share: 100)),
            as: Self.ann)
    }

    /// Ann's issues, of at most two that are searched.
    private func look() throws -> MyIssues {
        try store.run(at: Self.now + 5_000, as: Self.ann) {
            try MyIssueLists.lists(
                for: LookAtMyIssues(today: "2026-06-01"), mostIssues: 2, in: $0)
        }
    }

    @Test func `an issue in a quiet project isn't missing because others are busy`() throws {
        let mine = try look()

        #expect(mine.due.map(\.issue?.subject) == ["Roof"])
        #expect(mine.leftOut == 0)
        #expect(try look().looked == Self.now + 5_000)
    }

    @Test func `projects that are left out are counted, and not marked as looked at`() throws {
        try join("busy")

        #expect(try look().leftOut == 1)
        #expect(try look().looked == 0)
    }
}
