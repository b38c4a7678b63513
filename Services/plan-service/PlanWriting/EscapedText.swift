/// Text with characters that XML 1.0 can't hold (production 2, `Char`), written as `\u{1F}`, and
/// `\` as `\\`.
package enum EscapedText {
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

    /// The text that was written in this form; nil for anything else.
    package static func read(_ written: String) -> String? {
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
