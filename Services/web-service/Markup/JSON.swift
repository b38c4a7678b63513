extension Node {
    /// The same piece for a page that is open: a text is a string, an element an array of its name,
    /// its attributes as an object, and its children.
    public var json: String {
        var text = ""
        writeJSON(&text)
        return text
    }

    private func writeJSON(_ out: inout String) {
        switch self {
        case .text(let text): Self.quote(text, &out)
        case .element(let name, let attributes, let children):
            out += "["
            Self.quote(name, &out)
            out += ",{"
            for (index, attribute) in attributes.enumerated() {
                if index > 0 { out += "," }
                Self.quote(attribute.name, &out)
                out += ":"
                Self.quote(attribute.value ?? "", &out)
            }
            out += "}"
            for child in children {
                out += ","
                child.writeJSON(&out)
            }
            out += "]"
        }
    }

    /// Writes a text as a JSON string on one line (RFC 8259), without the two line ends that
    /// JavaScript once did not allow in strings.
    public static func quote(_ text: String, _ out: inout String) {
        out += "\""
        defer { out += "\"" }
        // Most texts need no care, and are taken as they are.
        guard !text.utf8.allSatisfy(isPlain) else {
            out += text
            return
        }
        for scalar in text.unicodeScalars where Grammar.isShown(scalar) {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "<", "\u{2028}", "\u{2029}":
                out += "\\u"
                for shift in [12, 8, 4, 0] {
                    out.unicodeScalars.append(digits[Int(scalar.value >> UInt32(shift) & 15)])
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
    }

    private static let digits = Array("0123456789abcdef".unicodeScalars)

    /// True for the bytes of characters that stand for themselves in JSON.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (32...126).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "<")
    }
}
