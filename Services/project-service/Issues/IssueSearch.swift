import Messages
import ProjectRecord
import ServiceRuntime

/// A search for issues in a project, or in all that its sender may see.
struct IssueSearch {
    /// The maximum number of issues searched at a time, because the loop waits for it. The most
    /// recently changed projects are searched.
    static let mostIssues = 40_000
    private static let mostProjects = 500

    private var selection: IssueSelection
    /// The projects that were searched.
    private var projects: [Project] = []
    /// How many projects weren't searched.
    private(set) var leftOut = 0

    /// Searches. The issues of the sender are searched in the sender's projects only.
    ///
    /// - Parameters:
    ///   - query: what is searched.
    ///   - transaction: the transaction in which it is read.
    ///   - mostIssues: the maximum number of issues searched.
    /// - Throws: a refusal if a project, a filter, or something else doesn't exist. In a search of
    ///   all projects it must exist in one of them.
    init(
        _ query: ListIssues, _ transaction: Transaction, mostIssues: Int = IssueSearch.mostIssues
    ) throws {
        let query = try KeptFilters.filled(query, in: transaction)
        selection = try IssueSelection(
            query, account: transaction.principal.account, at: transaction.now)
        guard query.project.isEmpty else {
            let row = try transaction.project(query.project)
            try selection.search(row.record(transaction))
            projects = [row.project.listed]
            return
        }
        guard query.parent == 0 else {
            throw Refusal.invalid(
                "each project has its own numbers; name the project of #\(query.parent)")
        }
        var issues = 0
        var refusal: Refusal?
        let (rows, count) = try Self.rows(ofSender: query.assignee == "me", transaction)
        for row in rows {
            issues += Int(row.project.issues)
            guard issues <= mostIssues || projects.isEmpty else {
                leftOut += 1
                continue
            }
            do {
                try selection.search(row.record(transaction))
                projects.append(row.project.listed)
            } catch let missing as Refusal where missing.code == .notFound {
                refusal = refusal ?? missing
            }
        }
        if let refusal, projects.isEmpty { throw refusal }
        leftOut += max(0, count - Self.mostProjects)
    }

    /// The projects to search, most recently changed first, and how many there are in all.
    ///
    /// - Parameters:
    ///   - isOwn: whether only projects in which the sender is a person are searched. If there is
    ///     none, all are, and say so.
    ///   - transaction: the transaction in which they are read.
    private static func rows(
        ofSender isOwn: Bool, _ transaction: Transaction
    ) throws -> (rows: [ProjectRow], count: Int) {
        let (scope, account) = (transaction.principal.scope, transaction.principal.account)
        if isOwn {
            let own = try MemberAccount.projects(of: account, transaction.db)
                .compactMap { try ProjectRow.ofID($0, transaction.db) }
                .filter { scope.includes($0.project.organisation) }
                .sorted {
                    ($0.project.changed, $0.project.id) > ($1.project.changed, $1.project.id)
                }
            if !own.isEmpty { return (Array(own.prefix(mostProjects)), own.count) }
        }
        return (
            try ProjectRow.all(of: scope, limit: mostProjects, transaction.db),
            try ProjectRow.count(of: scope, with: "", transaction.db)
        )
    }

    /// How many issues match.
    var count: Int { selection.count }

    /// A matching issue, in its project.
    typealias Hit = (issue: ProjectIssue, record: ProjectRecord, project: Project)

    /// The matching issues, in the requested order.
    var hits: some Collection<Hit> {
        selection.sorted.lazy.map { place, issue in
            (issue, selection.records[place], projects[place])
        }
    }

    /// A part of the matching issues: as many as one message should carry.
    func part(skipping: Int, limit: Int) -> [ListedIssue] {
        Self.told(hits.dropFirst(skipping).prefix(limit))
    }

    /// Issues as they are listed: as many as fit into this many bytes, which by default are those
    /// that one message should carry.
    static func told(
        _ hits: some Sequence<Hit>, within bytes: Int = 2 * Projects.partBytes
    ) -> [ListedIssue] {
        hits.messages(within: bytes) {
            ListedIssue(of: $0.issue, in: $0.record, $0.project.identifier)
        }
    }
}
