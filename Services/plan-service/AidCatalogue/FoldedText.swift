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

    /// The words of an ASCII text, for which no tables are needed.
    private static func plainWords(_ text: String) -> [String]? {
        var words: [String] = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte + 32)
            case 0x80...: return nil
            default:
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
            }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Letters that Unicode does not take apart into a plain letter and an accent.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
    ]
}
