import Papers

/// The styles of text on a terminal: the numbers of ECMA-48, empty for none.
enum StyledText: String {
    case none = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"
    case blue = "34"

    func text(_ words: String, _ isColoured: Bool) -> String {
        isColoured && self != .none && !words.isEmpty
            ? "\u{1B}[\(rawValue)m\(words)\u{1B}[0m" : words
    }
}

/// A line of a terminal on which later characters cover earlier ones.
struct CharacterLine {
    private var cells: [(text: String, style: StyledText)]

    init(width: Int) {
        cells = Array(repeating: (" ", .none), count: max(0, width))
    }

    /// The character in a column.
    subscript(column: Int) -> String { cells.indices.contains(column) ? cells[column].text : "" }

    /// Writes a text; what doesn't fit is left out.
    mutating func write(_ text: String, at column: Int, _ style: StyledText) {
        var place = column
        for character in text {
            let width = max(1, character.roughColumns)
            guard place >= 0, place + width <= cells.count else { return }
            cells[place] = (String(character), style)
            // The second half of a wide character.
            for other in place + 1..<place + width { cells[other] = ("", style) }
            place += width
        }
    }

    func text(_ isColoured: Bool) -> String {
        var text = ""
        var run = ""
        var style = StyledText.none
        for cell in cells {
            if cell.style != style {
                text += style.text(run, isColoured)
                (run, style) = ("", cell.style)
            }
            run += cell.text
        }
        return text + style.text(run, isColoured)
    }
}

extension String {
    /// The longest beginning that fits into some columns, with `…` where it was cut.
    func shortened(columns: Int) -> String {
        guard roughColumns > columns else { return self }
        var kept = ""
        var room = columns - 1
        for character in self {
            room -= character.roughColumns
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text with trailing blanks up to a number of columns.
    func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - roughColumns))
    }

    /// The text without trailing blanks.
    var withoutBlanksAtEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
