import Messages
import Phrases

/// What a person prefers, and the mail that comes of an alert.
extension AlertPreference {
    /// The preference that someone has asked for.
    ///
    /// - Parameter before: what the person preferred so far.
    /// - Throws: a `Refusal` when the mailbox is no plain address, or there are no words in the
    ///   language.
    init(
        _ wish: PreferAlerts, before: AlertPreference = AlertPreference()
    ) throws(Refusal) {
        if !wish.mail.isEmpty { try MailRequested.check(address: wish.mail) }
        let isKnown = Alert.severities.contains(wish.from)
        let language = wish.language ?? before.language
        guard language.isEmpty || Language(rawValue: language) != nil else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(
                "alerts aren't told in “\(language.prefix(20))”; they are in \(known)")
        }
        self.init(mail: wish.mail, from: isKnown ? wish.from : .urgent, language: language)
    }

    /// The language in which someone is told alerts: the preferred one, or that of the notifier.
    func spoken(_ settings: [String: String]) -> Language {
        .chosen(preference: language, environment: settings)
    }

    /// True when an alert of this severity is mailed.
    func wants(_ severity: Severity) -> Bool {
        guard !mail.isEmpty, let own = Alert.severities.firstIndex(of: severity),
            let least = Alert.severities.firstIndex(of: from)
        else { return false }
        return own >= least
    }
}

extension Alert {
    /// What is mailed of a longer body: bytes.
    static let longestMailedBody = 50_000
    /// What is mailed of a longer title: bytes.
    static let longestMailedTitle = 1000
    /// A longer title is cut in the subject: bytes.
    static let longestSubject = 200

    /// The alert as its recipient is told it.
    func told(_ preference: AlertPreference, _ settings: [String: String]) -> Alert {
        var alert = self
        alert.raised = raised?.said(in: preference.spoken(settings))
        alert.language = preference.language
        return alert
    }

    /// The alert as a mail. It has a key for each severity, so each is mailed once. Whatever its
    /// source has written, it is a mail that can be sent.
    func mail(to recipient: String, in language: Language = .english) -> MailRequested {
        let words = Words<AlertPhrase>(language)
        let severityWord = words.say(family: "severity", "\(severity)") ?? "\(severity)"
        let command = "steward alerts ack \(id)"
        let title = String(
            String.UnicodeScalarView((raised?.title ?? "").unicodeScalars.map(Self.onOneLine)))
        let lines = [
            title.prefix(bytes: Self.longestMailedTitle),
            (raised?.body ?? "").prefix(bytes: Self.longestMailedBody),
            raised?.needsAcknowledgement == true
                ? words.say(.repeatedUntil, ["command": command]) : "",
        ]
        return MailRequested(
            key: "alert/\(id)/\(severity)", to: [recipient],
            subject: "\(severityWord): \(title)".prefix(bytes: Self.longestSubject),
            text: lines.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n",
            organisation: address.organisation)
    }

    private static func onOneLine(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }
}
