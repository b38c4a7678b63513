import Dates
import Foundation
import Texts

/// The values of the current record. An empty or missing field is `nil`.
extension CSVReader {
    /// The text of a field, exactly as in the file.
    func string(_ column: Int) -> String {
        String(decoding: buffer[range(column)], as: UTF8.self)
    }

    /// Whether a field is empty or missing.
    func isEmpty(_ column: Int?) -> Bool {
        column.map { range($0).isEmpty } ?? true
    }

    /// Whether a field is present and is 1. Any other value is no error.
    func isOne(_ column: Int?) -> Bool {
        guard let column else { return false }
        let range = range(column)
        return range.count == 1 && buffer.span[range.lowerBound] == UInt8(ascii: "1")
    }

    /// The longest text to show, in bytes; longer ones are cut. An alert has no room for a name of
    /// thousands of bytes, so nobody would be alerted.
    static let longestText = 1_000

    /// A text to show, in normal form C.
    func text(_ column: Int?) throws(FeedError) -> String? {
        guard let column, let raw = try identifier(column) else { return nil }
        let isPlain = raw.utf8.allSatisfy { $0 < 0x80 }
        let text = isPlain ? raw : raw.precomposedStringWithCanonicalMapping
        // Some marks become two in this form.
        guard !text.hasEndlessMarks else { throw endlessMarks(column) }
        guard text.utf8.count > Self.longestText else { return text }
        let bytes = text.utf8
        var end = bytes.index(bytes.startIndex, offsetBy: Self.longestText)
        while end.samePosition(in: text.unicodeScalars) == nil { end = bytes.index(before: end) }
        return String(text[..<end])
    }

    /// An id, byte for byte.
    ///
    /// - Throws: ``FeedError`` also for one that no message may contain.
    func identifier(_ column: Int?) throws(FeedError) -> String? {
        guard let column, !range(column).isEmpty else { return nil }
        guard !buffer[range(column)].contains(0) else {
            throw refusal(column, "has a zero byte in it", cure: "remove it")
        }
        let text = string(column)
        guard !text.hasEndlessMarks else { throw endlessMarks(column) }
        return text
    }

    /// The error about marks that no message may contain.
    func endlessMarks(_ column: Int) -> FeedError {
        refusal(
            column, "has more than \(MarkRun.longest) combining marks in a row",
            cure: "remove them")
    }

    /// An id that must not be empty.
    func requiredIdentifier(_ column: Int) throws(FeedError) -> String {
        if let text = try identifier(column) { return text }
        throw missing(column)
    }

    /// A whole number within bounds.
    func integer(_ column: Int?, in bounds: ClosedRange<Int>) throws(FeedError) -> Int? {
        guard let column else { return nil }
        let range = range(column)
        if range.isEmpty { return nil }
        let bytes = buffer.span
        var value = 0
        var digits = 0
        var position = range.lowerBound
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        while position < range.upperBound {
            let digit = Int(bytes[position]) - 48
            guard digit >= 0, digit <= 9, digits < 18 else {
                digits = 0
                break
            }
            value = value * 10 + digit
            digits += 1
            position += 1
        }
        guard digits > 0 else {
            throw refusal(column, "\(quoted(column)) is not a whole number", cure: "correct it")
        }
        if isNegative { value = -value }
        guard bounds.contains(value) else {
            throw refusal(
                column, "\(value) is not between \(bounds.lowerBound) and \(bounds.upperBound)",
                cure: "correct it")
        }
        return value
    }

    /// A time of day, H:MM:SS or HH:MM:SS with as many hour digits as needed, in seconds.
    func time(_ column: Int) throws(FeedError) -> Int32? {
        let range = range(column)
        if range.isEmpty { return nil }
        let bytes = buffer.span
        // Read from the end: seconds, minutes, and the rest are hours.
        let last = range.upperBound - 1
        if range.count >= 7, range.count <= 10, bytes[last - 2] == 58, bytes[last - 5] == 58 {
            let digits = (
                s0: bytes[last] &- 48, s1: bytes[last - 1] &- 48,
                m0: bytes[last - 3] &- 48, m1: bytes[last - 4] &- 48
            )
            var hours: Int32 = 0
            var isSound = digits.s0 <= 9 && digits.s1 <= 5 && digits.m0 <= 9 && digits.m1 <= 5
            for position in range.lowerBound..<(last - 5) {
                let digit = bytes[position] &- 48
                if digit > 9 { isSound = false }
                hours = hours * 10 + Int32(digit)
            }
            if isSound {
                let minutes = Int32(digits.m1) * 10 + Int32(digits.m0)
                return hours * 3600 + minutes * 60 + Int32(digits.s1) * 10 + Int32(digits.s0)
            }
        }
        throw refusal(
            column, "\(quoted(column)) is not a time",
            cure: "write hours, minutes and seconds as 08:05:00")
    }

