import Messages
import Phrases

/// A person's preferences, and the mail made of an alert.
extension AlertPreference {
    /// Makes the preference that someone has asked for.
    ///
    /// - Parameters:
    ///   - wish: the request.
    ///   - before: the person's preference so far.
    ///   - confirms: whether a mailbox that isn't used yet must be confirmed first.
    /// - Throws: a `Refusal` when the mailbox is not a plain address, there are no texts in the
    ///   language, or the person's preference is another than the one expected.
    init(
        _ wish: PreferAlerts, before: AlertPreference = AlertPreference(), confirms: Bool = false
    ) throws(Refusal) {
        if !wish.keepsMail, !wish.mail.isEmpty { try MailRequested.validate(address: wish.mail) }
        let from = wish.keepsMail ? before.from : wish.from
        let isKnown = Alert.severities.contains(from)
        let language = wish.language ?? before.language
        _ = try Language.required(language)
        let isNew = confirms && !wish.mail.isEmpty && wish.mail != before.mail
        let (mail, awaited) = isNew ? (before.mail, wish.mail) : (wish.mail, "")
        self.init(
            mail: wish.keepsMail ? before.mail : mail, from: isKnown ? from : .urgent,
            language: language, awaitedMail: wish.keepsMail ? before.awaitedMail : awaited)
        // Whether there is a mail server isn't a preference.
        var expected = wish.expected
        expected?.codeWaits = false
        expected?.mailWaits = false
        // Whoever replaces what they haven't seen would undo what was just changed elsewhere. The
        // same request again, as a button pressed twice sends it, undoes nothing.
        guard expected == nil || expected == before || self == before else {
            throw Refusal.conflict(
                "the preferences were changed elsewhere since you read them; read them again"
            ).because(.preferenceChanged)
        }
    }

    /// The language of a person's alerts: the preferred one, or that of the notifier.
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
    /// The maximum length of a mailed body in bytes.
    static let longestMailedBody = 50_000
    /// The maximum length of a mailed title in bytes.
    static let longestMailedTitle = 1000
    /// The maximum length of a mail's subject in bytes.
    static let longestSubject = 200

    /// The alert as its recipient sees it, in the preferred language.
    func told(_ preference: AlertPreference, _ settings: [String: String]) -> Alert {
        var alert = self
        alert.raised = raised?.said(in: preference.spoken(settings))
        alert.language = preference.language
        return alert
    }

    /// The alert as a mail. Its key includes when it was opened and the severity, so that it is
    /// mailed once for each. Whatever its source has written, the mail can be sent.
    ///
    /// - Parameters:
    ///   - recipient: the mailbox.
    ///   - language: the language of the mail.
    ///   - opened: the position of the notice that opened it; 0 if it is opened only once.
    ///   - isOver: whether the mail says that the alert has ended.
    func mail(
        to recipient: String, in language: Language = .english, opened: UInt64 = 0,
        isOver: Bool = false
    ) -> MailRequested {
        let words = Words<AlertPhrase>(language)
        let severityWord = words.say(family: "severity", "\(severity)") ?? "\(severity)"
        let beginning = severityWord + (isOver ? " " + words.say(.over) : "")
        let command = "steward alerts ack \(id)"
        let title = String(
            String.UnicodeScalarView((raised?.title ?? "").unicodeScalars.map(Self.onOneLine)))
        let lines = [
            title.prefix(bytes: Self.longestMailedTitle),
            (raised?.body ?? "").prefix(bytes: Self.longestMailedBody),
            isOver
                ? words.say(.overBody)
                : raised?.needsAcknowledgement == true
                    ? words.say(.repeatedUntil, ["command": command]) : "",
        ]
        let opening = opened == 0 ? "" : "\(opened)/"
        return MailRequested(
            key: "alert/\(id)/\(opening)\(severity)", to: [recipient],
            subject: "\(beginning): \(title)".prefix(bytes: Self.longestSubject),
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
