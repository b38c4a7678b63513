import ArgumentParser
import LocalTime
import Messages
import Speech
import Terminal

extension PlanCommand {
    /// `steward plan send`
    struct Send: PlanTargetingCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Sends a plan by e-mail.",
            discussion: """
                The receiver can import the native file (nav), which has everything, with “steward \
                plan import”; pdf, png and svg are pictures, and report is the report on its \
                accessibility. “steward mail list” shows what became of the mail.

                  steward plan send kari@example.org --format nav,pdf --text 'As we measured it.'
                """)

        @Argument(help: ArgumentHelp("The recipient, e.g. kari@example.org.", valueName: "address"))
        var addresses: [String]
        @Option(
            name: .customLong("format"),
            help: "What to attach: \(Self.known.joined(separator: ", ")). Default: nav,pdf.",
            transform: Self.formats)
        var formats: [String] = ["nav", "pdf"]
        @Option(help: "The text of the mail.")
        var text: String = ""
        @OptionGroup var speech: PlanLanguageOption
        @OptionGroup var target: PlanOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        static let known = ["nav", "pdf", "png", "svg", "report"]

        @Sendable private static func formats(_ text: String) throws -> [String] {
            let formats = text.lowercased().split(separator: ",").map(String.init)
            guard !formats.isEmpty, formats.allSatisfy(known.contains) else {
                throw ValidationError("formats are \(known.joined(separator: ", "))")
            }
            return formats
        }

        func run() throws {
            let session = try Session()
            let zone = try session.siteClock.zoneName
            let sent = try session.askPlan(
                SendPlan(
                    plan: try target.plan(session), to: addresses, formats: formats, text: text,
                    language: speech.code(session), timeZone: LocalTime.isKnown(zone) ? zone : ""),
                for: PlanSent.self, repeating: repeating, deadline: Session.checkPatience)
            if output.json { return try session.printer.json(.sendings, [sent]) }
            session.printer.result(
                "\(formats.joined(separator: ", ")) will be sent to "
                    + sent.to.joined(separator: ", ").printable)
            session.remarkOnHeldMails()
            session.printer.remark("what became of it: steward mail list")
        }
    }
}
