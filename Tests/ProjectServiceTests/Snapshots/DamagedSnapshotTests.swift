import GRDB
import Messages
import TestStore
import Testing

@testable import ProjectService

/// Snapshots of a store in which some rows can't be read.
struct DamagedSnapshotTests {
    private static let now: Int64 = 1_780_300_800_000

    @Test func `a project or a meeting that can't be read keeps no other out of a snapshot`()
        throws
    {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        let told = try store.run(at: Self.now) { transaction -> [String] in
            for id in ["a", "b"] {
                try ProjectRow(project: Project(id: id, identifier: id, name: id), mark: "")
                    .save(transaction.db)
                try MeetingStore.save(
                    ProjectMeeting(id: "m\(id)", start: Self.now, end: Self.now + 1),
                    of: id, transaction.db)
            }
            try transaction.db.execute(
                sql: """
                    UPDATE project SET project = x'FF' WHERE id = 'b';
                    UPDATE meeting SET meeting = x'FF' WHERE id = 'ma'
                    """)
            var told: [String] = []
            try ProjectService.pass(transaction) { event, subject in
                told.append("\(type(of: event)) \(subject)")
            }
            return told
        }
        #expect(told == ["ProjectChanged a", "MeetingChanged mb"])
    }
}
