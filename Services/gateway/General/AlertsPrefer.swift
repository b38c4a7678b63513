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
                A new address is sent a code first: steward alerts confirm CODE. Without options \
                it shows your present preference.
                """)

        @Option(help: ArgumentHelp("Mail alerts to this address.", valueName: "address"))
        var mail: String?
        @Option(help: "The lowest severity to mail. Default: urgent, or as it was.")
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
            if !isAboutMail || from == nil {
                preference = try session.ask(
                    .notifier, ReadAlertPreference(), for: AlertPreference.self)
            }
            if isAboutMail || language != nil || noLanguage {
                var wish = PreferAlerts(
                    mail: preference.mail, from: preference.from, keepsMail: !isAboutMail)
                if isAboutMail { wish.mail = mail ?? "" }
                if let from { wish.from = from }
                wish.language = noLanguage ? "" : language?.rawValue
                preference = try session.ask(
                    .notifier, wish, for: AlertPreference.self, repeating: repeating)
            }
            try AlertsCommand.show(preference, session, output)
        }
    }

    /// `steward alerts confirm`
    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Confirms that a mailbox is yours, with the code that was mailed there.")

        @Argument(help: "The code.")
        var code: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let preference = try session.ask(
                .notifier, ConfirmMailbox(code: code), for: AlertPreference.self)
            try AlertsCommand.show(preference, session, output)
        }
    }

    private static func show(
        _ preference: AlertPreference, _ session: Session, _ output: OutputOptions
    ) throws {
        guard !output.json else { return try session.printer.json(.preferences, [preference]) }
        session.printer.result(
            preference.mail.isEmpty
                ? "no alerts are mailed"
                : "alerts from \(preference.from) on are mailed to " + preference.mail.printable)
        if !preference.language.isEmpty {
            session.printer.result("alerts are in the language \(preference.language.printable)")
        }
        if preference.mailWaits {
            session.printer.remark(
                "nothing is mailed for now, because the notifier has no mail server: set "
                    + "STEWARD_SMTP there")
        }
        guard !preference.awaitedMail.isEmpty else { return }
        let awaited = preference.awaitedMail.printable
        session.printer.remark(
            preference.codeWaits
                ? "no code was mailed to \(awaited), because the notifier has no mail server; once "
                    + "STEWARD_SMTP is set there, give the address again"
                : "a code was mailed to \(awaited); confirm the address with: "
                    + "steward alerts confirm CODE")
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
