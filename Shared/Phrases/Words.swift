/// The keys of the phrases of one subject. `Words` has a file for each subject and language; a key
/// is the name of its case, or the raw value if it contains a dot: `kind.bed`.
package protocol PhraseKey: CaseIterable, Hashable, RawRepresentable, Sendable
where RawValue == String {
    /// The subject, with which the full key of a phrase begins: `papers` in `papers.sales`.
    static var subject: String { get }
    /// The words in each language, read when they are first needed.
    static var all: [Words<Self>] { get }
}

/// The texts about one subject in one language.
package struct Words<Key: PhraseKey>: Sendable {
    /// The form for one, and the form for any other number.
    struct Text: Sendable {
        let one: String?
        let other: String
    }

    /// The language of these words.
    package let language: Language
    let texts: [Key: Text]

    /// The words in a language.
    package init(_ language: Language) {
        self = Key.all.first { $0.language == language } ?? Self(language, [])
    }

    private init(_ language: Language, _ bytes: [UInt8]) {
        self.language = language
        let file = PhraseFile(bytes)
        var texts: [Key: Text] = [:]
        for key in Key.allCases {
            guard let text = file.texts[key.rawValue] else { continue }
            let one = file.texts[key.rawValue + ".one"]
            texts[key] = Text(one: one, other: text)
            #if DEBUG
                if language == .english, PseudoEnglish.isSpoken {
                    texts[key] = Text(
                        one: one.map(PseudoEnglish.of), other: PseudoEnglish.of(text))
                }
            #endif
        }
        self.texts = texts
    }

    /// Reads the files of a subject.
    static func read(en: [UInt8], nb: [UInt8], sv: [UInt8]) -> [Words] {
        [Words(.english, en), Words(.norwegian, nb), Words(.swedish, sv)]
    }

    /// The text of a phrase with its arguments. `{name}` is the argument `name`; `{Name}` is the
    /// same with a capital letter. If the phrase has a form for one, it is used when the argument
    /// `count` is `1`.
    package func say(_ key: Key, _ arguments: KeyValuePairs<String, String> = [:]) -> String {
        text(key) { name in arguments.first { $0.key == name }?.value }
    }

    /// The text of the phrase whose key has these two parts, e.g. `kind.` and `bed`, with its
    /// arguments.
    ///
    /// - Returns: nil when there is none, or one of its arguments is missing.
    package func say(
        family: String, _ member: String, _ arguments: [String: String] = [:]
    ) -> String? {
        guard let key = Key(rawValue: "\(family).\(member)") else { return nil }
        var isWhole = true
        let said = text(key) { name in
            if arguments[name] == nil { isWhole = false }
            return arguments[name]
        }
        return isWhole ? said : nil
    }

    /// The text of a phrase with its arguments in braces, for programs that fill them in.
    package func unfilled(_ key: Key) -> String { text(key) { "{\($0)}" } }

    /// The text of a phrase whose arguments a function returns.
    func text(_ key: Key, _ value: (String) -> String?) -> String {
        // A test makes sure that each language has each phrase.
        guard let text = texts[key] else { return key.rawValue }
        let isOne = text.one != nil && value("count") == "1"
        return Self.fill(isOne ? text.one ?? text.other : text.other, value)
    }

    private static func fill(_ text: String, _ value: (String) -> String?) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var said = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            said += rest[..<open]
            let name = rest[rest.index(after: open)..<close]
            if let first = name.first, first.isUppercase {
                let found = value(first.lowercased() + name.dropFirst()) ?? ""
                said += found.prefix(1).uppercased() + found.dropFirst()
            } else {
                said += value(String(name)) ?? ""
            }
            rest = rest[rest.index(after: close)...]
        }
        return said + rest
    }
}
