import Foundation
import RideTracking
import Texts

/// Reads a ride from a table of fixes: `time,latitude,longitude[,accuracy][,speed]`.
///
/// The first line names the columns, in any order; unknown columns are ignored. Times are ISO 8601
/// with a zone, or seconds or milliseconds since 1970; degrees are decimal, accuracy is in metres
/// and speed in metres per second, and both may be empty.
package enum FixCSV {
    private static let needed = ["time", "latitude", "longitude"]

    private struct Row {
        let line: Int
        let cells: [Substring]
        let columns: [String: Int]

        func text(_ column: String) -> Substring? {
            guard let index = columns[column], index < cells.count else { return nil }
            let text = FixCSV.trimmed(cells[index])
            return text.isEmpty ? nil : text
        }
    }

    /// The fixes in a file's bytes, in the order of its lines.
    package static func fixes(from bytes: some Sequence<UInt8>) throws(RideFileError) -> [RideFix] {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw RideFileError(
                line: 0, reason: "is not UTF-8 text", cure: "save it as CSV in UTF-8")
        }
        guard !text.hasEndlessMarks else {
            throw RideFileError(
                line: 0, reason: "has more than \(MarkRun.longest) combining marks in a row",
                cure: "leave them out")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let columns = try columns(of: lines.first ?? "")
        var fixes: [RideFix] = []
        for (index, line) in lines.enumerated().dropFirst() where !trimmed(line).isEmpty {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            fixes.append(try fix(Row(line: index + 1, cells: cells, columns: columns)))
        }
        guard !fixes.isEmpty else {
            throw RideFileError(
                line: 0, reason: "has no fixes", cure: "give it a line for each fix")
        }
        return fixes
    }

    private static func columns(of header: Substring) throws(RideFileError) -> [String: Int] {
        var columns: [String: Int] = [:]
        let names = header.split(separator: ",", omittingEmptySubsequences: false)
        for (index, name) in names.enumerated() {
            let plain = trimmed(name).lowercased().drop { $0 == "\u{FEFF}" }
            if columns[String(plain)] == nil { columns[String(plain)] = index }
        }
        for name in needed where columns[name] == nil {
            throw RideFileError(
                line: 1, column: name, reason: "the column is missing",
                cure: "begin the file with time,latitude,longitude,accuracy,speed")
        }
        return columns
    }

    private static func fix(_ row: Row) throws(RideFileError) -> RideFix {
        guard let text = row.text("time"), let time = Timestamp.milliseconds(text) else {
            throw RideFileError(
                line: row.line, column: "time",
                reason: "\(shown(row.text("time"))) is not a moment",
                cure: "write 2026-02-16T17:58:35Z or seconds or milliseconds since 1970")
        }
        return RideFix(
            time: time,
            latitude: try degrees(row, "latitude", within: 90),
            longitude: try degrees(row, "longitude", within: 180),
            accuracy: try measure(row, "accuracy", "metres"),
            speed: try measure(row, "speed", "metres per second"))
    }

    private static func degrees(
        _ row: Row, _ column: String, within limit: Double
    ) throws(RideFileError) -> Double {
        guard let text = row.text(column), let degrees = Double(text),
            abs(degrees) <= limit
        else {
            throw RideFileError(
                line: row.line, column: column,
                reason: "\(shown(row.text(column))) isn't a \(column)",
                cure: "write decimal degrees from -\(Int(limit)) to \(Int(limit))")
        }
        return degrees
    }

    private static func measure(
        _ row: Row, _ column: String, _ unit: String
    ) throws(RideFileError) -> Double? {
        guard let text = row.text(column) else { return nil }
        guard let value = Double(text), value.isFinite, value >= 0 else {
            throw RideFileError(
                line: row.line, column: column, reason: "\(shown(text)) is not a measure",
                cure: "write \(unit) as a number from 0, or leave it empty")
        }
        return value
    }

    private static func shown(_ text: Substring?) -> String {
        text.map { "\"\($0.prefix(40))\"" } ?? "nothing"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
