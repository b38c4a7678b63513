import AidCatalogue
import Foundation

/// Texts as they are compared: what differs in case or accents alone is the same.
enum SearchText {
    /// A name by which one thing is told from another: without regard to case, accents written in
    /// one way.
    static func name(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
            .lowercased()
    }

    /// Texts in which words are looked for, without regard to case and accents.
    static func folded(_ texts: [String]) -> String {
        FoldedText.words(texts.joined(separator: "\n")).joined(separator: " ")
    }

    /// The words of what a person types, as JSON; each has to be found.
    static func words(_ typed: String) throws -> String {
        let words = FoldedText.words(String(typed.prefix(200)))
        return String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    }
}
