extension String {
    /// A person's text, fit for a line of a drawing: without line breaks and characters that set
    /// the direction of text, with at most 200 letters and few marks on each.
    package var written: String {
        if isPlain { return self }
        var text = ""
        for character in prefix(200) {
            for scalar in character.unicodeScalars.prefix(8) {
                text.unicodeScalars.append(scalar == "\n" ? " " : scalar)
            }
        }
        return text.shown.split(separator: " ").joined(separator: " ")
    }

    /// True for words of ASCII with a blank between two, at most 200 bytes of them.
    private var isPlain: Bool {
        guard utf8.count <= 200 else { return false }
        var last = UInt8(ascii: " ")
        for byte in utf8 {
            guard (0x20..<0x7F).contains(byte), byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return isEmpty || last != 0x20
    }
}
