import Messages
import ServiceRuntime

/// What ended shifts came to, gathered by manager, site, task, week or month.
enum ShiftStatistics {
    static var queries: [QueryHandler] { [.init(read)] }
    static var access: [String: Access] {
        [ReadStatistics.protobufName: .role(minimum: .siteManager, at: .site)]
    }

    static func read(_ query: ReadStatistics, in transaction: Transaction) throws -> Statistics {
        let sites =
            try query.site.isEmpty
            ? transaction.sites(for: .siteManager)
            : [transaction.site(query.site, for: .siteManager)]
        let range = FigureRange(
            sites: sites.map(\.site.id), manager: SiteRow.folded(query.manager), from: query.from,
            to: query.to)
        guard query.by != .task else {
            return Statistics(rows: try range.tasks(transaction.db))
        }
        var gathered: [String: GatheredFigures] = [:]
        for (shift, totals, leads) in try range.shifts(transaction.db) {
            let name = query.by.name(of: shift)
            gathered[name, default: GatheredFigures(name: name)].add(totals, leads: leads)
        }
        return Statistics(rows: gathered.values.map(\.row).sorted { $0.name < $1.name })
    }
}
