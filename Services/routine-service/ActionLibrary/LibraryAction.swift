import Phrases

/// An action that comes with Steward.
package struct LibraryAction: Hashable, Sendable {
    /// The name of the action, in every language.
    package let phrase: ActionPhrase
    /// The emoji that stands for the action.
    package let emoji: String
    /// How long the action usually takes.
    package let minutes: Int

    /// The key by which programs know the action, e.g. `hygiene.brushTeeth`.
    package var key: String { phrase.rawValue }
    /// The area of life to which the action belongs, e.g. `hygiene`.
    package var area: String { String(key.prefix { $0 != "." }) }

    /// Returns the name of the action in a language.
    package func name(in language: Language) -> String { Words(language).say(phrase) }

    /// All actions, grouped by area.
    package static let all: [LibraryAction] = read(PackageResources.library_txt)

    private static let byKey = Dictionary(
        all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

    private static let byName: [String: LibraryAction] = {
        let named = Language.allCases.flatMap { language in
            all.map { ($0.name(in: language).lowercased(), $0) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the action with a key.
    package static func ofKey(_ key: String) -> LibraryAction? { byKey[key] }

    /// Returns the action with this name in any language, or with this key.
    package static func named(_ name: String) -> LibraryAction? {
        byKey[name] ?? byName[name.lowercased()] ?? byCore[core(of: name)]
    }

    /// Words that say nothing about what is done.
    private static let smallWords: Set<Substring> = [
        "a", "an", "the", "to", "your", "my", "some", "å", "att", "en", "ei", "et", "ett", "din",
        "ditt", "dine", "dina", "min", "mitt", "mine", "mina",
    ]

    /// What is left of a name without small words.
    private static func core(of name: String) -> String {
        name.lowercased().split(separator: " ").filter { !smallWords.contains($0) }
            .joined(separator: " ")
    }

    /// The actions by what is left of their names, except where that may mean several of them.
    private static let byCore: [String: LibraryAction] = {
        var found: [String: Set<LibraryAction>] = [:]
        for action in all {
            for language in Language.allCases {
                found[core(of: action.name(in: language)), default: []].insert(action)
            }
        }
        return found.compactMapValues { $0.count == 1 ? $0.first : nil }
    }()

    /// Reads the actions of a file, one a line: key, emoji and minutes. Empty lines, and lines that
    /// begin with `#`, are ignored.
    private static func read(_ bytes: [UInt8]) -> [LibraryAction] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { line in
                let parts = line.split(separator: " ")
                guard parts.count == 3, let phrase = ActionPhrase(rawValue: String(parts[0])),
                    let minutes = Int(parts[2])
                else {
                    preconditionFailure(
                        "a file that the program was built with can't be read: \(line)")
                }
                return LibraryAction(
                    phrase: phrase, emoji: String(parts[1]), minutes: minutes)
            }
    }
}
