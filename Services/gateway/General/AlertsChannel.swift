import ArgumentParser
import Foundation
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts channel`
    struct Channel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "channel",
            abstract: "Sets how your alerts reach you: ntfy, Gotify, webhooks, MQTT.",
            subcommands: [Add.self, List.self, Remove.self, Test.self])
    }
}

extension AlertsCommand.Channel {
    /// `steward alerts channel add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a channel, or changes the one of that name.",
            discussion: """
                Alerts of the severity given with --from and above are delivered by it, and tried \
                again until that succeeds. A spare channel delivers only what others fail to \
                deliver. docs/channels.md shows what a webhook gets.
                """)

        @Argument(help: "What you call it, e.g. phone.")
        var name: String
        @Option(help: ArgumentHelp("A topic of an ntfy server.", valueName: "url"))
        var ntfy: String?
        @Option(help: ArgumentHelp("A Gotify server.", valueName: "url"))
        var gotify: String?
        @Option(help: ArgumentHelp("Where to send signed requests.", valueName: "url"))
        var webhook: String?
        @Option(help: ArgumentHelp("A topic of an MQTT broker.", valueName: "url"))
        var mqtt: String?
        @Option(help: "The lowest severity to deliver. Default: info, or as it was.")
        var from: Severity?
        @Option(help: "The highest severity to deliver. Default: urgent, or as it was.")
        var upTo: Severity?
        @Flag(help: "Deliver only what other channels fail to deliver.")
        var spare = false
        @Option(
            help: ArgumentHelp(
                "A file with the server's token, the key that signs a webhook's requests, or "
                    + "USER:PASSWORD of a broker; - for the standard input.", valueName: "file"))
        var secretFile: String?
        @Flag(help: "Forget the token or key.")
        var noSecret = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        private var places: [(kind: ChannelKind, address: String)] {
            [(ChannelKind.ntfy, ntfy), (.gotify, gotify), (.webhook, webhook), (.mqtt, mqtt)]
                .compactMap { kind, address in address.map { (kind, $0) } }
        }

        func validate() throws {
            guard places.count == 1 else {
                throw ValidationError("give one of --ntfy, --gotify, --webhook and --mqtt")
            }
            if noSecret, secretFile != nil {
                throw ValidationError("--no-secret doesn't go with --secret-file")
            }
        }

        func run() throws {
            let session = try Session()
            guard let place = places.first else { return }
            let wanted = AlertChannel(
                name: name, kind: place.kind, address: place.address, from: from ?? .unspecified,
                spare: spare, upTo: upTo ?? .unspecified)
            let secret = try noSecret ? "" : secretFile.map { try SecretFile.line($0, "secret") }
            let kept = try session.ask(
                .notifier, KeepChannel(channel: wanted, secret: secret), for: AlertChannel.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.channels, [kept]) }
            session.printer.result(
                kept.spare
                    ? "\(kept.name) delivers \(kept.range) what others fail to deliver"
                    : "\(kept.name) delivers alerts \(kept.range)")
            session.printer.remark("try it: steward alerts channel test \(kept.name)")
        }
    }

    /// `steward alerts channel list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists your channels, and how they are doing.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let channels = try session.ask(
                .notifier, ListChannels(), for: AlertChannels.self
            ).channels
            guard !output.json else { return try session.printer.json(.channels, channels) }
            guard !channels.isEmpty else {
                return session.printer.remark(
                    "you have no channel; add one: steward alerts channel add phone --ntfy URL")
            }
            let clock = try session.siteClock
            var table = TextTable([
                .text("NAME"), .text("KIND"), .text("SEVERITY"), .number("WAITING"),
                .time(clock.title("DELIVERED", of: channels.map(\.delivered))), .text("STATE"),
                .text("ADDRESS"),
            ])
            for one in channels {
                table.add([
                    .init(one.name),
                    .init(one.kind == .unspecified ? "damaged" : "\(one.kind)"),
                    .init(one.spare ? "\(one.range), spare" : one.range), "\(one.waiting)",
                    .init(one.delivered == 0 ? "never" : clock.moment(one.delivered)),
                    one.failures == 0
                        ? .init(one.delivered == 0 ? "untried" : "works")
                        : .init(one.error, .red),
                    .init(one.address),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward alerts channel remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a channel, with what waits for it.")

        @Argument(help: "The channel.")
        var name: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let removed = try session.ask(
                .notifier, RemoveChannel(name: name), for: AlertChannel.self, repeating: repeating)
            guard !output.json else { return try session.printer.json(.channels, [removed]) }
            let lost = Wording.count(removed.waiting, "notice")
            session.printer.result(
                removed.waiting == 0
                    ? "\(removed.name) is removed"
                    : "\(removed.name) is removed; \(lost) waited for it")
        }
    }

    /// `steward alerts channel test`
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Sends a test by a channel, or by mail, and shows what became of it.")

        @Argument(help: "The channel; mail for where your alerts are mailed.")
        var name: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// How long to wait: as long as a server may take, see `HTTPTransfer.Limits`, and as long
        /// again for a delivery that is already under way.
        private static let patience: Duration = .seconds(45)
        private static let interval: Int32 = 100

        func run() throws {
            let session = try Session()
            let alert = try session.ask(
                .notifier, TestChannel(name: name), for: Alert.self, repeating: repeating)
            let delivery = try follow(alert, session)
            if output.json { try session.printer.json(.deliveries, [delivery]) }
            switch delivery.state {
            case .sent:
                if !output.json { session.printer.result("the server has accepted the test") }
            case .refused, .skipped:
                throw Failure(.refused, "the test was not delivered: \(delivery.note.printable)")
            default:
                throw Failure(
                    delivery.attempts == 0 ? .unknownOutcome : .refused,
                    "the test is not delivered yet"
                        + (delivery.note.isEmpty ? "" : ": \(delivery.note.printable)"),
                    advice: "it is tried again; see steward alerts channel list")
            }
        }

        /// Waits until delivery of the test was tried, or the time is up.
        private func follow(_ alert: Alert, _ session: Session) throws -> AlertDelivery {
            let end = ContinuousClock.now + Self.patience
            let client = try session.client(.notifier, isPatient: true)
            Interruption.watch()
            while true {
                let trace = try client.ask(ReadAlert(id: alert.id), for: AlertTrace.self)
                let delivery = trace.deliveries.last ?? AlertDelivery(state: .waiting)
                let isTried = delivery.attempts > 0 && delivery.state != .sending
                if isTried || delivery.state == .skipped || Interruption.isWanted
                    || ContinuousClock.now > end
                {
                    return delivery
                }
                // A signal ends the wait early, as intended.
                poll(nil, 0, Self.interval)
            }
        }
    }
}

extension AlertChannel {
    /// The severities that it delivers: `from warning on`.
    fileprivate var range: String {
        upTo == .urgent || upTo == .unspecified ? "from \(from) on" : "from \(from) to \(upTo)"
    }
}
