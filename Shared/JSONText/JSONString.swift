/// Writes texts as JSON strings.
package enum JSONString {
    /// The text as a JSON string on one line (RFC 8259, section 7).
    package static func quoted(_ text: String) -> String {
        var json = ""
        write(text, to: &json)
        return json
    }

    /// Writes a text as a JSON string on one line. It can also be a part of a script in a page:
    /// `<` is escaped, and so are the two line ends that JavaScript once did not allow in strings.
    package static func write(_ text: String, to json: inout String) {
        json += "\""
        defer { json += "\"" }
        // Most texts need no care, and are written as they are.
        guard !text.utf8.allSatisfy(isPlain) else {
            json += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\r": json += "\\r"
            case "\t": json += "\\t"
            case _ where isEscaped(scalar):
                json += "\\u"
                for shift: UInt32 in [12, 8, 4, 0] {
                    json.unicodeScalars.append(digits[Int(scalar.value >> shift & 15)])
                }
            default: json.unicodeScalars.append(scalar)
            }
        }
    }

    private static let digits = Array("0123456789abcdef".unicodeScalars)

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 32 || scalar == "<" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// Whether a byte is a character that stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (32...126).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "<")
    }
}
