extension String {
    /// What somebody has written, as it can stand in a line of a drawing: without line breaks and
    /// what turns text around, with at most 200 letters and few marks above each of them.
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
