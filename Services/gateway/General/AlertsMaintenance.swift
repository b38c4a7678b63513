import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts maintenance`
    struct Maintenance: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "maintenance",
            abstract: "Holds an organisation's alerts back while something is being worked on.",
            discussion: """
                They are in the list and the topic at once, and are delivered afterwards if they \
                are still open. Nothing escalates meanwhile. For administrators.
                """,
            subcommands: [Begin.self, List.self, End.self])
    }
}

extension AlertsCommand.Maintenance {
    /// `steward alerts maintenance begin`
    struct Begin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "begin",
            abstract: "Begins or plans maintenance.")

        @OptionGroup var filter: AlertFilterOptions
        @Option(name: .customLong("for"), help: "How long it lasts, e.g. 2h.")
        var duration: DurationArgument
        @Option(
            name: .customLong("in"), help: "How long until it begins, e.g. 3h. Default: now.")
        var delay: DurationArgument?
        @Option(help: "What is being worked on.")
        var reason: String?
        @Flag(help: "Urgent alerts wait too.")
        var urgentToo = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if filter.isEmpty {
                throw ValidationError("give --source, --kind, --key or --site")
            }
        }

        func run() throws {
            let session = try Session()
            let from = WallClock.milliseconds() + (delay?.milliseconds ?? 0)
            let window = MaintenanceWindow(
                source: filter.source?.rawValue ?? "", kind: filter.kind ?? "",
                key: filter.key ?? "", site: try filter.siteID(session),
                from: delay == nil ? 0 : from, until: from + duration.milliseconds,
                urgentToo: urgentToo, reason: reason ?? "")
            let begun = try session.ask(
                .notifier, BeginMaintenance(window: window), for: MaintenanceWindow.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.maintenance, [begun]) }
            session.printer.result(
                "alerts wait until \(try session.siteClock.moment(begun.until)): \(begun.id)")
        }
    }

    /// `steward alerts maintenance list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the maintenance that has not ended.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let windows = try session.ask(
                .notifier, ListMaintenance(), for: MaintenanceWindows.self
            ).windows
            guard !output.json else { return try session.printer.json(.maintenance, windows) }
            guard !windows.isEmpty else {
                return session.printer.remark("there is no maintenance")
            }
            let clock = try session.siteClock
            let length = ShortID.length(telling: windows.map(\.id))
            let sites = try SiteNames(session, of: windows.map(\.site))
            var table = TextTable([
                .id("ID"), .time(clock.title("FROM", of: windows.map(\.from))), .time("UNTIL"),
                .text("SOURCE"), .text("KIND"), .text("KEY"), .text("SITE"), .text("URGENT"),
                .text("REASON"),
            ])
            for one in windows {
                table.add([
                    .init(String(one.id.prefix(length))), .init(clock.moment(one.from)),
                    .init(clock.moment(one.until)), .init(one.source), .init(one.kind),
                    .init(one.key), .init(sites.name(one.site)),
                    .init(one.urgentToo ? "too" : ""), .init(one.reason),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward alerts maintenance end`
    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end",
            abstract: "Ends maintenance at once.",
            discussion: "Channels and mail deliver what waited, if it is still open.")

        @Argument(help: "Its id, or the beginning (at least four characters).")
        var id: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let ended = try session.ask(
                .notifier, EndMaintenance(id: id.lowercased()), for: MaintenanceWindow.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.maintenance, [ended]) }
            session.printer.result("alerts are delivered again")
        }
    }
}
