import Foundation

/// Text as the stop search compares it: words without case, accents and punctuation.
enum SearchText {
    /// A word in UTF-16 units, in which almost every letter is one unit.
    typealias Word = [UInt16]

    /// The words of a text, in order.
    ///
    /// An apostrophe before a last single letter is passed over ("Queen's" is "queens"); any other
    /// divides ("L'Enfant" is "l", "enfant"). Scripts that are written without spaces give a word
    /// for each character, since any of them may begin what the user types.
    static func words(of text: String) -> [Word] {
        if let plain = plainWords(of: text) { return plain }
        var words: [Word] = []
        var word: Word = []
        func close() {
            if !word.isEmpty { words.append(word) }
            word = []
        }
        let folded = text.decomposedStringWithCompatibilityMapping.lowercased()
        let scalars = Array(folded.unicodeScalars)
        for (position, scalar) in scalars.enumerated() {
            if isMark(scalar) { continue }
            if let replacement = replacements[scalar] {
                word += replacement.utf16
            } else if scalar.properties.isIdeographic || isKana(scalar) {
                close()
                words.append(Array(String(scalar).utf16))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word += String(scalar).utf16
            } else if isApostrophe(scalar), !word.isEmpty, endsAfterOne(scalars, position) {
                continue
            } else {
                close()
            }
        }
        close()
        return words
    }

    /// The words of an ASCII text without apostrophes, for which no tables are needed.
    private static func plainWords(of text: String) -> [Word]? {
        var words: [Word] = []
        var word: Word = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(UInt16(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(UInt16(byte) + 32)
            case UInt8(ascii: "'"), UInt8(ascii: "`"), 0x80...: return nil
            default:
                if !word.isEmpty { words.append(word) }
                word.removeAll(keepingCapacity: true)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Letters that Unicode does not take apart into a plain letter and an accent.
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

    /// Whether just one letter follows before the word is over.
    private static func endsAfterOne(_ scalars: [Unicode.Scalar], _ position: Int) -> Bool {
        guard position + 1 < scalars.count, scalars[position + 1].properties.isAlphabetic else {
            return false
        }
        guard position + 2 < scalars.count else { return true }
        let after = scalars[position + 2]
        return !after.properties.isAlphabetic && after.properties.numericType == nil
    }
}
