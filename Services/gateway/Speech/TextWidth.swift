/// The width of text on a terminal, and text made safe for one.
extension String {
    /// The width of the text, in columns.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text without control characters, so that what others wrote can't control the terminal.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.isControl ? " " : scalar)
        }
        return text
    }

    /// The same for a text with several lines.
    package var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            .joined(separator: "\n")
    }

    /// The text without anything that a terminal would obey, such as an order to clear the window
    /// or to set its title, except for line ends, tabs and styles. No style goes on after the text,
    /// and none makes it invisible.
    package var withOnlyStyles: String {
        guard unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { return self }
        var (text, isStyled) = ("", false)
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}", let style = Self.style(in: rest) {
                isStyled = !["[m", "[0m"].contains(String(style))
                text.unicodeScalars.append(scalar)
                text.unicodeScalars.append(contentsOf: style)
                rest = rest.dropFirst(style.count)
            } else {
                let isKept = !scalar.isControl || scalar == "\n" || scalar == "\t"
                text.unicodeScalars.append(isKept ? scalar : " ")
            }
        }
        guard isStyled else { return text }
        // Before the last line end, so that what follows begins on a new line.
        return text.hasSuffix("\n") ? String(text.dropLast()) + "\u{1B}[0m\n" : text + "\u{1B}[0m"
    }

    /// The rest of a style that begins before these characters, such as `[1;31m`; nil if they are
    /// something else, or would make what follows invisible.
    private static func style(
        in rest: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView? {
        guard rest.first == "[" else { return nil }
        let end = rest.dropFirst().firstIndex { !(48...57).contains($0.value) && $0 != ";" }
        guard let end, rest[end] == "m" else { return nil }
        let numbers = String(rest[..<end]).dropFirst().split(separator: ";")
        return numbers.contains { Int($0) == 8 } ? nil : rest[...end]
    }

    /// The text with every line of more than 600 letters cut in its middle, because text that was
    /// typed or came from elsewhere must not fill the screen.
    package var withShortLines: String {
        let most = 600
        return split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.utf8.count <= most || line.count <= most
                ? String(line) : "\(line.prefix(most * 2 / 3)) … \(line.suffix(most / 3))"
        }.joined(separator: "\n")
    }

    /// The beginning of the text that fits into this number of columns, with `…` if it was cut.
    package func truncated(to width: Int) -> String {
        guard columns > width else { return self }
        return width > 0 ? beginning(of: width - 1) + "…" : ""
    }

    /// A line of keys, such as `space done  m more time  q close`, without those in its middle for
    /// which there is no room: the first are pressed most, and the last two give help and close.
    package func keys(fitting width: Int) -> String {
        var keys = split(separator: "  ")
        var text = self
        while text.columns > width, keys.count > 1 {
            keys.remove(at: Swift.max(0, keys.count - 3))
            text = keys.joined(separator: "  ")
        }
        return text
    }

    /// As much of the beginning of the text as fits into this number of columns.
    func beginning(of width: Int) -> String {
        var text = ""
        var room = width
        for character in self {
            room -= character.columns
            if room < 0 { break }
            text.append(character)
        }
        return text
    }

    /// The text padded with blanks to this number of columns.
    package func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let blanks = String(repeating: " ", count: Swift.max(0, width - columns))
        return onTheLeft ? blanks + self : self + blanks
    }
}

extension Character {
    /// The width of the character in columns: 0, 1, or 2 for East Asian letters and emoji.
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isControl { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        // The variation selector chooses the picture form of a sign such as ☎.
        if unicodeScalars.dropFirst().contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return first.isWide ? 2 : 1
        }
    }
}

extension Unicode.Scalar {
    /// True for control characters, and for those that reverse the direction of text.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// True in the blocks of East Asian Width W and F.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
