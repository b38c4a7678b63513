/// How much fits into the window of a terminal.
package struct WindowSize: Hashable, Sendable {
    /// Letters on a line.
    package let columns: Int
    /// Lines.
    package let rows: Int

    /// A window of so many columns and rows.
    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}
