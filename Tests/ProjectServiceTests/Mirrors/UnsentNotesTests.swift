import GRDB
import Messages
import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// Notes that a server doesn't have yet.
struct UnsentNotesTests {
    private let store: DatabaseQueue

    init() throws {
        // The projects and mirrors themselves aren't needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
        try ProjectStore.migrator.migrate(store)
    }

    /// A project with an issue that is at the server too.
    private func mirrored() throws -> (record: ProjectRecord, links: MirrorLinks) {
        var state = MirrorState(
            try MirrorStateTests.record(), MirrorStateTests.names, MirrorLinks(), [])
        state.take([MirrorStateTests.remote(7, "Roof")], sweep: 1)
        let edit = try #require(state.edit)
        return (try state.record.making(edit).record, state.links)
    }

    @Test(arguments: [false, true])
    func `an issue that disappears at the server stays if it has a note that wasn't sent`(
        hasNote: Bool
    ) throws {
        let (record, links) = try mirrored()
        var state = MirrorState(
            record, MirrorStateTests.names, links, [], withUnsentNotes: hasNote ? [7] : [])
        state.lose(7, sweep: 2)

        #expect((state.issue(7) != nil) == hasNote)
        #expect(
            state.conflicts.map { "\($0.issue) \($0.field)" } == (hasNote ? ["7 removed"] : []))
    }

    @Test func `the notes that weren't sent are found with their issues`() throws {
        try store.write { db in
            var links = MirrorLinks()
            for (issue, remote) in [(7, 0), (8, 90), (8, 0)] {
                let kept = try JournalStore.add(
                    IssueEntry(by: "ann", note: "Look"), to: issue, of: "house", db)
                links.keep(
                    MirrorLinks.Link(
                        kind: .note, number: Int(clamping: kept.number), remote: remote, base: []))
            }
            try JournalStore.add(IssueEntry(by: "ann"), to: 9, of: "house", db)
            #expect(links.hasUnsentNotes && !MirrorLinks().hasUnsentNotes)
            try MirroredStore.save(links, of: "house", db)

            #expect(try JournalStore.unsentNotes(of: "house", db) == [1: 7, 3: 8])
            #expect(try JournalStore.unsentNotes(of: "shed", db).isEmpty)
        }
    }
}
