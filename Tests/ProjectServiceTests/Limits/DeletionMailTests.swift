import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// The mails about meetings of a project that is deleted, in a real store.
struct DeletionMailTests {
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])

    @Test func `a project with more guests than can be mailed at once says what to do first`()
        throws
    {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        let now: Int64 = 1_780_300_800_000
        let guests = (1...50).map { MeetingGuest(name: "\($0)", mail: "\($0)@example.org") }
        let project = try store.run(at: now, as: Self.lead) { transaction in
            let project = try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")),
                in: transaction)
            for number in 1...11 {
                let meeting = ProjectMeeting(
                    id: "m\(number)", title: "Kick-off", start: now + 1, end: now + 3_600_000,
                    guests: guests)
                try MeetingStore.save(meeting, of: project.id, transaction.db)
            }
            return project
        }

        let refusal = #expect(throws: Refusal.self) {
            try store.run(at: now, as: Self.lead) {
                try Projects.delete(DeleteProject(project: project.id), in: $0)
            }
        }

        #expect(refusal?.message.contains("these are 550 mails") == true)
        #expect(refusal?.message.contains("steward meet cancel") == true)
    }
}
