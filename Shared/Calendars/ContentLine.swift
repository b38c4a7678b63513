import Texts

/// A line of a calendar: a name, parameters and a value (RFC 5545, 3.1).
struct ContentLine {
    /// The name in capitals.
    let name: String
    /// Names in capitals, and values without quotation marks.
    let parameters: [(name: String, value: String)]
    let value: String
    /// The line of the file where it begins, counted from 1.
    let number: Int

    /// The value of a parameter; the first if there are several.
    func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

/// Splits a calendar into unfolded lines. Line ends may be CR LF, LF or CR.
struct ContentLines {
    enum Line {
        case line(ContentLine)
        case faulty(CalendarProblem)
    }

    private let bytes: [UInt8]
    private var position: Int
    private var number = 0
    /// The names of the lines that are parsed.
    private let wanted: Set<String>

    init(_ bytes: [UInt8], wanted: Set<String>) {
        self.bytes = bytes
        self.wanted = wanted
        position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// The next line with a wanted name; nil at the end.
    mutating func next() throws(CalendarProblem) -> Line? {
        while position < bytes.count {
            let first = number + 1
            let (line, isLong) = try unfolded()
            if line.isEmpty { continue }
            guard let name = Self.name(line) else {
                return .faulty(
                    CalendarProblem(
                        line: first, reason: "is not a line of a calendar",
                        cure: "begin it with a name such as DTSTART, or with a space if it "
                            + "belongs to the line above"))
            }
            guard wanted.contains(name) else { continue }
            guard !isLong else {
                return .faulty(
                    CalendarProblem(
                        line: first,
                        reason: "\(name) is longer than "
                            + "\(CalendarLimits.lineBytes) bytes", cure: "shorten it"))
            }
            return Self.takenApart(line, name: name, number: first)
        }
        return nil
    }

    /// The unfolded line at the position, and whether it was cut off.
    private mutating func unfolded() throws(CalendarProblem) -> (line: [UInt8], isLong: Bool) {
        var line: [UInt8] = []
        var isLong = false
        repeat {
            number += 1
            guard number <= CalendarLimits.lines else {
                throw CalendarProblem(
                    line: number, reason: "the file has more than \(CalendarLimits.lines) lines",
                    cure: "export fewer events, or split the calendar")
            }
            let start = position
            while position < bytes.count, bytes[position] != 0x0a, bytes[position] != 0x0d {
                position += 1
            }
            let room = CalendarLimits.lineBytes - line.count
            isLong = isLong || position - start > room
            line += bytes[start..<min(position, start + room)]
            if position < bytes.count {
                let isPair =
                    bytes[position] == 0x0d && position + 1 < bytes.count
                    && bytes[position + 1] == 0x0a
                position += isPair ? 2 : 1
            }
        } while isFold()
        return (line, isLong)
    }

    /// Whether the line at the position continues the previous one; if so, skips its blank.
    private mutating func isFold() -> Bool {
        guard position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 else {
            return false
        }
        position += 1
        return true
    }

    /// The name at the beginning of a line, in capitals; nil when there is none.
    private static func name(_ line: [UInt8]) -> String? {
        var name: [UInt8] = []
        for byte in line.prefix(65) {
            switch byte {
            case 0x3a, 0x3b: return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            case 0x61...0x7a: name.append(byte - 0x20)
            case 0x41...0x5a, 0x30...0x39, 0x2d: name.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private static func takenApart(_ line: [UInt8], name: String, number: Int) -> Line {
        var rest = line[name.utf8.count...]
        var parameters: [(name: String, value: String)] = []
        func faulty(_ reason: String, _ cure: String) -> Line {
            .faulty(CalendarProblem(line: number, reason: "\(name) \(reason)", cure: cure))
        }
        while rest.first == 0x3b {
            rest = rest.dropFirst()
            guard let sign = rest.firstIndex(where: { $0 == 0x3d || $0 == 0x3b || $0 == 0x3a }),
                rest[sign] == 0x3d
            else { return faulty("has a parameter without a value", "write NAME=value") }
            let key = String(decoding: rest[..<sign], as: UTF8.self).uppercased()
            rest = rest[(sign + 1)...]
            var value: [UInt8] = []
            var isQuoted = false
            while let byte = rest.first, isQuoted || byte != 0x3b && byte != 0x3a {
                if byte == 0x22 { isQuoted.toggle() } else { value.append(byte) }
                rest = rest.dropFirst()
            }
            guard !isQuoted else {
                return faulty("has a quotation mark that is not closed", "close it")
            }
            parameters.append((key, String(decoding: value, as: UTF8.self)))
            guard parameters.count <= CalendarLimits.parameters else {
                return faulty(
                    "has more than \(CalendarLimits.parameters) parameters", "leave some out")
            }
        }
        guard rest.first == 0x3a else { return faulty("has no value", "write \(name):value") }
        let value = String(decoding: rest.dropFirst(), as: UTF8.self)
        let texts = parameters.flatMap { [$0.name, $0.value] } + [value]
        guard !texts.contains(where: \.hasEndlessMarks) else {
            return faulty(
                "has more than \(MarkRun.longest) combining marks in a row", "leave them out")
        }
        return .line(
            ContentLine(name: name, parameters: parameters, value: value, number: number))
    }
}
