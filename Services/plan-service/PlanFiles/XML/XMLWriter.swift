/// Writes XML: the same values give the same bytes.
struct XMLWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    private var open: [String] = []

    /// Opens an element. The values of attributes are ours and need no care.
    mutating func open(_ name: String, _ attributes: [(name: String, value: String)] = []) {
        indent()
        append("<\(name)")
        for attribute in attributes { append(" \(attribute.name)=\"\(attribute.value)\"") }
        append(">\n")
        open.append(name)
    }

    /// Closes the element that was opened last.
    mutating func close() {
        guard let name = open.popLast() else { return }
        indent()
        append("</\(name)>\n")
    }

    /// Writes an element with a text.
    mutating func write(_ name: String, _ text: String) {
        indent()
        if EscapedText.isNeeded(for: text) {
            append("<\(name) escaped=\"yes\">")
            appendText(EscapedText.written(text))
        } else {
            append("<\(name)>")
            appendText(text)
        }
        append("</\(name)>\n")
    }

    /// Writes an element with nothing in it.
    mutating func writeEmpty(_ name: String) {
        indent()
        append("<\(name)/>\n")
    }

    private mutating func indent() {
        for _ in open { bytes += [32, 32, 32, 32] }
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func appendText(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            // A parser reads a bare one as a line feed.
            case UInt8(ascii: "\r"): append("&#13;")
            default: bytes.append(byte)
            }
        }
    }
}

/// Text with characters that XML 1.0 can't hold (production 2, `Char`), written as `\u{1F}`, and
/// `\` as `\\`.
enum EscapedText {
    static func isNeeded(for text: String) -> Bool {
        text.unicodeScalars.contains { !isAllowed($0) }
    }

    static func written(_ text: String) -> String {
        var written = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" {
                written += "\\\\"
            } else if isAllowed(scalar) {
                written.unicodeScalars.append(scalar)
            } else {
                written += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return written
    }

    /// The text that was written so; nil for anything else.
    static func read(_ written: String) -> String? {
        var text = String.UnicodeScalarView()
        var rest = Substring(written).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "\\": text.append("\\")
            case "u":
                guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
                    let value = UInt32(String(rest[..<end]), radix: 16),
                    let scalar = Unicode.Scalar(value)
                else { return nil }
                text.append(scalar)
                rest = rest[rest.index(after: end)...]
            default: return nil
            }
        }
        return String(text)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xa, 0xd: true
        case 0..<0x20, 0xfffe, 0xffff: false
        default: true
        }
    }
}
