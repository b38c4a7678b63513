import Texts

/// Reads one file of a feed record by record, as bytes, without making a `String` of each field.
///
/// RFC 4180 as GTFS uses it: commas, double quotes around a field (doubled inside it), lines ended
/// by LF, CRLF or CR, an optional byte order mark. Spaces around a field are not part of it.
struct CSVReader {
    /// The file's name.
    let file: String

    /// The line on which the current record begins, counted from 1.
    private(set) var line = 0

    /// The number of records read, without the header.
    private(set) var records = 0

    private(set) var header: [String] = []
    private let stream: FeedStream
    private let limits: FeedLimits
    /// The maximum number of records; the header isn't one of them.
    private var mostRecords = Int.max
    private(set) var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    private var nextLine = 1
    private var fields: [Field]
    private var count = 0

    private struct Field {
        var start = 0
        var end = 0
        var hasEscapes = false
    }

    private enum Scan {
        case record, blank, needsMore, end
    }

    /// Opens a file and reads its header.
    init(_ file: String, in archive: FeedArchive, limits: FeedLimits) throws(FeedError) {
        self.file = file
        self.limits = limits
        stream = try archive.open(file)
        fields = Array(repeating: Field(), count: limits.columns + 1)
        try refill()
        if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
        guard try next() else {
            throw FeedError(file: file, reason: "is empty", cure: "give it at least its header")
        }
        records = 0
        mostRecords = limits.rows[file == archive.list ? "stops.txt" : file] ?? .max
        for column in 0..<count {
            let name = string(column)
            guard !name.hasEndlessMarks else { throw endlessMarks(column) }
            if !name.isEmpty, header.contains(name) {
                throw FeedError(
                    file: file, line: line, column: name, reason: "occurs twice",
                    cure: "keep only one of the columns")
            }
            header.append(name)
        }
    }

    /// The number of uncompressed bytes of the file read so far.
    var bytesRead: Int { stream.bytesRead - (end - start) }

    /// The position of a column; `nil` when the file does not have it.
    func column(_ name: String) -> Int? {
        header.firstIndex(of: name)
    }

    /// The position of a column that the file must have.
    func required(_ name: String) throws(FeedError) -> Int {
        if let column = column(name) { return column }
        throw FeedError(
            file: file, line: 1, column: name, reason: "is not among the columns",
            cure: "add it; GTFS requires it")
    }

    /// Moves to the next record; `false` at the end of the file.
    mutating func next() throws(FeedError) -> Bool {
        while true {
            switch try scan() {
            case .record:
                try validate()
                guard records < mostRecords else {
                    throw FeedError(
                        file: file, line: line, reason: "there are more than \(mostRecords) rows",
                        cure: "leave out what doesn't belong to this feed, or divide it")
                }
                records += 1
                return true
            case .blank: continue
            case .needsMore: try refill()
            case .end: return false
            }
        }
    }

    /// The range of a field in `buffer`; empty when the record is too short.
    func range(_ column: Int) -> Range<Int> {
        guard column < count else { return 0..<0 }
        return fields[column].start..<fields[column].end
    }

    /// Finds the fields of the record at `start`; changes nothing when bytes are missing.
    private mutating func scan() throws(FeedError) -> Scan {
        guard start < end else { return isAtEnd ? .end : .needsMore }
        // A span borrows its array: use a second reference, so that `self` stays writable.
        let buffer = self.buffer
        let bytes = buffer.span
        var position = start
        var found = 0
        var lines = nextLine
        while true {
            guard found < fields.count else { throw tooManyColumns }
            while position < end, bytes[position] == .space || bytes[position] == .tab {
                position += 1
            }
            var field = Field(start: position)
            if position < end, bytes[position] == .quote {
                guard try scanQuoted(bytes, &position, &field, &lines) else { return .needsMore }
            } else {
                // Every byte with a meaning is at most the comma; most bytes are greater.
                while position < end {
                    let byte = bytes[position]
                    if byte <= .comma, byte == .comma || byte == .lineFeed || byte == .return {
                        break
                    }
                    position += 1
                }
                field.end = position
                while field.end > field.start, bytes[field.end - 1] <= .space {
                    field.end -= 1
                }
            }
            fields[found] = field
            found += 1
            guard position < end else {
                guard isAtEnd else { return .needsMore }
                break
            }
            let stop = bytes[position]
            position += 1
            if stop == .comma { continue }
            if stop == .return {
                if position == end, !isAtEnd { return .needsMore }
                if position < end, bytes[position] == .lineFeed { position += 1 }
            }
            lines += 1
            break
        }
        let isBlank = found == 1 && fields[0].start == fields[0].end
        line = nextLine
        nextLine = lines
        recordStart = start
        start = position
        count = found
        return isBlank ? .blank : .record
    }

