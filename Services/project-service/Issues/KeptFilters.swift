import Messages
import ProjectRecord
import ServiceRuntime

/// Lists of issues that are kept under a name: a person's own, or those that a project shares.
enum KeptFilters {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .member),
            .command(delete, .member),
            .query(list, .member),
        ]
    }

    /// The maximum number of filters of a person, and of a project.
    static let most = 100
    /// The maximum number of shared filters in a list.
    static let mostShared = 500

    static func keep(
        _ command: KeepIssueFilter, in transaction: Transaction
    ) throws -> IssueFilter {
        var filter = command.filter
        try validateText(filter.name, "the name of the filter", 1...60)
        let owner = try owner(of: &filter, in: transaction)
        guard filter.query.filter.isEmpty else {
            throw Refusal.invalid("a filter can't be made from another one; say what it asks for")
        }
        if filter.query.project.isEmpty {
            filter.query.project = filter.shared
        } else {
            filter.query.project = try transaction.project(filter.query.project).project.id
        }
        // Everything that it asks for must exist now.
        _ = try IssueSearch(filter.query, transaction)
        (filter.query.today, filter.query.limit, filter.query.skip) = ("", 0, 0)
        filter.by = transaction.principal.name
        filter.time = transaction.now
        let others = try FilterStore.all(of: owner, transaction.db)
        let isNew = try FilterStore.named(filter.name, of: owner, transaction.db) == nil
        guard !isNew || others.count < most else {
            throw Refusal.conflict("there are \(most) filters already; delete one")
        }
        try FilterStore.save(filter, of: owner, transaction.db)
        return try told(filter, transaction)
    }

    static func delete(
        _ command: DeleteIssueFilter, in transaction: Transaction
    ) throws -> IssueFilter {
        var named = IssueFilter(name: command.name, shared: command.shared)
        let owner = try owner(of: &named, in: transaction)
        guard let filter = try FilterStore.named(command.name, of: owner, transaction.db) else {
            throw Refusal.noFilter(command.name)
        }
        try FilterStore.delete(command.name, of: owner, transaction.db)
        return try told(filter, transaction)
    }

    static func list(
        _ query: ListIssueFilters, in transaction: Transaction
    ) throws -> IssueFilters {
        let own = try FilterStore.all(of: transaction.ownFilters, transaction.db)
        let shared =
            query.project.isEmpty
            ? try FilterStore.shared(
                of: transaction.principal.scope, limit: mostShared + 1, transaction.db)
            : try FilterStore.all(
                of: .project(transaction.project(query.project).project.id), transaction.db)
        let filters = try (own + shared.prefix(mostShared)).messages(
            within: 2 * Projects.partBytes
        ) { try told($0, transaction) }
        return IssueFilters(filters: filters, more: filters.count < own.count + shared.count)
    }

    /// A query, completed with the filter that it names.
    static func filled(
        _ query: ListIssues, in transaction: Transaction
    ) throws -> ListIssues {
        guard !query.filter.isEmpty else { return query }
        let kept = try named(query.filter, query.project, in: transaction).query
        var query = query
        func fill<Value: Equatable>(_ field: WritableKeyPath<ListIssues, Value>) {
            if query[keyPath: field] == ListIssues()[keyPath: field] {
                query[keyPath: field] = kept[keyPath: field]
            }
        }
        fill(\.project)
        fill(\.words)
        fill(\.state)
        fill(\.status)
        fill(\.tracker)
        fill(\.assignee)
        fill(\.version)
        fill(\.priority)
        fill(\.parent)
        fill(\.dueBefore)
        fill(\.order)
        fill(\.overdue)
        fill(\.dueWithin)
        fill(\.blocked)
        fill(\.dueFrom)
        fill(\.startFrom)
        fill(\.startBefore)
        fill(\.withoutDue)
        fill(\.withoutStart)
        fill(\.withoutEstimate)
        fill(\.doneFrom)
        fill(\.doneTo)
        fill(\.estimateFrom)
        fill(\.estimateTo)
        fill(\.skills)
        fill(\.fixed)
        fill(\.milestone)
        fill(\.inDescriptions)
        fill(\.priorityTo)
        fill(\.reversed)
        query.filter = ""
        return query
    }

    /// The filter with a name: the sender's own, else the one that the project shares, or the only
    /// one that any project shares.
    private static func named(
        _ name: String, _ project: String, in transaction: Transaction
    ) throws -> IssueFilter {
        let own = try FilterStore.named(
            name, of: transaction.ownFilters, transaction.db)
        if let own { return own }
        guard project.isEmpty else {
            let row = try transaction.project(project)
            let shared = try FilterStore.named(name, of: .project(row.project.id), transaction.db)
            guard let shared else { throw Refusal.noFilter(name) }
            return shared
        }
        let shared = try FilterStore.shared(
            named: name, of: transaction.principal.scope, limit: 2, transaction.db)
        guard let only = shared.first else { throw Refusal.noFilter(name) }
        guard shared.count == 1 else {
            throw Refusal.conflict(
                "several projects share a filter “\(name.prefix(bytes: 200))”; name the project")
        }
        return only
    }

    /// The owner of a filter; `shared` becomes the id of its project.
    private static func owner(
        of filter: inout IssueFilter, in transaction: Transaction
    ) throws -> FilterStore.Owner {
        guard !filter.shared.isEmpty else { return transaction.ownFilters }
        filter.shared = try transaction.project(filter.shared).project.id
        return .project(filter.shared)
    }

    /// A filter that names projects by their identifiers. A deleted project keeps its id.
    private static func told(
        _ filter: IssueFilter, _ transaction: Transaction
    ) throws -> IssueFilter {
        var filter = filter
        for field in [\IssueFilter.shared, \IssueFilter.query.project] {
            let row = try ProjectRow.ofID(filter[keyPath: field], transaction.db)
            if let row { filter[keyPath: field] = row.project.identifier }
        }
        return filter
    }
}

extension Refusal {
    /// The refusal if there is no such filter.
    static func noFilter(_ name: String) -> Refusal {
        .notFound(
            "there is no filter “\(name.prefix(bytes: 200))”; see steward issue filter list")
    }
}

extension Transaction {
    /// The filters that the sender keeps.
    fileprivate var ownFilters: FilterStore.Owner {
        .account(principal.account, organisation: principal.organisation)
    }
}
