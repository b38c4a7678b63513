import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// Alerts about what is due after a holiday of the project, in a real store.
struct HolidayAlertTests {
    /// The morning of 2026-06-01, a Monday.
    private static let now: Int64 = 1_780_300_800_000
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .shiftManager)])

    @Test(arguments: [false, true])
    func `what is due on the next working day is due soon`(hasHoliday: Bool) throws {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        let special = hasHoliday ? [SpecialDay(date: "2026-06-02", name: "Town day")] : []
        let project = try store.run(at: Self.now, as: Self.ann) {
            try Projects.create(
                CreateProject(
                    project: Project(
                        identifier: "house", name: "House", calendar: WorkWeeks(special: special))),
                in: $0)
        }
        let things: [ProjectThing.Thing] = [
            .member(TeamMember(name: "Ann", account: "me", timeZone: "UTC", share: 100)),
            .issue(TrackedIssue(subject: "Roof", assignee: 1, due: "2026-06-03")),
        ]
        for thing in things {
            try store.run(at: Self.now, as: Self.ann) {
                _ = try Edits.edit(
                    EditProject(project: project.id, actions: [.keep(thing)]), in: $0)
            }
        }

        let standing = try store.run(at: Self.now) {
            try $0.standingAlerts(of: IssueAlerts.subject(1, of: project))
        }

        #expect(standing.map(\.raised.kind) == (hasHoliday ? ["project.dueSoon"] : []))
    }
}