    /// Moves past a quoted field; `false` when its end is not in the buffer yet.
    private func scanQuoted(
        _ bytes: Span<UInt8>, _ position: inout Int, _ field: inout Field, _ lines: inout Int
    ) throws(FeedError) -> Bool {
        let opening = lines
        position += 1
        field.start = position
        while true {
            guard position < end else {
                guard isAtEnd else { return false }
                throw FeedError(
                    file: file, line: opening, reason: "a quoted field has no end",
                    cure: "close it with a double quote, and double those inside it")
            }
            let byte = bytes[position]
            if byte == .lineFeed { lines += 1 }
            if byte == .quote {
                guard position + 1 < end || isAtEnd else { return false }
                guard position + 1 < end, bytes[position + 1] == .quote else { break }
                field.hasEscapes = true
                position += 1
            }
            position += 1
        }
        field.end = position
        position += 1
        while position < end, bytes[position] == .space || bytes[position] == .tab {
            position += 1
        }
        guard position < end else { return isAtEnd }
        let stop = bytes[position]
        guard stop == .comma || stop == .lineFeed || stop == .return else {
            throw FeedError(
                file: file, line: lines, reason: "text follows a quoted field",
                cure: "put a comma after the closing quote, and double the quotes inside")
        }
        return true
    }

    private var recordStart = 0

    /// Validates a whole record, its width, its fields' sizes and its bytes, and undoubles quotes.
    private mutating func validate() throws(FeedError) {
        if !header.isEmpty, count > header.count {
            for column in header.count..<count where !range(column).isEmpty {
                throw FeedError(
                    file: file, line: line,
                    reason: "there are \(count) fields for \(header.count) columns",
                    cure: "put fields with a comma in them inside double quotes")
            }
        }
        try validateText()
        for column in 0..<count {
            if fields[column].hasEscapes { unescape(column) }
            guard fields[column].end - fields[column].start <= limits.fieldBytes else {
                throw FeedError(
                    file: file, line: line, column: name(column),
                    reason: "is longer than \(limits.fieldBytes) bytes", cure: "shorten it")
            }
        }
    }

    private func validateText() throws(FeedError) {
        let bytes = buffer.span
        var union: UInt8 = 0
        for position in recordStart..<start { union |= bytes[position] }
        if union < 0x80 { return }
        guard String(validating: buffer[recordStart..<start], as: UTF8.self) != nil else {
            throw FeedError(
                file: file, line: line, reason: "the text is not UTF-8",
                cure: "save the file in the encoding UTF-8")
        }
    }

    private mutating func unescape(_ column: Int) {
        var target = fields[column].start
        var position = target
        while position < fields[column].end {
            buffer[target] = buffer[position]
            position += buffer[position] == .quote ? 2 : 1
            target += 1
        }
        fields[column].end = target
    }

    /// The name of a column for an error, even if the header has none.
    func name(_ column: Int) -> String {
        column < header.count ? header[column] : "column \(column + 1)"
    }

    private var tooManyColumns: FeedError {
        FeedError(
            file: file, line: nextLine, reason: "there are more than \(limits.columns) fields",
            cure: "leave out columns that GTFS doesn't have")
    }

    /// Moves the unfinished record to the front and reads on after it.
    private mutating func refill() throws(FeedError) {
        if start > 0 {
            let kept = end - start
            for position in 0..<kept { buffer[position] = buffer[start + position] }
            start = 0
            end = kept
        }
        if end == buffer.count {
            // A record has few long fields; a file with one that fills this is not a table.
            guard buffer.count < limits.fieldBytes * 16 + (1 << 20) else {
                throw FeedError(
                    file: file, line: nextLine, reason: "the line does not end",
                    cure: "check that the file is a table of comma separated values")
            }
            buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count))
        }
        let count = try stream.read(into: &buffer, from: end)
        if count == 0 { isAtEnd = true }
        end += count
    }
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let `return` = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
}
