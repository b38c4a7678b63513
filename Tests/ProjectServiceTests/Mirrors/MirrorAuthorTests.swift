import Dates
import Messages
import ProjectRecord
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// Who is named for what a Redmine server has changed, in a real store.
struct MirrorAuthorTests {
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .shiftManager)])

    @Test func `alerts and the list of projects name Redmine for what its server has changed`()
        throws
    {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        let project = try store.run(as: Self.ann) {
            try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")), in: $0)
        }
        let things: [ProjectThing.Thing] = [
            .member(TeamMember(name: "Ann", account: "me", timeZone: "UTC", share: 100)),
            .issue(TrackedIssue(subject: "Roof", assignee: 1, due: "2027-03-01")),
        ]
        for thing in things {
            try store.run(as: Self.ann) {
                _ = try Edits.edit(
                    EditProject(project: project.id, actions: [.keep(thing)]), in: $0)
            }
        }

        let changedBy = try store.run(as: .system) { (transaction: Transaction) throws -> String in
            let row = try #require(try ProjectRow.ofID(project.id, transaction.db))
            let record = try row.record(transaction)
            var issue = try #require(record.issues[1])
            issue.span.due = CivilDate(iso: "2027-03-08")
            let outcome = try record.making(.mirror([.issue(issue)], removed: []))
            let edited = try Edits.keep(outcome, row, by: "Redmine", in: transaction)
            return edited.project?.changedBy ?? ""
        }
        let standing = try store.run {
            try $0.standingAlerts(of: IssueAlerts.subject(1, of: project))
        }

        #expect(changedBy == "Redmine")
        #expect(standing.map(\.raised.kind) == ["project.moved"])
        #expect(standing.first?.raised.body.contains("by Redmine") == true)
    }
}
