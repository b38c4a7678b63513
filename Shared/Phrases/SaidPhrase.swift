import Messages

extension Phrase {
    /// Makes the phrase of a message, whose receiver chooses the language.
    package init<Key>(_ said: Said<Key>) {
        self.init(
            key: Self.key(said.key),
            arguments: said.arguments.map { argument in
                let value: PhraseArgument.Value =
                    switch argument.value {
                    case .text(let text): .text(text.prefix(bytes: Self.longestText))
                    case .word(let word): .word(Self.key(word))
                    case .action(let key): .word(Self.key(key))
                    case .number(let number): .number(Int64(number))
                    case .seconds(let seconds): .seconds(Int64(seconds))
                    case .metres(let metres): .metres(Int64(metres))
                    }
                return PhraseArgument(name: argument.name, value: value)
            })
    }

    /// The maximum length of a text among the arguments in bytes, as in phrase.proto.
    private static let longestText = 16_000

    private static func key<Key: PhraseKey>(_ key: Key) -> String {
        "\(Key.subject).\(key.rawValue)"
    }

    /// The text in a language; nil when there is no such phrase, or an argument is missing.
    package func text(in language: Language) -> String? {
        let parts = key.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case AlertPhrase.subject: return text(parts[1], Words<AlertPhrase>(language))
        case FindingPhrase.subject: return text(parts[1], Words<FindingPhrase>(language))
        case DayPhrase.subject: return text(parts[1], Words<DayPhrase>(language))
        case ActionPhrase.subject: return text(parts[1], Words<ActionPhrase>(language))
        default: return nil
        }
    }

    private func text<Key>(_ key: Substring, _ words: Words<Key>) -> String? {
        guard let key = Key(rawValue: String(key)) else { return nil }
        var isWhole = true
        let text = words.text(key) { name in
            let value = arguments.first { $0.name == name }?.text(in: words.language)
            if value == nil { isWhole = false }
            return value
        }
        return isWhole ? text : nil
    }
}

extension PhraseArgument {
    fileprivate func text(in language: Language) -> String? {
        switch value {
        case .text(let text): text
        case .word(let key): Phrase(key: key).text(in: language)
        case .number(let number): "\(number)"
        case .seconds(let seconds): language.duration(seconds: Int(seconds))
        case .metres(let metres): language.distance(metres: Int(metres))
        case nil: nil
        }
    }
}

extension PhraseLine {
    /// Makes a line of several phrases.
    package init<Key>(_ said: [Said<Key>]) { self.init(phrases: said.map { Phrase($0) }) }

    /// The text in a language; nil when a part of it has none.
    package func text(in language: Language) -> String? {
        let texts = phrases.map { $0.text(in: language) }
        return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: " ")
    }
}

extension AlertRaised {
    /// Sets the title and the body, in English and as phrases for every language.
    package mutating func say(_ title: Said<AlertPhrase>, _ body: [PhraseLine] = []) {
        let phrase = Phrase(title)
        titlePhrase = phrase
        self.title = (phrase.text(in: .english) ?? "").prefix(bytes: Self.longestTitle)
        say(body)
    }

    /// Sets the body, in English and as phrases for every language.
    package mutating func say(_ body: [PhraseLine]) {
        bodyLines = body
        self.body = body.compactMap { $0.text(in: .english) }.joined(separator: "\n")
            .prefix(bytes: Self.longestBody)
    }

    /// The maximum length of a title and of a body in bytes, as in alert.proto. A longer one is
    /// cut: an alert with a long text is better than none.
    private static let (longestTitle, longestBody) = (8_000, 65_536)

    /// The same alert in a language, as far as its phrases exist in it.
    package func said(in language: Language) -> AlertRaised {
        var alert = self
        if let text = titlePhrase?.text(in: language), !text.isEmpty {
            alert.title = text.prefix(bytes: Self.longestTitle)
        }
        let lines = bodyLines.map { $0.text(in: language) }
        if !lines.isEmpty, !lines.contains(nil) {
            alert.body = lines.compactMap(\.self).joined(separator: "\n")
                .prefix(bytes: Self.longestBody)
        }
        for index in actions.indices {
            guard let text = actions[index].titlePhrase?.text(in: language) else { continue }
            alert.actions[index].title = text
        }
        return alert
    }
}

extension Action {
    /// Makes an action with a title, in English and as a phrase for every language.
    package init(name: String, _ title: Said<AlertPhrase>, target: String) {
        let phrase = Phrase(title)
        self.init(
            name: name, title: phrase.text(in: .english) ?? "", target: target, titlePhrase: phrase)
    }
}
