import XMLText

extension XMLWriter {
    /// Writes an element with a text, whatever its characters are.
    mutating func write(_ name: String, _ text: String) {
        if EscapedText.isNeeded(for: text) {
            element(name, EscapedText.written(text), [("escaped", "yes")])
        } else {
            element(name, text)
        }
    }
}
