import ArgumentParser
import LocalTime
import Messages
import Phrases
import ShiftLog
import Speech
import Terminal

extension SiteCommand {
    /// `steward site report`
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Mails a report that compares sites, every week.",
            discussion: """
                It covers the last four whole weeks of each site: shifts, missed shifts, how many \
                tasks were looked at, not ok and overdue, and travel paths; and it lists the tasks \
                that were most often not ok. It has only sites that whoever set it up may read.
                """,
            subcommands: [Add.self, List.self, Remove.self])

        /// `steward site report add`
        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Mails a report every week on this day at this time.")

            @Option(help: "The weekday, such as mon.")
            var on: WeekdaysArgument
            @Option(help: "When it is mailed, such as 07:00.")
            var at: ClockArgument
            @Option(
                help: """
                    A recipient: an address, or the name of an account with one; may be given \
                    several times.
                    """)
            var to: [String]
            @Option(
                name: .customLong("site"),
                help: "A site; may be given several times. Default: all that you may see.",
                completion: Offered.sites)
            var sites: [String] = []
            @Option(help: "Its language: en, nb or sv. Default: that of the first site.")
            var language: Language?
            @Option(help: "The time zone of --at. Default: that of the first site.")
            var zone: String = ""
            @OptionGroup var repeating: RepeatOptions
            @OptionGroup var output: OutputOptions

            func validate() throws {
                guard on.days.count == 1 else {
                    throw ValidationError("a report is mailed on one weekday, e.g. --on mon")
                }
            }

            func run() throws {
                let session = try Session()
                let report = try session.ask(
                    .checklist,
                    ScheduleReport(
                        report: SiteReport(
                            sites: sites, weekday: on.days[0], minutes: at.minutes, timeZone: zone,
                            to: to, language: language?.rawValue ?? "")),
                    for: SiteReport.self, repeating: repeating)
                if output.json { return try session.printer.json(.siteReports, [report]) }
                session.printer.result("a report will be mailed every week \(report.line)")
                session.remarkOnHeldMails()
                session.printer.remark(
                    "administrators see what became of its mails with: steward mail list")
            }
        }

        /// `steward site report list`
        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Lists the reports that are mailed.")

            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let reply = try session.ask(
                    .checklist, ListSiteReports(), for: SiteReports.self)
                if output.json { return try session.printer.json(.siteReports, reply.reports) }
                guard !reply.reports.isEmpty else {
                    return session.printer.remark(
                        "no report is mailed: steward site report add --on mon --at 07:00 --to "
                            + "ADDRESS")
                }
                let names = Dictionary(
                    try session.sites().map { ($0.id, $0.name) },
                    uniquingKeysWith: { first, _ in first })
                let length = ShortID.length(telling: reply.reports.map(\.id))
                var table = TextTable([
                    .id("ID"), .time("DAY"), .time("AT"), .text("ZONE"), .text("SITES"),
                    .text("TO"), .text("LANGUAGE"), .text("BY"),
                ])
                for report in reply.reports {
                    table.add([
                        .init(String(report.id.prefix(length))),
                        .init(WeekdaysArgument.words([report.weekday])),
                        .init(LocalTime.text(minutes: Int(report.minutes))),
                        .init(report.timeZone),
                        .init(
                            report.sites.isEmpty
                                ? "all"
                                : report.sites.map { names[$0] ?? $0 }.joined(separator: ", ")),
                        .init(report.to.joined(separator: ", ")), .init(report.language),
                        .init(report.by),
                    ])
                }
                session.printer.table(table)
                session.remarkOnHeldMails()
            }
        }

        /// `steward site report remove`
        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove",
                abstract: "Stops mailing a report.")

            @Argument(help: "Its id in steward site report list, or the unique beginning of it.")
            var id: String
            @OptionGroup var repeating: RepeatOptions
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let report = try session.ask(
                    .checklist, UnscheduleReport(id: id), for: SiteReport.self,
                    repeating: repeating)
                if output.json { return try session.printer.json(.siteReports, [report]) }
                session.printer.result("no report is mailed any more \(report.line)")
            }
        }
    }
}

extension SiteReport {
    /// When and to whom it is mailed.
    fileprivate var line: String {
        "on \(WeekdaysArgument.words([weekday])) at \(LocalTime.text(minutes: Int(minutes))) "
            + "(\(timeZone.printable)) to \(to.map(\.printable).joined(separator: ", "))"
    }
}