    /// An angle in degrees, rounded to units of 1e-7 degrees.
    func degrees(_ column: Int, limit: Int) throws(FeedError) -> Int32? {
        guard let value = try decimal(column) else { return nil }
        guard abs(value) <= Double(limit) else {
            throw refusal(
                column, "\(quoted(column)) is not between -\(limit) and \(limit)",
                cure: "write degrees, the latitude and the longitude in their own columns")
        }
        return Int32((value * 1e7).rounded())
    }

    /// A decimal number.
    ///
    /// It is exact up to 15 digits and 22 decimal places: an integer that a `Double` can represent,
    /// divided once by a power of ten that it can represent too (Clinger, "How to read floating
    /// point numbers accurately").
    func decimal(_ column: Int?) throws(FeedError) -> Double? {
        guard let column else { return nil }
        let range = range(column)
        if range.isEmpty { return nil }
        let bytes = buffer.span
        var mantissa = 0
        var digits = 0
        var places = 0
        var isPlain = true
        var hasPoint = false
        var position = range.lowerBound
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        while position < range.upperBound {
            let digit = bytes[position] &- 48
            if digit <= 9 {
                mantissa = mantissa * 10 + Int(digit)
                digits += 1
                if hasPoint { places += 1 }
                if digits > 15 {
                    isPlain = false
                    break
                }
            } else if bytes[position] == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                isPlain = false
                break
            }
            position += 1
        }
        if isPlain, digits > 0 {
            let value = Double(mantissa) / powersOfTen[places]
            return isNegative ? -value : value
        }
        guard let value = Double(string(column)), value.isFinite else {
            throw refusal(column, "\(quoted(column)) is not a number", cure: "correct it")
        }
        return value
    }

    /// A date, YYYYMMDD.
    func day(_ column: Int) throws(FeedError) -> CivilDate {
        guard !range(column).isEmpty else { throw missing(column) }
        if range(column).count == 8, let number = Int(string(column)),
            let day = CivilDate(yyyymmdd: number)
        {
            return day
        }
        throw refusal(
            column, "\(quoted(column)) is not a date", cure: "write 20260131 for 31 January 2026")
    }

    /// The number of an id that must be in another file's table.
    func reference(
        _ column: Int, to table: IdTable, of file: String
    ) throws(FeedError) -> Int {
        guard !isEmpty(column) else { throw missing(column) }
        if let index = index(column, in: table) { return index }
        throw refusal(
            column, "\(quoted(column)) is not in \(file)",
            cure: "add it there, or remove the line")
    }

    /// The index of an id in a table; nil if it isn't there.
    func index(_ column: Int, in table: IdTable) -> Int? {
        table.index(of: buffer.span.extracting(range(column)))
    }

    /// Adds the id of the current record, which must be new and not empty.
    func enter(_ column: Int, into table: inout IdTable) throws(FeedError) -> Int {
        let range = range(column)
        guard !range.isEmpty else { throw missing(column) }
        let (index, isNew) = table.insert(buffer.span.extracting(range))
        guard isNew else {
            throw refusal(column, "\(quoted(column)) occurs twice", cure: "keep one of them")
        }
        return index
    }

    /// A field as an error shows it: at most its beginning, on one line. A single character can
    /// have any number of marks, and a message only so many.
    func quoted(_ column: Int) -> String {
        let text = string(column).unicodeScalars
        let begin = text.prefix(40).map { (scalar: Unicode.Scalar) -> Unicode.Scalar in
            Character(scalar).isNewline ? " " : scalar
        }
        let shown = String(String.UnicodeScalarView(begin))
        return "“\(shown.hasEndlessMarks ? "" : shown)\(text.count > 40 ? "…" : "")”"
    }

    /// A usable distance: `shape_dist_traveled` is only a hint, and a negative one or one longer
    /// than any road counts as missing (-1).
    func stated(_ column: Int?) throws(FeedError) -> Float {
        guard let value = try decimal(column), (0...1e9).contains(value) else { return -1 }
        return Float(value)
    }

    /// The error about a field of the current record.
    func refusal(_ column: Int, _ reason: String, cure: String) -> FeedError {
        FeedError(file: file, line: line, column: name(column), reason: reason, cure: cure)
    }

    /// The error about a field that must not be empty.
    func missing(_ column: Int) -> FeedError {
        refusal(column, "is empty", cure: "fill it in; GTFS requires it")
    }
}

/// 10^0 to 10^15.
private let powersOfTen: [Double] = (0...15).map { power in
    (0..<power).reduce(1) { value, _ in value * 10 }
}
