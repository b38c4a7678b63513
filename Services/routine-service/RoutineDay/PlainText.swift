import Foundation

extension String {
    /// The text without white space at its ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The text with accented letters in composed form.
    var precomposed: String { precomposedStringWithCanonicalMapping }

    /// The key by which names are compared, without regard to case.
    package var nameKey: String { tidied.lowercased() }
}
