import ArgumentParser
import Bus
import Messages
import Phrases
import Speech
import Terminal

/// `steward alerts`
struct AlertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts", abstract: "Shows alerts as they arrive, and acknowledges them.",
        subcommands: [
            Watch.self, List.self, Show.self, Acknowledge.self, Prefer.self, Confirm.self,
            Channel.self, Quiet.self, Digest.self, Silence.self, Silences.self, EndSilence.self,
            Topic.self,
            RenewTopic.self, Calls.self, Policy.self, Maintenance.self,
        ])

    /// `steward alerts list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the open alerts, newest first.")

        @Flag(help: "Include alerts that were acknowledged, withdrawn or expired.")
        var all = false
        @Option(help: "Only alerts whose title or text has these words.")
        var words: String?
        @Option(help: "Only alerts of this service, e.g. plan-service.")
        var source: ServiceName?
        @Option(help: "Only alerts that this account has acknowledged: its id.")
        var by: String?
        @Option(help: "Only alerts of the last days or hours, e.g. 7d.")
        var since: DurationArgument?
        @Option(help: "Only alerts that are older, e.g. 1d.")
        var until: DurationArgument?
        @Option(help: "Only alerts before the one with this id: those of the next page.")
        var before: String?
        @Option(help: "The maximum number of alerts, up to 500.")
        var limit: UInt32 = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let reply = try search(session)
            guard !output.json else {
                return try session.printer.json(
                    .alerts, reply.alerts, beside: ["next": reply.next])
            }
            guard !reply.alerts.isEmpty else {
                return session.printer.remark(nothing)
            }
            let length = ShortID.length(telling: reply.alerts.map(\.id))
            let clock = try session.siteClock
            var table = TextTable([
                .id("ID"), .time(clock.title("RAISED", of: reply.alerts.map(\.time))),
                .text("SEVERITY"), .text("STATE"), .text("FROM"),
                .text("TITLE"),
            ])
            for alert in reply.alerts {
                table.add([
                    .init(String(alert.id.prefix(length))), .init(clock.moment(alert.time)),
                    .init(alert.loudness.description, AlertLine.style(alert.loudness)),
                    .init(AlertLine.state(alert, Words(.english))), .init(alert.source),
                    .init(alert.shown.title),
                ])
            }
            session.printer.table(table)
            if !reply.next.isEmpty {
                session.printer.remark("older ones: --before \(reply.next)")
            }
        }

        /// What to say if no alert is found.
        private var nothing: String {
            if words == nil, source == nil, by == nil, since == nil, until == nil, before == nil {
                return all ? "there are no alerts" : "no alert is open"
            }
            return all ? "no alert matches" : "no open alert matches"
        }

        /// Requests as many alerts as wanted: the notifier searches for them page by page.
        private func search(_ session: Session) throws -> Alerts {
            let now = WallClock.milliseconds()
            var query = ListAlerts(
                openOnly: !all, limit: limit, words: words ?? "", source: source?.rawValue ?? "",
                acknowledgedBy: by ?? "", since: since.map { max(0, now - $0.milliseconds) } ?? 0,
                until: until.map { max(0, now - $0.milliseconds) } ?? 0, before: before ?? "")
            var found = Alerts()
            repeat {
                let page = try session.ask(.notifier, query, for: Alerts.self)
                found.alerts += page.alerts
                (found.next, query.before) = (page.next, page.next)
                query.limit = limit - UInt32(clamping: found.alerts.count)
            } while !query.before.isEmpty && query.limit > 0
            return found
        }
    }

    /// `steward alerts topic`
    struct Topic: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "topic",
            abstract: "Prints the topic of your alerts, for a display.",
            discussion: """
                Over TCP the topic has a secret part: whoever has it and a key of the role display \
                sees your alerts. docs/alert-topic.md explains how a program subscribes.
                """)

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let feed = try session.ask(.notifier, OpenFeed(), for: AlertFeed.self)
            if output.json { return try session.printer.json(.topics, [["topic": feed.topic]]) }
            session.printer.result(feed.topic)
        }
    }

    /// `steward alerts renew-topic`
    struct RenewTopic: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew-topic",
            abstract: "Gives your alerts a new topic, if someone else has the old one.",
            discussion: """
                Over TCP only, for example when a phone was lost: from then on nothing is \
                published under the old topic. Give your displays the new one, which is printed.
                """)

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .notifier, Messages.RenewTopic(), for: TopicRenewed.self)
            if output.json { return try session.printer.json(.topics, [["topic": reply.topic]]) }
            session.printer.result(reply.topic)
        }
    }

    /// `steward alerts ack`
    struct Acknowledge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ack", abstract: "Acknowledges alerts.",
            aliases: ["acknowledge"])

        @Argument(
            help: ArgumentHelp(
                "The alert's id, or its beginning (at least four characters).", valueName: "id"))
        var ids: [String]
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let short = ids.first(where: { $0.count < 4 }) {
                throw ValidationError("“\(short)” is too short; give at least four characters")
            }
            if repeating.id != nil, ids.count > 1 {
                throw ValidationError("--id repeats one command; give one alert with it")
            }
        }

        func run() throws {
            let session = try Session()
            try output.each(ids, .alerts, session.printer) { id in
                try session.ask(
                    .notifier, AcknowledgeAlert(id: id.lowercased()), for: AlertAcknowledged.self,
                    repeating: repeating
                ).alert
            } line: { alert in
                "acknowledged: \((alert.raised == nil ? alert.id : alert.shown.title).printable)"
            }
        }
    }
}

