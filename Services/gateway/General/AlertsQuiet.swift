import ArgumentParser
import Bus
import Foundation
import LocalTime
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts quiet`
    struct Quiet: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "quiet",
            abstract: "Sets the hours in which only urgent alerts are delivered.",
            discussion: """
                Other alerts wait until the hours are over, and are delivered then if they are \
                still open. One that must be acknowledged doesn't wait if it expires before that \
                or within two hours, such as one of a ride. All are in the list and the topic at \
                once. Without options it shows the present hours.
                """)

        @Option(help: ArgumentHelp("When they begin, e.g. 22:00.", valueName: "time"))
        var from: ClockArgument?
        @Option(help: ArgumentHelp("When they end, e.g. 7:00.", valueName: "time"))
        var until: ClockArgument?
        @Option(help: "The time zone, e.g. Europe/Oslo. Default: that of this machine.")
        var zone: String?
        @Flag(help: "Have no quiet hours.")
        var off = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (from == nil) == (until == nil) else {
                throw ValidationError("--from and --until go together")
            }
            if off, from != nil || zone != nil {
                throw ValidationError("--off goes with nothing else")
            }
            if zone != nil, from == nil { throw ValidationError("--zone goes with --from") }
        }

        func run() throws {
            let session = try Session()
            var hours: QuietHours
            if let from, let until {
                hours = QuietHours(
                    from: from.minutes % 1_440, until: until.minutes % 1_440,
                    timeZone: zone ?? TimeZone.current.identifier)
                hours = try session.ask(
                    .notifier, SetQuietHours(hours: hours), for: QuietHours.self,
                    repeating: repeating)
            } else if off {
                hours = try session.ask(
                    .notifier, SetQuietHours(hours: QuietHours()), for: QuietHours.self,
                    repeating: repeating)
            } else {
                hours = try session.ask(.notifier, ReadQuietHours(), for: QuietHours.self)
            }
            guard !output.json else { return try session.printer.json(.quietHours, [hours]) }
            session.printer.result(
                hours.timeZone.isEmpty
                    ? "there are no quiet hours"
                    : "from \(LocalTime.text(minutes: Int(hours.from))) to "
                        + "\(LocalTime.text(minutes: Int(hours.until))), "
                        + "\(hours.timeZone.printable), only urgent alerts are delivered")
        }
    }

    /// `steward alerts silence`
    struct Silence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "silence",
            abstract: "Delivers some alerts by no channel and no mail for a while.",
            discussion: """
                They stay in the list and the topic. A silence ends by itself, or with steward \
                alerts end-silence; alerts that are still open are delivered then. steward alerts \
                silences lists those in force.
                """)

        @Option(help: "Only alerts of this service, e.g. plan-service.")
        var source: ServiceName?
        @Option(help: "Only alerts of this kind, e.g. plan.finding.")
        var kind: String?
        @Option(help: "Only alerts whose key begins with this.")
        var key: String?
        @Option(help: "Only alerts about this site: its name or id.", completion: Offered.sites)
        var site: String?
        @Option(name: .customLong("for"), help: "How long, e.g. 2h or 3d.")
        var duration: DurationArgument
        @Flag(help: "Silence urgent alerts too.")
        var urgentToo = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard source != nil || kind != nil || key != nil || site != nil else {
                throw ValidationError("give --source, --kind, --key or --site")
            }
        }

        func run() throws {
            let session = try Session()
            let silence = Messages.Silence(
                source: source?.rawValue ?? "", kind: kind ?? "", key: key ?? "",
                until: WallClock.milliseconds() + duration.milliseconds, urgentToo: urgentToo,
                site: try site.map { try YourSites(session).named($0).id } ?? "")
            let begun = try session.ask(
                .notifier, SilenceAlerts(silence: silence), for: Messages.Silence.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.silences, [begun]) }
            session.printer.result(
                "silent until \(try session.siteClock.moment(begun.until)): \(begun.id)")
        }
    }

    /// `steward alerts silences`
    struct Silences: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "silences",
            abstract: "Lists your silences that are in force.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let silences = try session.ask(
                .notifier, ListSilences(), for: Messages.Silences.self
            ).silences
            guard !output.json else { return try session.printer.json(.silences, silences) }
            guard !silences.isEmpty else { return session.printer.remark("nothing is silenced") }
            let length = ShortID.length(telling: silences.map(\.id))
            let clock = try session.siteClock
            let sites = try SiteNames(session, of: silences.map(\.site))
            var table = TextTable([
                .id("ID"), .time(clock.title("UNTIL", of: silences.map(\.until))),
                .text("SOURCE"), .text("KIND"), .text("KEY"), .text("SITE"), .text("URGENT"),
            ])
            for one in silences {
                table.add([
                    .init(String(one.id.prefix(length))), .init(clock.moment(one.until)),
                    .init(one.source), .init(one.kind), .init(one.key),
                    .init(sites.name(one.site)),
                    .init(one.urgentToo ? "too" : ""),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward alerts end-silence`
    struct EndSilence: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-silence", abstract: "Ends a silence at once.")

        @Argument(
            help: ArgumentHelp(
                "The silence's id, or its beginning (at least four characters).", valueName: "id"))
        var id: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let ended = try session.ask(
                .notifier, Messages.EndSilence(id: id.lowercased()), for: Messages.Silence.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.silences, [ended]) }
            session.printer.result("alerts are delivered again")
        }
    }
}
