/// A table for people: aligned columns, a dim heading, and fitted to the window if there is one.
package struct TextTable {
    /// A column.
    package struct Column {
        let title: String
        var isNumber = false
        var staysWhole = false

        /// A column of text.
        package static func text(_ title: String) -> Column { Column(title: title) }
        /// A column of ids to type in other commands, which are never cut.
        package static func id(_ title: String) -> Column { Column(title: title, staysWhole: true) }
        /// A column of dates or times, which would be wrong if cut.
        package static func time(_ title: String) -> Column {
            Column(title: title, staysWhole: true)
        }
        /// A column of measures or reasons, which would mislead if cut.
        package static func whole(_ title: String) -> Column {
            Column(title: title, staysWhole: true)
        }
        /// A column of numbers, aligned on the right.
        package static func number(_ title: String) -> Column {
            Column(title: title, isNumber: true, staysWhole: true)
        }
    }

    /// A cell: its text and its style.
    package struct Cell: ExpressibleByStringInterpolation {
        package let text: String
        package let style: Style?

        package init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    /// The minimum width of a column that is cut.
    static let narrowest = 8
    package static let gap = 2
    /// The indentation of a row's continuation lines.
    static let continuation = 4

    private let columns: [Column]
    package private(set) var rows: [[Cell]] = []

    /// A table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; missing cells are empty.
    package mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The lines, without trailing blanks. A row that doesn't fit continues on further, indented
    /// lines.
    ///
    /// - Parameter width: the width of the window in columns; nil leaves every cell whole.
    package func lines(width: Int?, isColoured: Bool) -> [String] {
        let head = columns.map { Cell($0.title, .dim) }
        let parts = width.map(split) ?? [columns.indices]
        let cells = parts.map { part in cut(part, to: width.map { $0 - indent(of: part) }) }
        return ([head] + rows).indices.flatMap { row in
            zip(parts, cells).compactMap { part, cells in
                let line = line(cells[row], part, isColoured)
                // This row has nothing more.
                return line.isEmpty && part.lowerBound > 0
                    ? nil
                    : String(repeating: " ", count: line.isEmpty ? 0 : indent(of: part)) + line
            }
        }
    }

    private func indent(of part: Range<Int>) -> Int {
        part.lowerBound == 0 ? 0 : Self.continuation
    }

    /// Divides the columns among lines: as many per line as fit when all are as narrow as possible.
    private func split(_ width: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var (start, used) = (0, 0)
        for index in columns.indices {
            let least =
                columns[index].staysWhole ? natural(index) : min(natural(index), Self.narrowest)
            let room = width - (start == 0 ? 0 : Self.continuation)
            if index > start, used + Self.gap + least > room {
                parts.append(start..<index)
                (start, used) = (index, least)
            } else {
                used += (index > start ? Self.gap : 0) + least
            }
        }
        return parts + [start..<columns.count]
    }

    /// The width of a column's longest cell.
    private func natural(_ index: Int) -> Int {
        rows.reduce(columns[index].title.columns) { max($0, cell($1, index).text.columns) }
    }

    /// The cells of some columns, with the heading first, cut and padded so that a line has that
    /// width.
    private func cut(_ part: Range<Int>, to width: Int?) -> [[(cell: Cell, text: String)]] {
        var widths = part.map(natural)
        if let width { shrink(&widths, of: part, to: width) }
        let table = [columns.map { Cell($0.title, .dim) }] + rows
        let texts = part.map { index in
            let texts = table.map { cell($0, index).text }
            return [texts[0].truncated(to: widths[index - part.lowerBound])]
                + Shortened.texts(Array(texts.dropFirst()), to: widths[index - part.lowerBound])
        }
        return table.indices.map { row in
            part.map { index in
                let text = texts[index - part.lowerBound][row]
                let width = widths[index - part.lowerBound]
                return (
                    cell(table[row], index),
                    text.padded(to: width, onTheLeft: columns[index].isNumber)
                )
            }
        }
    }

    /// Narrows the widest column that may be cut, one step at a time, until the table fits.
    private func shrink(_ widths: inout [Int], of part: Range<Int>, to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - width
        let soft = widths.indices.filter { !columns[part.lowerBound + $0].staysWhole }
        while excess > 0 {
            guard let widest = soft.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.narrowest
            else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private func cell(_ row: [Cell], _ index: Int) -> Cell {
        index < row.count ? row[index] : Cell("")
    }

    private func line(
        _ cells: [(cell: Cell, text: String)], _ part: Range<Int>, _ isColoured: Bool
    ) -> String {
        var line = ""
        var blanks = 0
        for (index, (cell, padded)) in cells.enumerated() {
            let text = padded.trimmingBlanks
            let before = padded.prefix { $0 == " " }.count
            blanks += index > 0 ? Self.gap : 0
            if text.isEmpty {
                blanks += padded.columns
            } else {
                line += String(repeating: " ", count: blanks + before)
                line += cell.style.map { $0(text, if: isColoured) } ?? text
                blanks = padded.columns - before - text.columns
            }
        }
        return line
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
