import Papers

/// A text broken into lines to fit a width and a number of lines, in the largest letters that fit.
/// Text that doesn't fit in the smallest letters is cut off with `…`.
struct FittedText {
    /// The space for a text in millimetres, the allowed sizes of its letters, and the maximum
    /// number of lines.
    struct Room {
        var width: Double
        var height: Double
        var largest: Double
        var smallest: Double
        var mostLines: Int
        var isBold = true
    }

    let lines: [String]
    let size: Double
    let isBold: Bool
    /// The distance from one baseline to the next, relative to the size.
    static let leading = 1.22
    /// How far letters such as `Å` and `g` reach above and below the baseline, relative to the
    /// size.
    static let ascent = 0.95
    static let descent = 0.25

    var leading: Double { size * Self.leading }
    var height: Double {
        Double(max(0, lines.count - 1)) * leading + size * (Self.ascent + Self.descent)
    }

    init(_ text: String, in room: Room, _ ruler: TextRuler) {
        isBold = room.isBold
        // Longer text could not be read. Other white space would break lines when drawn.
        let words = text.prefix(200).split(whereSeparator: \.isWhitespace).map(String.init)
        func isLow(_ size: Double, lines: Int) -> Bool {
            Double(lines - 1) * size * Self.leading + size * (Self.ascent + Self.descent)
                <= room.height + 1e-9
        }
        func length(_ text: String, _ size: Double) -> Double {
            ruler.length(of: text, size: size, isBold: room.isBold)
        }
        var size = room.largest
        while size > room.smallest {
            let broken = Self.broken(words, width: room.width) { length($0, size) }
            if let broken, broken.count <= room.mostLines, isLow(size, lines: max(1, broken.count))
            {
                (lines, self.size) = (broken, size)
                return
            }
            size = max(room.smallest, size * 0.94)
        }
        self.size = room.smallest
        let smallest = room.smallest
        var most = room.mostLines
        while most > 1, !isLow(smallest, lines: most) { most -= 1 }
        lines = Self.cut(words, width: room.width, most: most) { length($0, smallest) }
    }

    /// Breaks a text into lines of whole words; nil when a word is longer than a line.
    private static func broken(
        _ words: [String], width: Double, _ length: (String) -> Double
    ) -> [String]? {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, length(last + " " + word) <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                guard length(word) <= width else { return nil }
                lines.append(word)
            }
        }
        return lines
    }

    /// Breaks a text into at most `most` lines. A word that is longer than a line is broken with a
    /// hyphen.
    private static func cut(
        _ words: [String], width: Double, most: Int, _ length: (String) -> Double
    ) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, length(last + " " + word) <= width {
                lines[lines.count - 1] = last + " " + word
                continue
            }
            var rest = Substring(word)
            while length(String(rest)) > width, rest.count > 1, lines.count <= most {
                var part = rest.prefix(1)
                while part.count < rest.count - 1,
                    length(rest.prefix(part.count + 1) + "-") <= width
                {
                    part = rest.prefix(part.count + 1)
                }
                lines.append(part + "-")
                rest = rest.dropFirst(part.count)
            }
            lines.append(String(rest))
            if lines.count > most { break }
        }
        guard lines.count > most else { return lines }
        var last = lines[most - 1]
        if last.hasSuffix("-") { last.removeLast() }
        while !last.isEmpty, length(last + "…") > width { last.removeLast() }
        while last.last == " " { last.removeLast() }
        return lines[..<(most - 1)] + [last + "…"]
    }

    /// Draws the lines, with the upper edge of the first at `top`.
    func marks(
        x: Double, top: Double, anchor: Drawing.Text.Anchor, colour: Colour, item: String = ""
    ) -> [Drawing.Mark] {
        lines.enumerated().map { index, line in
            let baseline = top + size * Self.ascent + Double(index) * leading
            return Drawing.Mark(
                .text(
                    Drawing.Text(
                        line, at: Drawing.Point(x, baseline), size: size, anchor: anchor,
                        isBold: isBold, colour: colour)), item: item)
        }
    }
}
