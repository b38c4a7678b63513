import Texts

/// A table of comma-separated values (RFC 4180): a head with the names of its columns, and rows.
///
/// Spreadsheets also separate by semicolons or tabs, and begin with a byte order mark; the head
/// decides which it is.
struct CSVTable {
    /// The limits of a table.
    enum Limit {
        static let rows = 20_000
        static let columns = 200
        /// The maximum length of a cell in bytes.
        static let cell = 500_000
    }

    struct Row {
        /// The line on which it begins, counted from 1.
        let line: Int
        let cells: [String]
    }

    let head: Row
    let rows: [Row]

    /// Reads a table.
    ///
    /// - Throws: if it isn't UTF-8, a quotation has no end, or something is too large.
    init(_ bytes: [UInt8]) throws(ProjectFileError) {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            let line = 1 + Self.validPrefix(bytes).count { $0 == UInt8(ascii: "\n") }
            throw ProjectFileError(
                line: line, "the text isn't UTF-8", "save the table as “CSV UTF-8”")
        }
        var scanner = Scanner(bytes, separator: Self.separator(of: bytes))
        guard let head = try scanner.next() else {
            throw ProjectFileError(
                "the file has no rows", "begin it with the names of the columns, such as subject")
        }
        self.head = head
        var rows: [Row] = []
        while let row = try scanner.next() {
            guard rows.count < Limit.rows else {
                throw ProjectFileError(
                    line: row.line, "there are more than \(Limit.rows) rows", "split the file")
            }
            if row.cells.count > head.cells.count,
                row.cells[head.cells.count...].contains(where: { !$0.isEmpty })
            {
                throw ProjectFileError(
                    line: row.line,
                    "there are \(row.cells.count) cells for \(head.cells.count) columns",
                    "put cells with a separator in them inside double quotes")
            }
            rows.append(row)
        }
        self.rows = rows
    }

    /// The whole lines before the first byte that isn't UTF-8, or is zero.
    private static func validPrefix(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (low, high) = (0, bytes.count)
        // Search by lines, because a text that is cut inside a character is invalid too.
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            let part = bytes[bytes.startIndex...ends[middle]]
            if String(validating: part, as: UTF8.self) != nil, !part.contains(0) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? [] : bytes[bytes.startIndex...ends[low - 1]]
    }

    /// The separator that occurs most often in the head, outside quotations.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") { break }
            if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? UInt8(ascii: ",")
    }
}

extension CSVTable {
    /// Reads one row after the other.
    private struct Scanner {
        private let bytes: ArraySlice<UInt8>
        private let separator: UInt8
        private var place: Int
        private var line = 1

        init(_ bytes: ArraySlice<UInt8>, separator: UInt8) {
            self.bytes = bytes
            self.separator = separator
            place = bytes.startIndex
        }

        /// The next row that isn't blank; nil at the end.
        mutating func next() throws(ProjectFileError) -> Row? {
            while place < bytes.endIndex {
                let first = line
                let cells = try row()
                if cells.contains(where: { !$0.isEmpty }) { return Row(line: first, cells: cells) }
            }
            return nil
        }

        private mutating func row() throws(ProjectFileError) -> [String] {
            var cells: [String] = []
            while true {
                guard cells.count < Limit.columns else {
                    throw ProjectFileError(
                        line: line, "there are more than \(Limit.columns) columns",
                        "leave out those that aren't needed")
                }
                cells.append(try cell())
                guard place < bytes.endIndex else { return cells }
                let stop = bytes[place]
                place += 1
                if stop == separator { continue }
                if stop == UInt8(ascii: "\r"), place < bytes.endIndex,
                    bytes[place] == UInt8(ascii: "\n")
                {
                    place += 1
                }
                line += 1
                return cells
            }
        }

        private func isEnd(_ byte: UInt8) -> Bool {
            byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }

        private mutating func cell() throws(ProjectFileError) -> String {
            let first = line
            var text: [UInt8] = []
            if place < bytes.endIndex, bytes[place] == UInt8(ascii: "\"") {
                text = try quotation()
                guard place == bytes.endIndex || isEnd(bytes[place]) else {
                    throw ProjectFileError(
                        line: line, "text follows a quoted cell",
                        "double the quotation marks inside the cell")
                }
            } else {
                let start = place
                while place < bytes.endIndex, !isEnd(bytes[place]) { place += 1 }
                text = Array(bytes[start..<place])
            }
            guard text.count <= Limit.cell else {
                throw ProjectFileError(
                    line: first, "a cell has more than \(Limit.cell) bytes", "shorten it")
            }
            let cell = String(decoding: text, as: UTF8.self)
            guard !cell.hasEndlessMarks else {
                throw ProjectFileError(
                    line: first,
                    "a cell has more than \(MarkRun.longest) combining marks in a row",
                    "leave them out")
            }
            return cell.trimmingSpaces
        }

        private mutating func quotation() throws(ProjectFileError) -> [UInt8] {
            let first = line
            var text: [UInt8] = []
            place += 1
            while place < bytes.endIndex {
                let byte = bytes[place]
                place += 1
                if byte == UInt8(ascii: "\n") { line += 1 }
                if byte == UInt8(ascii: "\"") {
                    guard place < bytes.endIndex, bytes[place] == byte else { return text }
                    place += 1
                }
                text.append(byte)
            }
            throw ProjectFileError(
                line: first, "a quoted cell has no end",
                "close it with a double quote, and double those inside it")
        }
    }
}

extension String {
    /// The text without the spaces and line ends around it.
    var trimmingSpaces: String {
        let inner = drop { $0.isWhitespace }
        guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(inner[...last])
    }
}
