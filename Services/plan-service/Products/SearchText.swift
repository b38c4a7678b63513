import Foundation
import Texts

/// What people type to find something by words that were kept as `FoldedText.line` has them.
enum SearchText {
    /// The words of what a person types, as JSON; each has to be found.
    static func words(_ typed: String) throws -> String {
        let words = FoldedText.words(String(typed.prefix(200)))
        return String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    }
}
