/// A table for people: columns aligned, the head line dim, cut to the window when there is one.
package struct TextTable {
    /// A column.
    package struct Column {
        let title: String
        var isNumber = false
        var staysWhole = false

        /// A column of text.
        package static func text(_ title: String) -> Column { Column(title: title) }
        /// A column of what is typed in other commands: it is never cut.
        package static func id(_ title: String) -> Column { Column(title: title, staysWhole: true) }
        /// A column of dates or times: cut, they would tell another time.
        package static func time(_ title: String) -> Column {
            Column(title: title, staysWhole: true)
        }
        /// A column of numbers, aligned on the right.
        package static func number(_ title: String) -> Column {
            Column(title: title, isNumber: true, staysWhole: true)
        }
    }

    /// A cell: its text, and how it stands out.
    package struct Cell: ExpressibleByStringInterpolation {
        package let text: String
        package let style: Style?

        package init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    /// Columns are never cut to less than this, unless their text is shorter.
    static let narrowest = 8
    package static let gap = 2

    private let columns: [Column]
    package private(set) var rows: [[Cell]] = []

    /// A table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; cells that are left out are empty.
    package mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The lines, without trailing blanks.
    ///
    /// - Parameter width: columns of the window; nil leaves every cell whole.
    package func lines(width: Int?, isColoured: Bool) -> [String] {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.columns) { max($0, cell($1, index).text.columns) }
        }
        if let width { shrink(&widths, to: width) }
        let head = columns.map { Cell($0.title, .dim) }
        return ([head] + rows).map { line($0, widths, isColoured) }
    }

    /// Takes from the widest column that may be cut, one by one, until the table fits.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - width
        let soft = widths.indices.filter { !columns[$0].staysWhole }
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

    private func line(_ row: [Cell], _ widths: [Int], _ isColoured: Bool) -> String {
        var line = ""
        var blanks = 0
        for index in columns.indices {
            let cell = cell(row, index)
            let text = cell.text.truncated(to: widths[index])
            let missing = widths[index] - text.columns
            let isNumber = columns[index].isNumber
            blanks += (index > 0 ? Self.gap : 0) + (isNumber ? missing : 0)
            if !text.isEmpty {
                line += String(repeating: " ", count: blanks)
                line += cell.style.map { $0(text, if: isColoured) } ?? text
                blanks = 0
            }
            if !isNumber { blanks += missing }
        }
        return line
    }
}
