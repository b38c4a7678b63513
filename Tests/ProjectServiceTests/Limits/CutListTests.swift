import Messages
import ServiceRuntime
import TestStore
import TestThreads
import Testing

@testable import ProjectService

/// Answers that have only a part of a list say so.
@Suite(.serialized, .waiting) struct CutListTests {
    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .project, ProjectStore.migrator) }

    private func make(_ identifier: String) throws -> Project {
        try store.run { transaction in
            try Projects.create(
                CreateProject(project: Project(identifier: identifier, name: identifier)),
                in: transaction)
        }
    }

    @Test func `an issue says whether its journal has older entries`() throws {
        let house = try make("house")
        try store.run { transaction in
            _ = try Edits.edit(
                EditProject(
                    project: house.id,
                    actions: [.keep(.issue(TrackedIssue(subject: "Roof")))]),
                in: transaction)
            for note in ["Slate", "Tin"] {
                _ = try Issues.note(
                    NoteIssue(project: house.id, issue: 1, note: note), in: transaction)
            }
        }

        func read(limit: UInt32) throws -> IssueContents {
            try store.run {
                try Issues.read(ReadIssue(project: house.id, issue: 1, limit: limit), in: $0)
            }
        }
        let part = try read(limit: 2)
        #expect(part.journal.map(\.note) == ["Tin", "Slate"] && part.more)
        let whole = try read(limit: 3)
        #expect(whole.journal.count == 3 && !whole.more)
    }

    @Test(arguments: [0, 1])
    func `filters say whether there are more shared ones`(beyond: Int) throws {
        let house = try make("house")
        let count = KeptFilters.mostShared + beyond
        try store.run { transaction in
            for number in 1...count {
                try FilterStore.save(
                    IssueFilter(name: "Late \(number)", shared: house.id),
                    of: .project(house.id), transaction.db)
            }
        }

        let listed = try store.run { try KeptFilters.list(ListIssueFilters(), in: $0) }

        #expect(listed.filters.count == KeptFilters.mostShared && listed.more == (beyond > 0))
    }
}
