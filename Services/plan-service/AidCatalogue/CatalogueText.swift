import Foundation

/// The texts of a catalogue, made fit to be shown.
enum CatalogueText {
    /// Unicode scalars of a text; the rest is cut.
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

    /// So many scalars of a text, with `…` where it was cut: a letter may have any number of them.
    static func short(_ text: String, _ most: Int) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= most ? text : String(scalars.prefix(most)) + "…"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .lineSeparator
    }
}
