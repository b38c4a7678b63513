extension Node {
    /// The HTML of this piece.
    public var html: String {
        var text = ""
        write(&text, isRaw: false)
        return text
    }

    /// A whole page, whose root is `html`.
    public var document: String { "<!DOCTYPE html>\n" + html + "\n" }

    private func write(_ out: inout String, isRaw: Bool) {
        switch self {
        case .text(let text): Self.escape(text, &out)
        case .element(let name, let attributes, let children):
            out += "<" + name
            for attribute in attributes {
                out += " " + attribute.name
                guard let value = attribute.value, !value.isEmpty else { continue }
                out += "=\""
                Self.escape(value, &out)
                out += "\""
            }
            out += ">"
            guard !Grammar.void.contains(name) else { return }
            for child in children { child.write(&out, isRaw: isRaw) }
            out += "</" + name + ">"
        }
    }

    /// Writes a text so that it is read as text, both in an element and in a quoted attribute.
    private static func escape(_ text: String, _ out: inout String) {
        for scalar in text.unicodeScalars where Grammar.isShown(scalar) {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}
