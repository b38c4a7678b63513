import ArgumentParser
import Messages
import Phrases
import Speech
import Terminal

extension AlertsCommand {
    /// `steward alerts prefer`
    struct Prefer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prefer",
            abstract: "Sets the language of your alerts, and whether they are mailed.",
            discussion: """
                An alert is mailed once for each severity that it reaches: info, warning, urgent. \
                Without options it shows your present preference.
                """)

        @Option(help: ArgumentHelp("Mail alerts to this address.", valueName: "address"))
        var mail: String?
        @Option(help: "The lowest severity to mail. Default: urgent.")
        var from: Severity?
        @Flag(help: "Don't mail alerts.")
        var noMail = false
        @Option(help: "The language of your alerts: en, nb or sv.")
        var language: Language?
        @Flag(help: "Prefer no language; use that of the notifier or the terminal.")
        var noLanguage = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if noMail, mail != nil || from != nil {
                throw ValidationError("--no-mail goes with neither --mail nor --from")
            }
            if from != nil, mail == nil { throw ValidationError("--from goes with --mail") }
            if noLanguage, language != nil {
                throw ValidationError("--no-language doesn't go with --language")
            }
        }

        func run() throws {
            let session = try Session()
            let isAboutMail = mail != nil || noMail
            var preference = AlertPreference()
            if !isAboutMail {
                preference = try session.ask(
                    .notifier, ReadAlertPreference(), for: AlertPreference.self)
            }
            if isAboutMail || language != nil || noLanguage {
                var wish = PreferAlerts(
                    mail: preference.mail, from: preference.from, keepsMail: !isAboutMail)
                if isAboutMail { (wish.mail, wish.from) = (mail ?? "", from ?? .urgent) }
                wish.language = noLanguage ? "" : language?.rawValue
                preference = try session.ask(
                    .notifier, wish, for: AlertPreference.self, repeating: repeating)
            }
            guard !output.json else { return try session.printer.json(.preferences, [preference]) }
            session.printer.result(
                preference.mail.isEmpty
                    ? "no alerts are mailed"
                    : "alerts from \(preference.from) on are mailed to "
                        + preference.mail.printable)
            if !preference.language.isEmpty {
                session.printer.result(
                    "alerts are in the language \(preference.language.printable)")
            }
        }
    }
}

extension Severity: ExpressibleByArgument {
    /// The words that can be typed.
    public static var allValueStrings: [String] { choices.map(\.description) }

    private static var choices: [Severity] { [.info, .warning, .urgent] }

    /// The severity of that name; nil if there is none.
    public init?(argument: String) {
        guard let severity = Self.choices.first(where: { $0.description == argument }) else {
            return nil
        }
        self = severity
    }
}
