extension String {
    /// A person's text, fit for a line of a drawing: without line breaks and characters that set
    /// the direction of text, with at most 200 letters and few marks on each.
    package var written: String {
        var text = ""
        for character in prefix(200) {
            for scalar in character.unicodeScalars.prefix(8) {
                text.unicodeScalars.append(scalar == "\n" ? " " : scalar)
            }
        }
        return text.shown.split(separator: " ").joined(separator: " ")
    }
}
