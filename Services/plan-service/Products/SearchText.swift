import Foundation
import Texts

/// Turns typed words into a search by words stored in the form of `FoldedText.line`.
enum SearchText {
    /// The typed words as JSON; each has to match.
    static func words(_ typed: String) throws -> String {
        let words = FoldedText.words(String(typed.prefix(200)))
        return String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    }
}
