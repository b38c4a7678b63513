import Foundation

/// Text as it is compared when people search: words without case, accents and punctuation.
package enum FoldedText {
    /// The words of a text, in order: letters and digits of the Latin alphabet without accents, and
    /// the letters of others as they are.
    package static func words(_ text: String) -> [String] {
        if let words = plainWords(text) { return words }
        var words: [String] = []
        var word = ""
        for scalar in text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            if let replacement = replacements[scalar] {
                word += replacement
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else if scalar.properties.generalCategory != .nonspacingMark {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The words of a text of ASCII and the letters of Western Europe, for which no tables of
    /// Unicode are needed; nil for any other.
    private static func plainWords(_ text: String) -> [String]? {
        var words: [String] = []
        var word: [UInt8] = []
        // After the first of the two bytes of U+00C0 ... U+00FF.
        var isWestern = false
        for byte in text.utf8 {
            let letters: [UInt8]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(byte)
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                word.append(byte + 32)
                continue
            case 0xC3:
                isWestern = true
                continue
            case 0x80..<0xC0 where isWestern: letters = western[Int(byte & 0x3F)]
            case 0..<0x80: letters = []
            default: return nil
            }
            isWestern = false
            word += letters
            guard letters.isEmpty, !word.isEmpty else { continue }
            words.append(String(decoding: word, as: UTF8.self))
            word.removeAll(keepingCapacity: true)
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// U+00C0 ... U+00FF without case and accents; nothing for the two that are no letters.
    private static let western =
        """
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y
        """.split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) }

    /// Letters that Unicode does not take apart into a plain letter and an accent.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
    ]
}
