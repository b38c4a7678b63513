import Foundation

/// Cleans the texts of a catalogue for display.
enum CatalogueText {
    /// The maximum length of a text, Unicode scalars; the rest is cut.
    private static let longest = 300

    /// A text on one line, without control characters and blanks around it.
    static func clean(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 < 0x80 }
        if isPlain, text.utf8.first != 0x20, text.utf8.last != 0x20,
            text.utf8.count <= longest
        {
            return text
        }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || isControl($0)
        }.map { String($0) }
        return short(
            words.joined(separator: " ").precomposedStringWithCanonicalMapping, longest)
    }

    /// At most `most` scalars of a text, with `…` if it was cut. A letter may have any number of
    /// scalars.
    static func short(_ text: String, _ most: Int) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= most ? text : String(scalars.prefix(most)) + "…"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .lineSeparator
    }
}
