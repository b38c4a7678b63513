import Messages

/// What a person prefers, and the mail that comes of an alert.
extension AlertPreference {
    /// The preference that someone has asked for.
    ///
    /// - Throws: a `Refusal` when the mailbox is no plain address.
    init(_ wish: PreferAlerts) throws(Refusal) {
        if !wish.mail.isEmpty { try MailRequested.check(address: wish.mail) }
        let isKnown = Alert.severities.contains(wish.from)
        self.init(mail: wish.mail, from: isKnown ? wish.from : .urgent)
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

    /// The alert as a mail. It has a key for each severity, so each is mailed once. Whatever its
    /// source has written, it is a mail that can be sent.
    func mail(to recipient: String) -> MailRequested {
        let title = String(
            String.UnicodeScalarView((raised?.title ?? "").unicodeScalars.map(Self.onOneLine)))
        let lines = [
            title.cut(to: Self.longestMailedTitle),
            (raised?.body ?? "").cut(to: Self.longestMailedBody),
            raised?.needsAcknowledgement == true
                ? "It is repeated until someone has taken notice: steward alerts ack \(id)" : "",
        ]
        return MailRequested(
            key: "alert/\(id)/\(severity)", to: [recipient],
            subject: "\(severity): \(title)".cut(to: Self.longestSubject),
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

extension String {
    /// As much of its beginning as has at most so many bytes. A single letter can have any number.
    fileprivate func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var cut = String.UnicodeScalarView()
        var size = 0
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= bytes else { break }
            cut.append(scalar)
        }
        return String(cut)
    }
}
