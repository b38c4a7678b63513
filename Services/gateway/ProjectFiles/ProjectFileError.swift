/// Why issues can't be read from a file: where, what is wrong, and what to do.
package struct ProjectFileError: Error, Hashable, CustomStringConvertible {
    /// The line of the file, counted from 1; 0 for the file as a whole.
    package let line: Int
    /// The column of a table, or the element of a document; empty if none is meant.
    package let column: String
    package let reason: String
    package let cure: String

    init(line: Int = 0, column: String = "", _ reason: String, _ cure: String) {
        self.line = line
        self.column = column
        self.reason = reason
        self.cure = cure
    }

    package var description: String {
        let place = line == 0 ? "" : "line \(line)\(column.isEmpty ? "" : ", \(column)"): "
        return "\(place)\(reason); \(cure)"
    }
}

extension String {
    /// The text in quotation marks, as a message shows it: its beginning, on one line.
    var shown: String {
        let line = prefix(40).map { $0.isNewline ? " " : $0 }
        return "“\(String(line))\(count > 40 ? "…" : "")”"
    }
}
