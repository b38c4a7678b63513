import ArgumentParser
import Messages
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts call`
    struct Calls: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call",
            abstract: "Alerts people by hand, and shows who was alerted and who answered.",
            subcommands: [Raise.self, List.self, Show.self, Withdraw.self])
    }
}

extension AlertsCommand.Calls {
    /// `steward alerts call raise`
    struct Raise: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "raise",
            abstract: "Alerts people of your organisation.",
            discussion: """
                WHO is everyone, a role such as shift-manager, or the name of an account; \
                crew@Harbour is the crew of a site, crew@Harbour/kitchen that of an area. Shift \
                managers may call people of their site, administrators everyone.
                """)

        @Argument(help: "Whom to alert.")
        var who: AudienceArgument
        @Argument(help: "What they are told, in one line.")
        var title: String
        @Option(help: "More text.")
        var text: String?
        @Option(help: "How severe it is. Default: info.")
        var severity: Severity?
        @Flag(help: "Keep it open until somebody acknowledges it.")
        var answer = false
        @Option(
            name: .customLong("repeat"),
            help: "How long to wait before it is told again, e.g. 5m.")
        var again: DurationArgument?
        @Option(
            name: .customLong("for"),
            help: "How long it matters, e.g. 1h. Default: a day, with --answer 30 days.")
        var duration: DurationArgument?
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if again != nil, !answer { throw ValidationError("--repeat goes with --answer") }
        }

        func run() throws {
            let session = try Session()
            let command = RaiseAlert(
                audience: try who.audience(session), severity: severity ?? .info, title: title,
                body: text ?? "", needsAcknowledgement: answer,
                repeatEvery: again?.milliseconds ?? 0, lasts: duration?.milliseconds ?? 0)
            let call = try session.ask(
                .notifier, command, for: Call.self, repeating: repeating)
            guard !output.json else { return try session.printer.json(.calls, [call]) }
            session.printer.result("called: \(call.id)")
            session.printer.remark("who has answered: steward alerts call show \(call.id)")
        }
    }

    /// `steward alerts call list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the alerts that were raised for several people, newest first.",
            discussion: "For administrators.")

        @Flag(help: "Only those that are open.")
        var open = false
        @Option(help: "Only calls before the one with this id: those of the next page.")
        var before: String?
        @Option(help: "The maximum number of calls, up to 500.")
        var limit: UInt32 = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .notifier, ListCalls(openOnly: open, before: before ?? "", limit: limit),
                for: Messages.Calls.self)
            guard !output.json else {
                return try session.printer.json(
                    .calls, reply.calls, beside: ["next": reply.next])
            }
            guard !reply.calls.isEmpty else { return session.printer.remark("there is no call") }
            let length = ShortID.length(telling: reply.calls.map(\.id))
            let clock = try session.siteClock
            var table = TextTable([
                .id("ID"), .time(clock.title("RAISED", of: reply.calls.map(\.time))),
                .text("STATE"), .text("FROM"), .text("POLICY"), .number("STEP"), .text("TITLE"),
            ])
            for call in reply.calls {
                let steps = UInt64(call.policy?.steps.count ?? 0)
                let taken = UInt64(call.roundsOver) * steps + UInt64(call.stepsTaken)
                table.add([
                    .init(String(call.id.prefix(length))), .init(clock.moment(call.time)),
                    .init("\(call.state)"), .init(call.source), .init(call.policy?.name ?? ""),
                    call.policy == nil ? "" : "\(taken)", .init(call.raised?.title ?? ""),
                ])
            }
            session.printer.table(table)
            if !reply.next.isEmpty {
                session.printer.remark("more: steward alerts call list --before \(reply.next)")
            }
        }
    }

    /// `steward alerts call show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows who was alerted, by which channel and when, and who has answered.",
            discussion: "For administrators.")

        @Argument(help: "The call's id, or its beginning (at least four characters).")
        var id: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var trace = CallTrace()
            let query = ReadCall(id: id.lowercased(), limit: 500)
            trace.people = try session.whole(.notifier, query, \.after) { (page: CallTrace) in
                trace.call = page.call
                return (page.people, page.next)
            }
            guard !output.json else { return try session.printer.json(.callTraces, [trace]) }
            let call = trace.call ?? Call()
            let clock = try session.siteClock
            let lines = [
                ("id", call.id), ("title", call.raised?.title ?? ""), ("from", call.source),
                ("raised", clock.moment(call.time)), ("state", "\(call.state)"),
                ("by", call.acknowledgedBy),
                ("closed", call.closed == 0 ? "" : clock.moment(call.closed)),
                ("reopened", call.reopened == 0 ? "" : Wording.count(call.reopened, "time")),
                ("policy", call.policy?.name ?? ""),
                ("next step", call.nextStep == 0 ? "" : clock.moment(call.nextStep)),
            ]
            for (name, value) in lines where !value.isEmpty {
                session.printer.result(
                    "\(name):".padded(to: 11, onTheLeft: false) + value.printable)
            }
            session.printer.table(Self.table(trace.people, clock))
        }

        private static func table(_ people: [CalledPerson], _ clock: SiteClock) -> TextTable {
            var table = TextTable([
                .text("PERSON"), .time(clock.title("TOLD", of: people.map(\.time))),
                .text("SEVERITY"), .text("STATE"), .text("DELIVERED"),
            ])
            for person in people {
                let sent = person.deliveries.filter { $0.state == .sent }
                    .map { "\($0.channel) \(clock.clock($0.changed))" }
                table.add([
                    .init(person.name.isEmpty ? person.account : person.name),
                    .init(clock.moment(person.time)), .init("\(person.severity)"),
                    .init("\(person.state)"), .init(sent.joined(separator: ", ")),
                ])
            }
            return table
        }
    }

    /// `steward alerts call withdraw`
    struct Withdraw: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Withdraws an alert that was raised by hand, for everyone.")

        @Argument(help: "The call's id, or its beginning (at least four characters).")
        var id: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let call = try session.ask(
                .notifier, WithdrawCall(id: id.lowercased()), for: Call.self,
                repeating: repeating)
            guard !output.json else { return try session.printer.json(.calls, [call]) }
            session.printer.result("\(call.state): \((call.raised?.title ?? call.id).printable)")
        }
    }
}
