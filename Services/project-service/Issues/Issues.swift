import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// The issues of a project: listed, read, noted upon. They are changed by editing the project.
enum Issues {
    static var handlers: [MessageHandler] {
        [
            .query(list, .member),
            .query(read, .member),
            .command(note, .member),
        ]
    }

    static func list(_ query: ListIssues, in transaction: Transaction) throws -> IssuesListed {
        let record = try transaction.project(query.project).record(transaction)
        let found = try IssueFilter(query, record).issues
        var bytes = 0
        let limit = pageLimit(query.limit, usual: 50, most: 1_000)
        let listed = found.dropFirst(Int(query.skip)).prefix(limit).lazy
            .map { ListedIssue(of: $0, in: record) }.prefix {
                bytes += $0.packed().count
                return bytes <= 2 * Projects.partBytes
            }
        return IssuesListed(issues: Array(listed), count: UInt32(clamping: found.count))
    }

    static func read(_ query: ReadIssue, in transaction: Transaction) throws -> IssueContents {
        let row = try transaction.project(query.project)
        let record = try row.record(transaction)
        let id = Int(query.issue)
        guard let issue = record.issues[id] else { throw Refusal.noIssue(id, in: row) }
        var told = ListedIssue(of: issue, in: record)
        told.issue?.description = issue.description
        told.spent = record.entries.values.lazy.filter { $0.issue == id }
            .reduce(0) { $0 + UInt64(clamping: $1.minutes) }
        let relations = record.relations.values.filter { $0.from == id || $0.to == id }
            .sorted { $0.id < $1.id }.prefix(1_000)
        var others = Set(relations.flatMap { [$0.from, $0.to] } + record.parts(of: id))
        if let parent = issue.parent { others.insert(parent) }
        others.remove(id)
        var bytes = 0
        return IssueContents(
            project: row.project.listed, issue: told, relations: relations.map { IssueLink($0) },
            others: others.sorted().compactMap { record.issues[$0] }.lazy
                .map { ListedIssue(of: $0, in: record) }.prefix {
                    bytes += $0.packed().count
                    return bytes <= Projects.partBytes / 2
                }.map { $0 },
            journal: try JournalStore.all(
                of: id, in: row.project.id, before: query.before == 0 ? .max : query.before,
                limit: pageLimit(query.limit, usual: 50, most: 500),
                bytes: Projects.partBytes / 4, transaction.db))
    }

    static func note(_ command: NoteIssue, in transaction: Transaction) throws -> IssueEntry {
        let row = try transaction.project(command.project)
        let id = Int(command.issue)
        guard try row.record(transaction).issues[id] != nil else {
            throw Refusal.noIssue(id, in: row)
        }
        try checkText(command.note, "the note", 1...20_000)
        let entry = IssueEntry(
            time: transaction.now, by: transaction.principal.name, note: command.note)
        return try JournalStore.add(entry, to: id, of: row.project.id, transaction.db)
    }
}

extension ListedIssue {
    /// An issue without its description.
    init(of issue: ProjectIssue, in record: ProjectRecord) {
        var told = TrackedIssue(issue)
        told.description = ""
        self.init(
            issue: told, assignee: issue.assignee.flatMap { record.members[$0]?.name } ?? "",
            version: issue.version.flatMap { record.versions[$0]?.name } ?? "",
            isClosed: record.isClosed(issue))
    }
}

extension IssueEntry {
    /// Most bytes of a value.
    private static let mostBytes = 1_000

    /// What a change of an issue comes to.
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
    /// There is no such issue in a project.
    static func noIssue(_ id: Int, in row: ProjectRow) -> Refusal {
        .notFound("\(row.project.identifier) has no #\(id)")
    }
}
