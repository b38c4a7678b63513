import ArgumentParser
import Messages

extension AlertsCommand {
    /// `steward alerts prefer`
    struct Prefer: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says whether your alerts are mailed besides; alone, tells it.",
            discussion: """
                An alert is mailed once for each severity that it reaches: info, warning, urgent.
                """)

        @Option(help: ArgumentHelp("Mail alerts to this address.", valueName: "address"))
        var mail: String?
        @Option(help: "The least severity that is mailed; urgent if it is not said.")
        var from: Severity?
        @Flag(help: "Mail no alerts.")
        var noMail = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if noMail, mail != nil || from != nil {
                throw ValidationError("--no-mail goes with neither --mail nor --from")
            }
            if from != nil, mail == nil { throw ValidationError("--from goes with --mail") }
        }

        func run() throws {
            let session = try Session()
            let preference: AlertPreference
            if mail != nil || noMail {
                let wish = PreferAlerts(mail: mail ?? "", from: from ?? .urgent)
                preference = try session.ask(
                    .notifier, wish, for: AlertPreference.self, repeating: repeating)
            } else {
                preference = try session.ask(
                    .notifier, ReadAlertPreference(), for: AlertPreference.self)
            }
            guard !output.json else { return try session.printer.json(preference) }
            session.printer.result(
                preference.mail.isEmpty
                    ? "no alerts are mailed"
                    : "alerts from \(preference.from) on are mailed to "
                        + preference.mail.printable)
        }
    }
}

extension Severity: ExpressibleByArgument {
    /// What can be typed.
    public static var allValueStrings: [String] { choices.map(\.description) }

    private static var choices: [Severity] { [.info, .warning, .urgent] }

    /// The severity of that name; nil when there is none.
    public init?(argument: String) {
        guard let severity = Self.choices.first(where: { $0.description == argument }) else {
            return nil
        }
        self = severity
    }
}
