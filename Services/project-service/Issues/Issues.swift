import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// The issues of a project: listing them, reading them, adding notes. They are changed by editing
/// the project.
enum Issues {
    static var handlers: [MessageHandler] {
        [
            .query(list, .member),
            .query(read, .member),
            .command(note, .member),
        ]
    }

    static func list(_ query: ListIssues, in transaction: Transaction) throws -> IssuesListed {
        let search = try IssueSearch(query, transaction)
        let limit = pageLimit(query.limit, usual: 50, most: 1_000)
        return IssuesListed(
            issues: search.part(skipping: Int(query.skip), limit: limit),
            count: UInt32(clamping: search.count), leftOut: UInt32(clamping: search.leftOut))
    }

    static func read(_ query: ReadIssue, in transaction: Transaction) throws -> IssueContents {
        let row = try transaction.project(query.project)
        let record = try row.record(transaction)
        let id = Int(query.issue)
        guard let issue = record.issues[id] else { throw Refusal.noIssue(id, in: row) }
        let identifier = row.project.identifier
        var told = ListedIssue(of: issue, in: record, identifier)
        told.issue?.description = issue.description
        told.spent = record.entries.values.lazy.filter { $0.issue == id }
            .reduce(0) { $0 + UInt64(clamping: $1.minutes) }
        let relations = record.relations.values.filter { $0.from == id || $0.to == id }
            .sorted { $0.id < $1.id }.prefix(1_000)
        var others = Set(relations.flatMap { [$0.from, $0.to] } + record.parts(of: id))
        if let parent = issue.parent { others.insert(parent) }
        others.remove(id)
        let journal = try JournalStore.all(
            of: id, in: row.project.id, before: query.before == 0 ? .max : query.before,
            limit: pageLimit(query.limit, usual: 50, most: 500),
            bytes: Projects.partBytes / 4, transaction.db)
        return IssueContents(
            project: row.project.listed, issue: told, relations: relations.map { IssueLink($0) },
            others: others.sorted().compactMap { record.issues[$0] }
                .messages(within: Projects.partBytes / 2) {
                    ListedIssue(of: $0, in: record, identifier)
                },
            journal: journal.entries, more: journal.more)
    }

    static func note(_ command: NoteIssue, in transaction: Transaction) throws -> IssueEntry {
        let row = try transaction.project(command.project)
        let id = Int(command.issue)
        guard try row.record(transaction).issues[id] != nil else {
            throw Refusal.noIssue(id, in: row)
        }
        try validateText(command.note, "the note", 1...20_000)
        try NoteSize.requireRoom(for: id, in: row.project.id, transaction.db)
        try OrganisationLimits.requireRoom(in: row.project.organisation, transaction.db)
        let entry = IssueEntry(
            time: transaction.now, by: transaction.principal.name, note: command.note,
            account: transaction.principal.account)
        let kept = try JournalStore.add(entry, to: id, of: row.project.id, transaction.db)
        try MirroredStore.awaitNote(
            Int64(clamping: kept.number), of: row.project.id, transaction.db)
        try MirrorRow.hurry(
            row.project.id, to: transaction.now + MirrorRow.patience, transaction.db)
        return kept
    }
}

extension ListedIssue {
    /// An issue of a project with some identifier, without its description.
    init(of issue: ProjectIssue, in record: ProjectRecord, _ project: String) {
        var told = TrackedIssue(issue)
        told.description = ""
        self.init(
            issue: told, assignee: issue.assignee.flatMap { record.members[$0]?.name } ?? "",
            version: issue.version.flatMap { record.versions[$0]?.name } ?? "",
            isClosed: record.isClosed(issue), project: project)
    }
}

extension IssueEntry {
    /// The maximum number of bytes of a value.
    private static let mostBytes = 1_000

    /// The effect of a change to an issue.
    init(_ change: ProjectChange, in record: ProjectRecord, of transaction: Transaction) {
        self.init(
            time: transaction.now, by: transaction.principal.name,
            fields: record.journal(of: change).map {
                JournalField(
                    field: $0.field.rawValue, before: $0.before.prefix(bytes: Self.mostBytes),
                    after: $0.after.prefix(bytes: Self.mostBytes))
            }, event: change.before == nil ? "added" : change.after == nil ? "removed" : "")
    }
}

extension Refusal {
    /// The refusal if a project has no such issue.
    static func noIssue(_ id: Int, in row: ProjectRow) -> Refusal {
        .notFound("\(row.project.identifier) has no #\(id)")
    }
}
