/// The size of a terminal's window.
package struct WindowSize: Hashable, Sendable {
    /// The number of columns.
    package let columns: Int
    /// The number of rows.
    package let rows: Int

    /// A window of this size.
    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}
