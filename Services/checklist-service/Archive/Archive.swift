import Messages
import ServiceRuntime
import ShiftLog

/// The archive: every operation of every shift, as it was taken in. It is only ever added to, until
/// its oldest part is deleted after the time that the settings say.
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

    /// Timer kind: what is too old is deleted.
    static let retention = "retention"
    /// How often what is too old is looked for: a day in milliseconds.
    static let retentionInterval: Int64 = 24 * 3600 * 1000

    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(retention, subject: "", due: transaction.now)
        try ArchiveSeed.make(transaction.db)
    }

    /// Keeps what an ended shift is found by and what it came to.
    static func keep(_ row: ShiftRow, _ state: ShiftState, in transaction: Transaction) throws {
        let text = try ShiftText.keep(state.searchText, transaction.db)
        try RememberedTodo.keep(
            state.remembered, at: row.shift.site, time: transaction.now, transaction.db)
        try ShiftFigures(state, at: row.shift.ended).save(text: text, transaction.db)
    }

    static func find(_ query: FindShifts, in transaction: Transaction) throws -> FoundShifts {
        return FoundShifts(
            shifts: try ShiftSearch(
                query, in: Scope(query.site, in: transaction),
                limit: pageLimit(query.limit, usual: 50, most: 200)
            ).found(transaction.db))
    }

    static func read(_ query: ReadArchive, in transaction: Transaction) throws -> ArchivePage {
        let site = try transaction.site(query.site, for: .siteManager).site.id
        let end = try ArchiveEnd.of(site, transaction.db)
        guard query.after <= end.sequence else {
            throw Refusal.conflict(
                "the archive ends at \(end.sequence), so record \(query.after) was cut off or an "
                    + "older backup was put back")
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

    /// Deletes some of what is too old at each site, and goes on a second later while there is
    /// more.
    static func forget(_: String, due: Int64, in transaction: Transaction) throws {
        var isDone = true
        for var end in try ArchiveEnd.all(transaction.db) {
            let settings = try SiteSettings.of(end.site, transaction.db)
            let days = max(settings.retentionDays, SiteSettings.leastRetentionDays)
            let bound = transaction.now - Int64(days) * retentionInterval
            if try !end.forget(before: bound, transaction.db) { isDone = false }
        }
        try transaction.setTimer(
            retention, subject: "",
            due: transaction.now + (isDone ? retentionInterval : 1000))
    }
}

/// The ended shifts that an asker may look into: all of the sites that the asker runs, and the own
/// ones of the sites where the asker leads shifts.
struct Scope {
    /// Sites of which all may be seen.
    let sites: [SiteRow]
    /// Sites of which only the asker's own may be seen.
    let ownSites: [SiteRow]
    /// Who asks.
    let account: String

    /// What the asker may see of a site, by id or name; of all sites when it is empty.
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
