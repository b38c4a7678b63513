import Foundation

/// Cleans the texts of a catalogue for display.
enum CatalogueText {
    /// The maximum length of a text, in Unicode scalars; longer ones are cut.
    private static let longest = 300

    /// A text on one line, without control characters and blanks around it.
    static func clean(_ text: String) -> String {
        if text.utf8.count <= longest, isClean(text) { return text }
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || isControl($0)
        }.map { String($0) }
        return short(
            words.joined(separator: " ").precomposedStringWithCanonicalMapping, longest)
    }

    /// True for a text of visible ASCII and U+00C0 ... U+02FF, which are composed letters, with
    /// single blanks between its words. Other texts may be clean too.
    private static func isClean(_ text: String) -> Bool {
        // As if after a blank, so that the text may not begin with one.
        var isAfterBlank = true
        for byte in text.utf8 {
            switch byte {
            case 0x20:
                if isAfterBlank { return false }
                isAfterBlank = true
            // The first byte of two, and the second.
            case 0x21...0x7E, 0xC3...0xCB, 0x80...0xBF: isAfterBlank = false
            default: return false
            }
        }
        return !isAfterBlank || text.isEmpty
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
