import Phrases

/// An action that comes with Steward.
package struct LibraryAction: Hashable, Sendable {
    /// What it is called, in every language.
    package let phrase: ActionPhrase
    /// What it looks like.
    package let emoji: String
    /// How long it usually takes.
    package let minutes: Int

    /// By what programs know it, e.g. `hygiene.brushTeeth`.
    package var key: String { phrase.rawValue }
    /// The area of life that it belongs to, e.g. `hygiene`.
    package var area: String { String(key.prefix { $0 != "." }) }

    /// What it is called in a language.
    package func name(in language: Language) -> String { Words(language).say(phrase) }

    /// All of them, by area.
    package static let all: [LibraryAction] = read(PackageResources.library_txt)

    private static let byKey = Dictionary(
        all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

    private static let byName: [String: LibraryAction] = {
        let named = Language.allCases.flatMap { language in
            all.map { ($0.name(in: language).lowercased(), $0) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()

    /// The action of a key.
    package static func ofKey(_ key: String) -> LibraryAction? { byKey[key] }

    /// The action that is called so in any language, or has this key.
    package static func named(_ name: String) -> LibraryAction? {
        byKey[name] ?? byName[name.lowercased()]
    }

    /// The actions of a file: a line for each with its key, its emoji and its minutes. Empty lines,
    /// and lines that begin with `#`, say nothing.
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
