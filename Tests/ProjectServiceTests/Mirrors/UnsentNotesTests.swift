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
        state.apply([MirrorStateTests.remote(7, "Roof")], sweep: 1)
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

    @Test func `notes that were refused, or whose issue isn't there, keep no others waiting`()
        throws
    {
        let links = try mirrored().links
        func refusal(
            of note: Int, _ decision: MirrorConflict.Decision? = nil
        ) -> MirrorConflict {
            MirrorConflict(
                issue: 7, field: MirrorConflict.note(note), ours: "", theirs: "", reason: "No",
                decision: decision)
        }
        let refused = (1...100).map { refusal(of: $0) }
        let ofAnother = Dictionary(uniqueKeysWithValues: (101...200).map { ($0, 8) })
        let unsent = ofAnother.merging((1...100).map { ($0, 7) }) { $1 }
            .merging((201...301).map { ($0, 7) }) { $1 }

        #expect(
            MirrorPlan.notesToWrite(of: unsent, links, refused) == Array(201...300))
        let decided = Array(refused.dropLast()) + [refusal(of: 100, .ours)]
        #expect(
            MirrorPlan.notesToWrite(of: unsent, links, decided) == [100] + Array(201...299))
        // Somebody has to decide about the issue first.
        let gone = MirrorConflict(
            issue: 7, field: MirrorConflict.removed, ours: "", theirs: "", reason: "")
        #expect(MirrorPlan.notesToWrite(of: unsent, links, [gone]).isEmpty)
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
