/// Papers as plain text, for terminals and mails.
package struct PlainPaper {
    /// The maximum number of columns of a line.
    private let width: Int
    private let isColoured: Bool
    private var text = ""

    /// The text of papers, one below the other.
    ///
    /// - Parameters:
    ///   - papers: the papers.
    ///   - width: the number of columns of the terminal; at least 30 are used.
    ///   - isColoured: whether the terminal shows colours.
    package static func text(
        of papers: [Paper], width: Int, isColoured: Bool = false
    ) -> String {
        var plain = PlainPaper(width: max(30, width), isColoured: isColoured)
        for (index, paper) in papers.enumerated() {
            if index > 0 { plain.text += "\n\n" }
            plain.add(paper)
        }
        return plain.text
    }

    private init(width: Int, isColoured: Bool) {
        self.width = width
        self.isColoured = isColoured
    }

    private mutating func add(_ paper: Paper) {
        add(paper.title, style: .bold)
        add([paper.site, paper.occasion].filter { !$0.isEmpty }.joined(separator: " · "))
        if !paper.summary.isEmpty { add(paper.summary) }
        text += String(repeating: "═", count: width) + "\n"
        for block in paper.blocks {
            switch block {
            case .heading(let heading):
                text += "\n"
                add(heading, style: .bold)
                text += String(repeating: "─", count: min(width, heading.roughColumns)) + "\n"
            case .item(let item): add(item)
            case .table(let table): add(table)
            case .remark(let text), .paragraph(let text): add(text)
            case .drawing, .photos: break
            }
        }
    }

    private mutating func add(_ item: Paper.Item) {
        let margin = min(item.depth, 4) * 4
        let sign = styled("[\(item.sign.character)]", item.sign.style)
        let begin = String(repeating: " ", count: margin) + sign + " "
        add(
            item.title, begin: begin, margin: margin + 4, style: item.isGeneral ? .orange : nil)
        if !item.detail.isEmpty { add(item.detail, margin: margin + 4, style: .dim) }
        for note in item.notes { add("– " + note, margin: margin + 4, hanging: 2) }
    }

    /// Adds a text, broken into lines that fit.
    ///
    /// - Parameters:
    ///   - words: the text.
    ///   - begin: the beginning of the first line, `margin` columns wide; nil for blanks.
    ///   - margin: the number of blanks before each line.
    ///   - hanging: the number of additional blanks before the second and later lines.
    ///   - style: the style; nil for plain text.
    private mutating func add(
        _ words: String, begin: String? = nil, margin: Int = 0, hanging: Int = 0,
        style: PlainStyle? = nil
    ) {
        var isFirst = true
        let blanks = String(repeating: " ", count: margin)
        for paragraph in words.split(separator: "\n", omittingEmptySubsequences: false) {
            for line in Self.broken(paragraph, width - margin - hanging) {
                let before =
                    isFirst ? begin ?? blanks : blanks + String(repeating: " ", count: hanging)
                text += line.isEmpty ? "\n" : before + styled(line, style) + "\n"
                isFirst = false
            }
        }
    }

    private func styled(_ text: String, _ style: PlainStyle?) -> String {
        guard isColoured, let style else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// Breaks a paragraph into lines: at blanks, or within a word longer than a line.
    package static func broken(_ paragraph: Substring, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.roughColumns + 1 + word.roughColumns > width {
                lines.append(line)
                line = ""
            }
            if !line.isEmpty { line += " " }
            for character in word {
                if line.roughColumns + character.roughColumns > width {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return lines + [line]
    }

    private mutating func add(_ table: Paper.Table) {
        text += "\n"
        let widths = table.columns.indices.map { column in
            let words = table.columns[column].title.split(separator: " ").map(\.roughColumns)
            let cells = table.rows.map { column < $0.count ? $0[column].roughColumns : 0 }
            return (words + cells).max() ?? 0
        }
        guard widths.reduce(0, +) + 2 * (widths.count - 1) <= width else {
            addTall(table)
            return
        }
        let heads = zip(table.columns, widths).map { Self.broken($0.title[...], $1) }
        let lines = (0..<(heads.map(\.count).max() ?? 0)).map { line in
            heads.map { line < $0.count ? $0[line] : "" }
        }
        for (index, row) in (lines + table.rows).enumerated() {
            let padded = row.indices.map { column in
                let blanks = String(
                    repeating: " ", count: max(0, widths[column] - row[column].roughColumns))
                return table.columns[column].isNumber ? blanks + row[column] : row[column] + blanks
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            let isTotal = table.hasTotal && index == lines.count + table.rows.count - 1
            let isBold = index < lines.count || isTotal
            text += styled(line, isBold ? .bold : nil) + "\n"
        }
    }

    /// Adds a table that is too wide, row by row with a line for each cell.
    private mutating func addTall(_ table: Paper.Table) {
        for row in table.rows {
            add(row.first ?? "", style: .bold)
            for (column, cell) in zip(table.columns, row).dropFirst() where !cell.isEmpty {
                add("\(column.title): \(cell)", margin: 4, hanging: 2)
            }
        }
    }
}

/// The styles of text on a terminal: the numbers of ECMA-48.
private enum PlainStyle: String {
    case bold = "1"
    case dim = "2"
    case green = "32"
    case red = "1;31"
    case orange = "38;5;208"
}

extension Paper.Sign {
    fileprivate var style: PlainStyle? {
        switch self {
        case .open: nil
        case .ok: .green
        case .notOk, .notOkForPerson: .red
        case .uncertain: .orange
        case .notApplicable: .dim
        }
    }
}

extension StringProtocol {
    /// The number of columns on a terminal, overestimated where it is uncertain.
    package var roughColumns: Int { reduce(0) { $0 + $1.roughColumns } }
}

extension Character {
    /// 1 for the letters of European languages, 2 for characters that may be wide.
    package var roughColumns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFFE6,
            0x1F000...0x3FFFD:
            return 2
        default: return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }
}
