import Messages
import ServiceRuntime
import Texts

/// The statistics of ended shifts, grouped by manager, site, task, week or month.
enum ShiftStatistics {
    static var handlers: [MessageHandler] {
        [.query(read, .role(minimum: .siteManager, at: .site))]
    }

    static func read(_ query: ReadStatistics, in transaction: Transaction) throws -> Statistics {
        let sites =
            try query.site.isEmpty
            ? transaction.sites(for: .siteManager)
            : [transaction.site(query.site, for: .siteManager)]
        let range = FigureRange(
            sites: sites.map(\.site.id), manager: FoldedText.name(query.manager), from: query.from,
            to: query.to)
        let all =
            query.by == .task
            ? try range.tasks(transaction.db)
            : try range.gathered(by: query.by, transaction.db)
        let rows = Page.first(of: all)
        return Statistics(rows: rows, leftOut: UInt32(clamping: all.count - rows.count))
    }
}
