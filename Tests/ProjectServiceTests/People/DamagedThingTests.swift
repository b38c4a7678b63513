import GRDB
import Messages
import ProjectRecord
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// The alerts of a project of which something can't be read, in a real store.
struct DamagedThingTests {
    /// The morning of 2026-06-01, a Monday.
    private static let now: Int64 = 1_780_300_800_000
    /// The morning of the Thursday after it.
    private static let thursday = now + 3 * 86_400_000
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .shiftManager)])

    private let store: MemoryStore
    private let project: Project

    /// Makes a project in which Ann has an issue that is overdue, and one that is due on Friday.
    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        project = try store.run(at: Self.now, as: Self.ann) {
            try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")), in: $0)
        }
        let things: [ProjectThing.Thing] = [
            .member(TeamMember(name: "Ann", account: "me", timeZone: "UTC", share: 100)),
            .issue(TrackedIssue(subject: "Roof", assignee: 1, due: "2026-05-20")),
            .issue(TrackedIssue(subject: "Wall", assignee: 1, due: "2026-06-05")),
        ]
        for thing in things {
            _ = try store.run(at: Self.now, as: Self.ann) {
                try Edits.edit(
                    EditProject(project: project.id, actions: [.keep(thing)]), in: $0)
            }
        }
    }

    /// Damages a row, and has the store read again.
    private func damage(_ kind: ProjectItem.Kind, _ number: Int) throws {
        try store.run(at: Self.now) { transaction in
            try transaction.db.execute(
                sql: """
                    UPDATE item SET item = x'FF' WHERE kind = ? AND number = ?;
                    UPDATE project SET mark = 'damaged'
                    """, arguments: [ItemStore.number(of: kind), number])
        }
    }

    /// The kinds of the alerts of both issues.
    private func alerts() throws -> [[String]] {
        try store.run(at: Self.thursday) { transaction in
            try [1, 2].map { issue in
                try transaction.standingAlerts(of: IssueAlerts.subject(issue, of: project))
                    .map(\.raised.kind)
            }
        }
    }

    @Test(arguments: [true, false])
    func `an issue that can't be read keeps its alerts, and others get theirs`(
        inTheMorning: Bool
    ) throws {
        #expect(try alerts() == [["project.overdue"], []])
        try damage(.issue, 1)

        try store.run(at: Self.thursday, as: .system) { transaction in
            if inTheMorning {
                try IssueWatch.wake(project.id, due: Self.thursday, in: transaction)
            } else {
                try IssueWatch.settleAll(project.id, due: Self.thursday, in: transaction)
            }
        }

        #expect(try alerts() == [["project.overdue"], ["project.dueSoon"]])
    }

    @Test func `the issues of a person who can't be read still have alerts`() throws {
        try damage(.member, 1)

        try store.run(at: Self.thursday, as: .system) {
            try IssueWatch.wake(project.id, due: Self.thursday, in: $0)
        }

        #expect(try alerts() == [["project.overdue"], ["project.dueSoon"]])
        let recipients = try store.run(at: Self.thursday) {
            try $0.standingAlerts(of: IssueAlerts.subject(2, of: project)).map(\.raised.recipient)
        }
        #expect(recipients == ["ann"])
    }

    @Test func `a project is deleted with its alerts whatever in it can't be read`() throws {
        try damage(.issue, 1)
        try store.run(at: Self.now) { transaction in
            let meeting = ProjectMeeting(
                id: "m", title: "Roof", start: Self.now + 1, end: Self.now + 2)
            try MeetingStore.save(meeting, of: project.id, transaction.db)
            try transaction.db.execute(
                sql: """
                    UPDATE meeting SET meeting = x'FF';
                    INSERT INTO personCalendar (id, project, person, due, earliest, underWay,
                        sealed, tag, modified, zone, calendar, times)
                    SELECT 'c', id, 1, 0, 0, 0, x'', '', '', '', x'FF', x'' FROM project
                    """)
        }

        _ = try store.run(at: Self.now, as: Self.ann) {
            try Projects.delete(DeleteProject(project: project.id), in: $0)
        }

        #expect(try alerts() == [[], []])
        try store.run(at: Self.now) { transaction in
            for table in ["project", "item", "meeting", "personCalendar"] {
                let count = try Int.fetchOne(transaction.db, sql: "SELECT count(*) FROM \(table)")
                #expect(count == 0, "\(table)")
            }
        }
    }

    @Test func `a project of which no issue can be read is looked at again the next day`() throws {
        for issue in [1, 2] { try damage(.issue, issue) }

        let next = try store.run(at: Self.thursday, as: .system) { transaction in
            try IssueWatch.wake(project.id, due: Self.thursday, in: transaction)
            return try transaction.timerDue(IssueWatch.morning, subject: project.id)
        }

        #expect(next == Self.thursday + 86_400_000)
    }
}
