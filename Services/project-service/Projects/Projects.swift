import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// The projects of an organisation: creates, lists, reads and deletes them.
enum Projects {
    static var handlers: [MessageHandler] {
        [
            .command(create, .lead),
            .command(delete, .lead),
            .query(list, .member),
            .query(read, .member),
        ]
    }

    /// About how many bytes of a project go into one message.
    static let partBytes = 400_000

    static func create(_ command: CreateProject, in transaction: Transaction) throws -> Project {
        let details = try command.project.details()
        try details.calendar.validateSize(of: "the project")
        let record = try ProjectRecord(details)
        let id = "\(transaction.id)"
        var row = ProjectRow(
            project: Project(id: id, organisation: transaction.principal.organisation), mark: id)
        row.update(from: record, by: transaction.principal.name, in: transaction)
        try row.requireFree(transaction)
        try OrganisationLimits.requireRoomForProject(
            of: row.project.organisation, transaction.db)
        try row.save(transaction.db)
        OpenProjects.shared.put(record, of: id, mark: row.mark)
        try transaction.publish(ProjectChanged(project: row.project), subject: id)
        return row.project
    }

    static func delete(
        _ command: DeleteProject, in transaction: Transaction
    ) throws -> ProjectDeleted {
        let row = try transaction.project(command.project)
        let deleted = ProjectDeleted(project: row.project.id, name: row.project.name)
        try Meetings.cancelAll(of: row, in: transaction)
        try IssueWatch.forget(row.project, in: transaction)
        try transaction.withdrawAlerts(of: MirrorAlerts.subject(row.project.id))
        try PersonCalendarRow.forgetAll(of: row.project.id, in: transaction)
        try row.delete(in: transaction)
        try transaction.publish(deleted, subject: row.project.id)
        transaction.afterCommit {
            OpenProjects.shared.forget(deleted.project)
            MirrorRests.shared.forget(deleted.project)
        }
        return deleted
    }

    static func list(
        _ query: ListProjects, in transaction: Transaction
    ) throws -> ProjectsListed {
        let scope = transaction.principal.scope
        let rows = try ProjectRow.all(
            of: scope, with: query.words, limit: pageLimit(query.limit, usual: 50, most: 500),
            skip: Int(query.skip), transaction.db)
        return ProjectsListed(
            projects: rows.messages(within: 2 * partBytes, \.project.listed),
            count: UInt32(
                clamping: try ProjectRow.count(of: scope, with: query.words, transaction.db)))
    }

    static func read(
        _ query: ReadProject, in transaction: Transaction
    ) throws -> ProjectContents {
        let row = try transaction.project(query.project)
        let project = query.skip == 0 ? row.project : row.project.listed
        // The calendar of a project from an earlier version may leave room for few things.
        let room = min(partBytes, 2 * partBytes - project.packed().count)
        let part = try ItemStore.part(
            of: row.project.id, skipping: Int(query.skip), withTime: !query.withoutTime,
            bytes: room, transaction.db)
        let next = query.skip.addingReportingOverflow(UInt32(part.things.count)).partialValue
        return ProjectContents(
            project: project, things: part.things, next: part.isLast ? 0 : next)
    }

    /// Passes every project to a snapshot.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try ProjectRow.each(in: transaction) { project in
            try receiver(ProjectChanged(project: project), project.id)
        }
    }
}
