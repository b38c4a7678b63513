import ArgumentParser
import Messages
import Speech
import Terminal
import Texts

/// `steward stats`
struct StatisticsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows statistics of ended shifts, by manager, site, task or time.",
        discussion: """
            FILL is the median time from the first to the last mark of the pre-shift list, LEAD \
            the median time until a to-do is done, FAST the marks made faster than anyone can \
            check, HARDLY the shifts whose pre-shift list was hardly walked, MISSED the scheduled \
            shifts that did not begin. --by site-week compares all sites that you may see, week by \
            week.
            """)

    @Option(
        help: "Group by manager, site, task, week, month or site-week. Default: one row for all.")
    var by: GatheringArgument?
    @Option(help: "Only this manager's shifts: a name.")
    var manager: String = ""
    @Option(help: "From this local date on: today, yesterday, or e.g. 2026-11-01.")
    var from: DayArgument?
    @Option(help: "Up to this local date.")
    var to: DayArgument?
    @Flag(help: "All sites that you may see.")
    var everySite = false
    @Flag(help: "Print CSV, with a head line; times in milliseconds.")
    var csv = false
    @OptionGroup var place: SiteOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try DayArgument.validate(from: from, to: to)
        if csv, output.json { throw ValidationError("--csv and --json can't be used together") }
        if everySite, place.named != nil {
            throw ValidationError("--every-site and --site can't be used together")
        }
    }

    func run() throws {
        let session = try Session()
        let reply = try session.ask(
            .checklist,
            ReadStatistics(
                site: isEverySite ? "" : try place.site(session).id, manager: manager,
                from: from?.iso(session) ?? "", to: to?.iso(session) ?? "",
                by: by?.gathering ?? .unspecified),
            for: Statistics.self)
        if output.json {
            return try session.printer.json(
                .statistics, reply.rows, beside: ["leftOut": reply.leftOut])
        }
        if csv {
            for line in Self.csv(reply.rows) { session.printer.result(line) }
        } else {
            guard !reply.rows.isEmpty else {
                return session.printer.remark("no shift has ended in that time")
            }
            session.printer.table(table(reply.rows))
        }
        if reply.leftOut > 0 {
            session.printer.remark(
                "there are \(reply.leftOut) more; choose fewer with --from, --to, --manager or "
                    + "--site")
        }
    }

    /// Sites are compared with each other, unless one is named.
    private var isEverySite: Bool { everySite || by == .siteWeek && place.named == nil }

    private func table(_ rows: [StatisticsRow]) -> TextTable {
        switch by {
        case .task: Self.taskTable(rows)
        case .siteWeek: Self.comparison(rows)
        default: Self.table(rows)
        }
    }

    /// The sites, week by week.
    static func comparison(_ rows: [StatisticsRow]) -> TextTable {
        var table = TextTable([
            .time("WEEK"), .text("SITE"), .number("SHIFTS"), .number("MISSED"), .number("DONE"),
            .number("NOT OK"), .number("LATE"), .number("TP"), .number("TP LATE"),
        ])
        var week = ""
        for row in rows {
            let totals = row.totals ?? ShiftTotals()
            table.add([
                .init(row.week == week ? "" : row.week), .init(row.site), "\(row.shifts)",
                .init("\(row.missed)", row.missed > 0 ? .red : nil),
                .init(percent(totals.looked, totals.tasks)),
                .init(percent(totals.notOk, totals.looked)), "\(totals.overdue)",
                .init(totals.walked), "\(totals.travelPathsLate)",
            ])
            week = row.week
        }
        return table
    }

    static func table(_ rows: [StatisticsRow]) -> TextTable {
        var table = TextTable([
            .text("NAME"), .number("SHIFTS"), .number("DONE"), .number("NOT OK"), .number("LATE"),
            .number("TO-DOS"), .number("LEAD"), .number("TP"), .number("TP LATE"), .number("FILL"),
            .number("FAST"), .number("HARDLY"), .number("MISSED"),
        ])
        for row in rows {
            let totals = row.totals ?? ShiftTotals()
            table.add([
                .init(row.name.isEmpty ? "all" : row.name), "\(row.shifts)",
                .init(percent(totals.looked, totals.tasks)),
                .init(percent(totals.notOk, totals.looked)),
                "\(totals.overdue)", "\(totals.todosDone)/\(totals.todos)",
                .init(row.medianTodoLead == 0 ? "" : Wording.duration(row.medianTodoLead)),
                .init(totals.walked),
                "\(totals.travelPathsLate)",
                .init(row.medianFillTime == 0 ? "" : Wording.duration(row.medianFillTime)),
                "\(totals.tooFast)",
                .init("\(row.hardlyWalked)", row.hardlyWalked > 0 ? .red : nil),
                .init("\(row.missed)", row.missed > 0 ? .red : nil),
            ])
        }
        return table
    }

    static func taskTable(_ rows: [StatisticsRow]) -> TextTable {
        var table = TextTable([
            .text("TASK"), .number("SHIFTS"), .number("OK"), .number("NOT OK"), .number("RATE"),
            .number("N/A"), .number("LATE"),
        ])
        for row in rows {
            let totals = row.totals ?? ShiftTotals()
            table.add([
                .init(row.name), "\(row.shifts)", "\(totals.ok)", "\(totals.notOk)",
                .init(percent(totals.notOk, totals.ok + totals.notOk)),
                "\(totals.notApplicable)", "\(totals.overdue)",
            ])
        }
        return table
    }

    private static func percent(_ part: UInt32, _ whole: UInt32) -> String {
        whole == 0 ? "" : "\((Int(part) * 200 + Int(whole)) / (2 * Int(whole))) %"
    }

    /// The rows in the form of RFC 4180, without line ends.
    static func csv(_ rows: [StatisticsRow]) -> [String] {
        let head =
            "name,shifts,tasks,ok,not_ok,not_applicable,overdue,todos,todos_done,todo_lead_sum,"
            + "median_todo_lead,travel_paths_due,travel_paths_done,travel_paths_late,"
            + "travel_paths_missed,median_fill_time,too_fast,hardly_walked,site,week,missed"
        return [head]
            + rows.map { row in
                let totals = row.totals ?? ShiftTotals()
                let numbers: [any BinaryInteger] = [
                    row.shifts, totals.tasks, totals.ok, totals.notOk, totals.notApplicable,
                    totals.overdue, totals.todos, totals.todosDone, totals.todoLead,
                    row.medianTodoLead, totals.travelPathsDue, totals.travelPathsDone,
                    totals.travelPathsLate, totals.travelPathsMissed, row.medianFillTime,
                    totals.tooFast, row.hardlyWalked,
                ]
                return CSVRow.cell(row.name) + "," + numbers.map { "\($0)" }.joined(separator: ",")
                    + ",\(CSVRow.cell(row.site)),\(row.week),\(row.missed)"
            }
    }
}

extension ShiftTotals {
    /// The tasks for which something was found.
    fileprivate var looked: UInt32 { ok + notOk + notApplicable }
    /// The travel paths that were walked, and those that were due.
    fileprivate var walked: String { "\(travelPathsDone + travelPathsLate)/\(travelPathsDue)" }
}

/// How figures are grouped, as it is typed.
enum GatheringArgument: String, ExpressibleByArgument, CaseIterable {
    case manager
    case site
    case task
    case week
    case month
    case siteWeek = "site-week"

    /// Its value in messages.
    var gathering: Gathering {
        switch self {
        case .manager: .manager
        case .site: .site
        case .task: .task
        case .week: .week
        case .month: .month
        case .siteWeek: .siteWeek
        }
    }
}
