/// Rows of comma-separated values as in RFC 4180, which spreadsheets open.
public enum CSVRow {
    /// The characters with which a formula begins in a spreadsheet.
    private static let formulas = "=+-@\t\r"

    /// A row with its line end.
    public static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// A cell: quoted where necessary, and never a formula to the program that opens it.
    public static func cell(_ text: String) -> String {
        // “\r\n” is one character, so its first scalar is compared.
        let isFormula = text.unicodeScalars.first.map(formulas.unicodeScalars.contains) ?? false
        let plain = (isFormula ? "'" : "") + text
        let mustBeQuoted = plain.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        return mustBeQuoted ? "\"" + plain.replacing("\"", with: "\"\"") + "\"" : plain
    }

    /// The text from which ``cell(_:)`` made a cell, without the mark that keeps it from being a
    /// formula.
    public static func text(_ cell: String) -> String {
        guard cell.first == "'",
            let next = cell.unicodeScalars.dropFirst().first,
            formulas.unicodeScalars.contains(next)
        else { return cell }
        return String(cell.dropFirst())
    }
}