extension Alert {
    /// Its present severity; an older notifier sends only the severity that its source gave.
    var loudness: Severity { severity == .unspecified ? raised?.severity ?? .info : severity }

    /// The language to show it in: the one that its recipient prefers, else that of this terminal.
    var spoken: Language { language.isEmpty ? .ofTerminal : .of(language) }

    /// The alert as raised, in that language.
    var shown: AlertRaised {
        let raised = raised ?? AlertRaised()
        return language.isEmpty ? raised.said(in: .ofTerminal) : raised
    }
}

extension Language {
    /// The language of this terminal.
    static let ofTerminal = chosen(environment: Configuration.languageSettings)
}

/// An alert in a line or two.
enum AlertLine {
    /// A notice as text for a person.
    static func text(
        _ notice: AlertNotice, _ clock: SiteClock, isColoured: Bool
    ) -> String {
        let alert = notice.alert ?? Alert()
        let raised = alert.shown
        let words = Words<AlertPhrase>(alert.spoken)
        let time = Style.dim(clock.clock(alert.time), if: isColoured)
        let title = raised.title.printable
        if notice.reason == .closed {
            let line = "\(state(alert, words)): \(title)"
            return "\(time)  \(Style.dim(line, if: isColoured))"
        }
        var line = "\(time)  "
        line += (style(alert.loudness) ?? .bold)(word(alert.loudness, words), if: isColoured)
        line += "  " + Style.bold(title, if: isColoured)
        switch notice.reason {
        case .repeated:
            line += " " + words.say(.told, ["count": "\(UInt64(alert.repeats) + 1)"])
        case .changed: line += " " + words.say(.changed)
        case .reopened: line += " " + words.say(.reopened)
        default: break
        }
        if !raised.body.isEmpty { line += "\n          \(raised.body.printable)" }
        if raised.needsAcknowledgement {
            let hint = "steward alerts ack \(alert.id.prefix(13))"
            line += "\n          " + Style.dim(hint, if: isColoured)
        }
        return line
    }

    /// The word for an alert's state.
    static func state(_ alert: Alert, _ words: Words<AlertPhrase>) -> String {
        guard alert.state == .acknowledged, !alert.acknowledgedBy.isEmpty else {
            return words.say(family: "state", "\(alert.state)") ?? "\(alert.state)"
        }
        return words.say(.acknowledgedBy, ["person": alert.acknowledgedBy.printable])
    }

    /// The style that makes a severity stand out.
    static func style(_ severity: Severity) -> Style? {
        switch severity {
        case .urgent: .alarm
        case .warning: .yellow
        default: nil
        }
    }

    /// The word for a severity, padded to the width of the longest.
    private static func word(_ severity: Severity, _ words: Words<AlertPhrase>) -> String {
        let all = [words.say(.info), words.say(.warning), words.say(.urgent).uppercased()]
        let word =
            switch severity {
            case .urgent: all[2]
            case .warning: all[1]
            default: all[0]
            }
        return word.padded(to: all.map(\.columns).max() ?? 0)
    }
}
