import JSONText

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

    /// Writes a text as a JSON string on one line, without the characters that pages leave out.
    public static func quote(_ text: String, _ out: inout String) {
        // Most texts have none, and are taken as they are.
        let isShown =
            text.utf8.allSatisfy { (32...126).contains($0) }
            || text.unicodeScalars.allSatisfy(Grammar.isShown)
        guard !isShown else { return JSONString.write(text, to: &out) }
        let shown = text.unicodeScalars.filter(Grammar.isShown)
        JSONString.write(String(String.UnicodeScalarView(shown)), to: &out)
    }
}
