/// Letters made of blocks, five rows high, that can be read from across a room.
package enum BlockLetters {
    /// The height of an unscaled letter, in rows.
    package static let rows = 5

    /// Each letter as rows of three pixels, from the top; those of `:` have one.
    private static let pixels: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        ":": [" ", "#", " ", "#", " "], "A": ["###", "# #", "###", "# #", "# #"],
        "E": ["###", "#  ", "## ", "#  ", "###"], "L": ["#  ", "#  ", "#  ", "#  ", "###"],
        "N": ["# #", "###", "###", "# #", "# #"], "O": ["###", "# #", "# #", "# #", "###"],
        "T": ["###", " # ", " # ", " # ", " # "], "W": ["# #", "# #", "###", "###", "# #"],
        " ": [" ", " ", " ", " ", " "], "-": ["   ", "   ", "###", "   ", "   "],
    ]

    /// The text in block letters, without characters that have none.
    ///
    /// - Parameter scale: 1 for letters of five rows, 2 for ten.
    package static func lines(_ text: String, scale: Int = 1) -> [String] {
        let letters = text.compactMap { pixels[$0] }
        return (0..<rows).flatMap { row -> [String] in
            let line = letters.map { letter in
                letter[row].map { String(repeating: $0 == "#" ? "█" : " ", count: 2 * scale) }
                    .joined()
            }.joined(separator: String(repeating: " ", count: 2 * scale))
            return Array(repeating: line, count: scale)
        }
    }
}
