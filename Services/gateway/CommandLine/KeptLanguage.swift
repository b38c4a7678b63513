import Bus
import Messages
import Phrases

/// The language for a person: the one that the account prefers, else that of the terminal. The
/// notifier knows the preference; a copy is kept here for when the notifier is down.
final class KeptLanguage {
    /// How long to wait for the notifier.
    private static let patience: Duration = .milliseconds(500)

    private let file: PersonalFile<[String: String]>
    private let logIn: KeptLogIn
    private var chosen: Language?

    init(_ configuration: Bus.Configuration, _ connection: Connection, _ logIn: KeptLogIn) {
        file = PersonalFile(
            name: "language", of: "your language", cure: "remove it", configuration, connection)
        self.logIn = logIn
    }

    /// The language. Asks the notifier only once.
    ///
    /// - Parameter client: makes a client of the notifier.
    func language(asking client: () throws -> Client) throws -> Language {
        if let chosen { return chosen }
        let account = try logIn.entry()?.name ?? ""
        var preference = try file.read()?[account] ?? ""
        do {
            let told = try client().ask(
                ReadAlertPreference(), for: AlertPreference.self, deadline: Self.patience
            ).language
            if told != preference {
                try file.locked { kept, _ in
                    kept = (kept ?? [:]).merging([account: told]) { _, new in new }
                }
            }
            preference = told
        } catch is ClientError {
            // The kept language applies until the notifier is back.
        }
        let language = Language.chosen(
            preference: preference, environment: Configuration.languageSettings)
        chosen = language
        return language
    }
}
