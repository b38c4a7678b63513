import ArgumentParser
import Messages
import Phrases
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an alert, and every step taken to deliver it.")

        @Argument(
            help: ArgumentHelp(
                "The alert's id, or its beginning (at least four characters).", valueName: "id"))
        var id: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let trace = try session.ask(
                .notifier, ReadAlert(id: id.lowercased()), for: AlertTrace.self)
            guard !output.json else { return try session.printer.json(.traces, [trace]) }
            let alert = trace.alert ?? Alert()
            let clock = try session.siteClock
            let closed = alert.closed == 0 ? "" : " " + clock.moment(alert.closed)
            let lines = [
                ("id", alert.id), ("title", alert.shown.title), ("body", alert.shown.body),
                ("severity", alert.loudness.description), ("from", alert.source),
                ("raised", clock.moment(alert.time)),
                ("told", alert.repeats == 0 ? "once" : "\(alert.repeats + 1) times"),
                ("state", AlertLine.state(alert, Words(.english)) + closed),
            ]
            for (name, value) in lines where !value.isEmpty {
                session.printer.result(
                    "\(name):".padded(to: 10, onTheLeft: false) + value.printable)
            }
            guard !trace.deliveries.isEmpty else {
                return session.printer.remark(
                    "it was published in the alert topic only; see steward alerts channel")
            }
            session.printer.table(Self.table(trace.deliveries, clock))
            // That is as many as the notifier sends.
            if trace.deliveries.count >= 200 {
                session.printer.remark("only the newest are shown; there may be earlier ones")
            }
        }

        private static func table(_ deliveries: [AlertDelivery], _ clock: SiteClock) -> TextTable {
            var table = TextTable([
                .time(clock.title("WHEN", of: deliveries.map(\.changed))), .text("CHANNEL"),
                .text("SEVERITY"), .text("STATE"), .number("TRIES"), .time("NEXT"), .text("NOTE"),
            ])
            for one in deliveries {
                let isWrong = one.state == .refused || one.state == .waiting && one.attempts > 0
                table.add([
                    .init(clock.moment(one.changed)), .init(one.channel), .init("\(one.severity)"),
                    .init("\(one.state)", isWrong ? .red : nil), "\(one.attempts)",
                    .init(one.state == .waiting ? clock.moment(one.due) : ""), .init(one.note),
                ])
            }
            return table
        }
    }
}
