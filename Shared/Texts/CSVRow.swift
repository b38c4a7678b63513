/// Rows of comma-separated values, as RFC 4180 has them, that spreadsheets open.
public enum CSVRow {
    /// What a spreadsheet takes for the beginning of a formula.
    private static let formulas = "=+-@\t\r"

    /// A row with its line end.
    public static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// A cell: quoted where necessary, and never a formula to the program that opens it.
    public static func cell(_ text: String) -> String {
        // Of “\r\n”, which is one character, the first scalar counts too.
        let isFormula = text.unicodeScalars.first.map(formulas.unicodeScalars.contains) ?? false
        let plain = (isFormula ? "'" : "") + text
        let mustBeQuoted = plain.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        return mustBeQuoted ? "\"" + plain.replacing("\"", with: "\"\"") + "\"" : plain
    }

    /// The text that ``cell(_:)`` made a cell from, without what keeps it from being a formula.
    public static func text(_ cell: String) -> String {
        guard cell.first == "'",
            let next = cell.unicodeScalars.dropFirst().first,
            formulas.unicodeScalars.contains(next)
        else { return cell }
        return String(cell.dropFirst())
    }
}
