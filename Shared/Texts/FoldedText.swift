import Foundation

/// Normalizes texts that people search for or use as names.
public enum FoldedText {
    /// Where one word ends and the next begins.
    public enum Style: Sendable {
        /// At every character that is neither a letter nor a digit.
        case plain
        /// The same, except that an apostrophe before a final single letter is part of the word
        /// (“Queen's” is “queens”, “L'Enfant” is “l”, “enfant”), and that each character of a
        /// script without spaces is a word, because a search may begin with any of them.
        case placeNames
    }

    /// The words of a text, in order, without case and accents.
    public static func words(_ text: String, _ style: Style = .plain) -> [String] {
        if let line = plainLine(text, style) {
            return line.split(separator: UInt8(ascii: " "))
                .map { String(decoding: $0, as: UTF8.self) }
        }
        var words: [String] = []
        var word = ""
        func close() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        let folded = text.decomposedStringWithCompatibilityMapping.lowercased()
        let scalars = Array(folded.unicodeScalars)
        for (position, scalar) in scalars.enumerated() {
            if isMark(scalar) { continue }
            if let replacement = replacements[scalar] {
                word += replacement
            } else if style == .placeNames, scalar.properties.isIdeographic || isKana(scalar) {
                close()
                words.append(String(scalar))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else if style == .placeNames, isApostrophe(scalar), !word.isEmpty,
                endsAfterOne(scalars, position)
            {
                continue
            } else {
                close()
            }
        }
        close()
        return words
    }

    /// The words of a text as an identifier can have them: of ASCII letters and digits alone.
    public static func identifierWords(_ text: String) -> [String] {
        words(text).map { $0.filter(\.isASCII) }.filter { !$0.isEmpty }
    }

    /// The words of a text, separated by blanks.
    public static func line(_ text: String) -> String {
        plainLine(text, .plain).map { String(decoding: $0, as: UTF8.self) }
            ?? words(text).joined(separator: " ")
    }

    /// The normalized form of a name that identifies something: trimmed, in lower case and with
    /// composed accents.
    public static func name(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
            .lowercased()
    }

    /// The words of a text of ASCII and Western European letters, separated by blanks, for which no
    /// Unicode tables are needed; nil for any other text.
    private static func plainLine(_ text: String, _ style: Style) -> [UInt8]? {
        var line: [UInt8] = []
        line.reserveCapacity(text.utf8.count)
        // True after the first of the two bytes of U+00C0 ... U+00FF.
        var isWestern = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                line.append(byte)
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                line.append(byte + 32)
                continue
            case 0xC3:
                isWestern = true
                continue
            case UInt8(ascii: "'"), UInt8(ascii: "`"):
                guard style == .plain else { return nil }
            case 0x80..<0xC0 where isWestern:
                isWestern = false
                let letters = western[Int(byte & 0x3F)]
                line += letters
                guard letters.isEmpty else { continue }
            case 0..<0x80: break
            default: return nil
            }
            isWestern = false
            if let last = line.last, last != UInt8(ascii: " ") { line.append(UInt8(ascii: " ")) }
        }
        if line.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }

    /// U+00C0 ... U+00FF without case and accents; empty for the two that are not letters.
    private static let western =
        """
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y
        """.split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) }

    /// Letters that Unicode does not decompose into a plain letter and an accent.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ħ": "h", "ı": "i", "ŋ": "n", "ς": "σ",
    ]

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isKana(_ scalar: Unicode.Scalar) -> Bool {
        (0x3041...0x30FF).contains(scalar.value)
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "’" || scalar == "ʼ" || scalar == "`"
    }

    /// True when exactly one letter follows before the word ends. Its accents come after it.
    private static func endsAfterOne(_ scalars: [Unicode.Scalar], _ position: Int) -> Bool {
        let following = scalars[(position + 1)...].lazy.filter { !isMark($0) }.prefix(2)
        guard let letter = following.first, letter.properties.isAlphabetic else { return false }
        guard let after = following.dropFirst().first else { return true }
        return !after.properties.isAlphabetic && after.properties.numericType == nil
    }
}
