import Foundation

extension String {
    /// The text without blanks at its ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The text with accents written in one way.
    var precomposed: String { precomposedStringWithCanonicalMapping }

    /// The name by which one thing is told from another: without regard to case.
    package var nameKey: String { tidied.lowercased() }
}
