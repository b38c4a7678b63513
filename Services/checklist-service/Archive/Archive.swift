import Messages
import ServiceRuntime
import ShiftLog

/// The archive: every operation of every shift, as it was accepted. Records are only added, until
/// the oldest ones are deleted after the time in the settings.
enum Archive {
    static var handlers: [MessageHandler] {
        [
            .query(find, .role(minimum: .shiftManager, at: .site)),
            .query(read, .role(minimum: .siteManager, at: .site)),
            .query(readHead, .role(minimum: .siteManager, at: .site)),
            .query(listRemembered, .role(minimum: .shiftManager, at: .site)),
        ]
    }
    static var timers: [TimerHandler] { [.init(retention, forget)] }

    /// The timer kind for deleting old records.
    static let retention = "retention"
    /// How often old records are deleted: once a day, in milliseconds.
    static let retentionInterval: Int64 = 24 * 3600 * 1000

    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(retention, subject: "", due: transaction.now)
        try ArchiveSeed.make(transaction.db)
    }

    /// Stores the words that an ended shift is found by, and its figures.
    static func keep(_ row: ShiftRow, _ state: ShiftState, in transaction: Transaction) throws {
        let text = try ShiftText.keep(state.searchText, transaction.db)
        try RememberedTodo.keep(
            state.remembered, at: row.shift.site, time: transaction.now, transaction.db)
        try ShiftFigures(state, at: row.shift.ended).save(text: text, transaction.db)
    }

    static func find(_ query: FindShifts, in transaction: Transaction) throws -> FoundShifts {
        let scope = try Scope(query.site, in: transaction)
        let limit = pageLimit(query.limit, usual: 50, most: 200)
        let found = try ShiftSearch(query, in: scope, limit: limit).found(transaction.db)
        guard query.missedToo, query.text.isEmpty, !query.openOnly else {
            return FoundShifts(shifts: Page.first(of: found))
        }
        let missed = try StartRow.missed(
            in: FigureRange(query, sites: scope.sites + scope.ownSites), before: query.before,
            limit: limit, transaction.db)
        let zones = Dictionary(
            (scope.sites + scope.ownSites).map { ($0.site.id, $0.site.timeZone) },
            uniquingKeysWith: { first, _ in first })
        let both =
            found + missed.map { FoundShift(missed: $0, zone: zones[$0.shift.site] ?? "Etc/UTC") }
        return FoundShifts(
            shifts: Page.first(
                of: both.sorted { ($0.shift?.started ?? 0) > ($1.shift?.started ?? 0) },
                limit: limit))
    }

    static func read(_ query: ReadArchive, in transaction: Transaction) throws -> ArchivePage {
        let site = try transaction.site(query.site, for: .siteManager).site.id
        let end = try ArchiveEnd.of(site, transaction.db)
        guard query.after <= end.sequence else {
            throw Refusal.conflict(
                "the archive ends at \(end.sequence), so record \(query.after) was cut off or an "
                    + "older backup was restored")
        }
        let limit = pageLimit(query.limit, usual: 1000, most: 1000)
        return ArchivePage(
            records: try ArchiveRecord.all(
                of: site, after: query.after, limit: limit, transaction.db),
            beginsAfter: end.beginsAfter, beginsWith: end.beginsWith, head: end.sequence)
    }

    static func readHead(
        _ query: ReadArchiveHead, in transaction: Transaction
    ) throws -> ArchiveHead {
        let site = try transaction.site(query.site, for: .siteManager).site.id
        let end = try ArchiveEnd.of(site, transaction.db)
        let head = ArchiveHead(
            site: site, sequence: end.sequence, hash: end.hash, time: transaction.now)
        return try ArchiveSeed.key(transaction.db).signed(head)
    }

    static func listRemembered(
        _ query: ListRememberedTodos, in transaction: Transaction
    ) throws -> RememberedTodos {
        let site = try transaction.site(query.site, for: .shiftManager).site.id
        return RememberedTodos(
            todos: try RememberedTodo.all(at: site, containing: query.text, transaction.db))
    }

    /// Deletes some of each site's old records, and some photos that nothing names any more, and
    /// continues a second later while there are more.
    static func forget(_: String, due: Int64, in transaction: Transaction) throws {
        var isDone = true
        for var end in try ArchiveEnd.all(transaction.db) {
            let settings = try SiteSettings.of(end.site, transaction.db)
            let days = max(settings.retentionDays, SiteSettings.leastRetentionDays)
            let bound = transaction.retentionTime - Int64(days) * retentionInterval
            if try !end.forget(before: bound, transaction.db) { isDone = false }
        }
        if try !PhotoHandling.forget(in: transaction) { isDone = false }
        try transaction.setTimer(
            retention, subject: "",
            due: transaction.now + (isDone ? retentionInterval : 1000))
    }
}

/// The ended shifts that an asker may see: all at the sites that the asker runs, and the asker's
/// own at the sites where the asker leads shifts.
struct Scope {
    /// The sites where the asker may see all shifts.
    let sites: [SiteRow]
    /// The sites where the asker may see only their own shifts.
    let ownSites: [SiteRow]
    /// The asker's account.
    let account: String

    /// Makes the scope of a site, by id or name; of all sites when it is empty.
    init(_ site: String, in transaction: Transaction) throws {
        account = transaction.principal.account
        let led =
            try site.isEmpty
            ? transaction.sites(for: .shiftManager)
            : [transaction.site(site, for: .shiftManager)]
        sites = led.filter { transaction.principal.holds(.siteManager, at: $0.site.id) }
        ownSites = led.filter { !transaction.principal.holds(.siteManager, at: $0.site.id) }
    }
}
