import Foundation

/// Why a recording of a ride can't be read: where, what is wrong, and how to fix it.
package struct RideFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, counted from 1; 0 for the whole file.
    package let line: Int
    /// The column's name; nil if the file has no columns.
    package let column: String?
    package let reason: String
    /// The remedy.
    package let cure: String

    package init(line: Int, column: String? = nil, reason: String, cure: String) {
        self.line = line
        self.column = column
        self.reason = reason
        self.cure = cure
    }

    package var description: String {
        var place = line > 0 ? "line \(line)" : "file"
        if let column { place += ", column \(column)" }
        return "\(place): \(reason); \(cure)"
    }
}
