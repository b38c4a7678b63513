import Foundation

/// What a screen can draw.
package struct Look: Hashable, Sendable {
    /// True if colours may be used.
    package let hasColours: Bool
    /// True if the terminal shows characters beyond ASCII.
    package let isUnicode: Bool

    /// The look of a screen with these capabilities.
    package init(hasColours: Bool, isUnicode: Bool) {
        (self.hasColours, self.isUnicode) = (hasColours, isUnicode)
    }

    /// The text as the terminal can show it: without control characters, and in ASCII if it can't
    /// show more.
    package func plain(_ text: String) -> String {
        let text = text.printable
        guard !isUnicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map(Self.ascii).joined()
    }

    private static func ascii(_ character: Character) -> String {
        if character.isASCII { return String(character) }
        if let sign = signs[character] { return sign }
        let folded = String(character).folding(options: .diacriticInsensitive, locale: nil)
        if folded.utf8.allSatisfy({ $0 < 0x80 }) { return folded }
        return String(repeating: "?", count: max(1, character.columns))
    }

    private static let signs: [Character: String] = [
        "✓": "x", "✗": "!", "·": "-", "…": "~", "█": "#", "▀": "#", "▄": "#", "░": ".", "▶": ">",
        "–": "-", "—": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'", "°": "o", "−": "-",
        "ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "€": "E", "›": ">", "×": "x",
    ]
}

/// A line of a screen: pieces of text, each with its style. It is cut at the edge of the window.
package struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A piece of it.
    struct Piece: Hashable, Sendable {
        let text: String
        let style: Style?
    }

    /// The pieces from left to right.
    private(set) var pieces: [Piece] = []

    /// An empty line.
    package init() {}

    /// A line in one style.
    package init(_ text: String, _ style: Style? = nil) { add(text, style) }

    /// A line without a style.
    package init(stringLiteral text: String) { self.init(text) }

    /// Adds a piece on the right.
    package mutating func add(_ text: String, _ style: Style? = nil) {
        if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
    }

    /// Adds another line on the right.
    package mutating func add(_ line: StyledLine) { pieces += line.pieces }

    /// The width of the line, in columns.
    package var columns: Int { pieces.reduce(0) { $0 + $1.text.printable.columns } }

    /// The line padded with blanks or cut to this number of columns.
    package func fitted(to width: Int) -> StyledLine {
        var line = StyledLine()
        for piece in Self.cut(pieces.map { ($0.text.printable, $0.style) }, to: width) {
            line.add(piece.text, piece.style)
        }
        line.add(String(repeating: " ", count: max(0, width - line.columns)))
        return line
    }

    /// The line in one style, replacing those of its pieces.
    package func all(in style: Style) -> StyledLine {
        var line = StyledLine()
        for piece in pieces { line.add(piece.text, style) }
        return line
    }

    /// The whole line, for a file or a terminal.
    package func text(isColoured: Bool) -> String {
        pieces.map { piece in
            let text = piece.text.printable
            return piece.style.map { $0(text, if: isColoured) } ?? text
        }.joined()
    }

    /// The text to send to the terminal.
    package func text(width: Int, _ look: Look) -> String {
        Self.cut(pieces.map { (look.plain($0.text), $0.style) }, to: width).map { piece in
            let seen = look.isUnicode ? piece.text : look.plain(piece.text)
            return piece.style.map { $0(seen, if: look.hasColours) } ?? seen
        }.joined()
    }

    /// As much of the pieces as fits, with `…` at the end if anything is left out, even a whole
    /// piece.
    private static func cut(
        _ pieces: [(text: String, style: Style?)], to width: Int
    ) -> [(text: String, style: Style?)] {
        guard pieces.reduce(0, { $0 + $1.text.columns }) > width else { return pieces }
        guard width > 0 else { return [] }
        var room = width - 1
        var shown: [(text: String, style: Style?)] = []
        for piece in pieces {
            guard piece.text.columns <= room else {
                shown.append((piece.text.beginning(of: room) + "…", piece.style))
                break
            }
            shown.append(piece)
            room -= piece.text.columns
        }
        return shown
    }
}
