import Texts

/// Why a text is not JSON, and where.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
    /// The number of bytes before the fault.
    package let offset: Int
    /// The line of the fault, counted from 1.
    package let line: Int
    /// What is wrong there.
    package let reason: String

    /// A sentence for a person.
    package var description: String { "line \(line), byte \(offset): \(reason)" }
}

/// Walks through JSON (RFC 8259) that comes in pieces, value by value, and keeps only one piece and
/// the requested text in memory.
///
/// It is strict: anything that the grammar doesn't allow is a ``JSONFault``. The caller decides for
/// each value whether to enter it, read it, or skip it.
package struct JSONScanner {
    /// The maximum nesting depth of values.
    package static let deepest = 64
    /// The maximum length of a text that is read, in bytes.
    package static let longestText = 1 << 16

    /// What a value is, by its first byte.
    package enum Kind: Hashable {
        /// `{`
        case object
        /// `[`
        case array
        /// A text in quotation marks.
        case text
        /// A number.
        case number
        /// `true`, `false` or `null`.
        case word
    }

    private let more: () throws -> [UInt8]
    /// A piece of the input, and a zero byte, which never occurs in JSON and so ends every loop.
    private var piece: [UInt8] = [0]
    private var position = 0
    private var base = 0
    private var line = 1
    private var depth = 0
    /// True if nothing of the innermost entered value was read yet.
    private var isFirst = true

    /// A scanner of the pieces that a function returns; an empty piece is the end.
    package init(_ more: @escaping () throws -> [UInt8]) { self.more = more }

    /// The number of bytes before the present position.
    package var offset: Int { base + position }
    /// The present line, counted from 1.
    package var currentLine: Int { line }

    /// Goes to the next value in a sequence, as in files with one value per line.
    ///
    /// - Returns: false at the end.
    package mutating func nextDocument() throws -> Bool {
        if offset == 0, try peek() == 0xEF { try skipByteOrderMark() }
        return try blankless() != 0
    }

    /// The kind of the next value.
    package mutating func kind() throws -> Kind {
        switch try blankless() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .text
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
        case let byte: throw fault(byte, wanted: "a value")
        }
    }

    /// Enters an object.
    package mutating func enterObject() throws { try enter(UInt8(ascii: "{"), "an object") }

    /// Enters an array.
    package mutating func enterArray() throws { try enter(UInt8(ascii: "["), "an array") }

    /// The next key of the entered object, before its value; nil after the last one, which leaves
    /// the object.
    package mutating func nextKey() throws -> String? {
        guard try nextMember() else { return nil }
        let key = try text()
        // A reader compares it with each key that it knows.
        guard !key.hasEndlessMarks else {
            throw fault("a key has more than \(MarkRun.longest) combining marks in a row")
        }
        try take(UInt8(ascii: ":"), "a colon")
        return key
    }

    /// Goes to the next value of the entered array.
    ///
    /// - Returns: false after the last one, which leaves the array.
    package mutating func nextElement() throws -> Bool { try advance(UInt8(ascii: "]")) }

    /// Reads a text. The part of it that is too long is skipped.
    ///
    /// - Returns: the text, without its end if it has more than ``longestText`` bytes.
    package mutating func text() throws -> String {
        try take(UInt8(ascii: "\""), "a text")
        let start = position
        while true {
            let byte = piece[position]
            if byte == UInt8(ascii: "\""), position - start <= Self.longestText {
                let text = try checked(piece.span.extracting(start..<position))
                position += 1
                return text
            }
            if byte < 0x20 || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") { break }
            position += 1
        }
        return try slowText(Array(piece[start..<position]))
    }

    /// Reads a number as it is written.
    package mutating func number() throws -> String {
        _ = try blankless()
        var text: [UInt8] = []
        if try peek() == UInt8(ascii: "-") { try step(&text) }
        if try peek() == UInt8(ascii: "0") {
            try step(&text)
        } else {
            try digits(&text)
        }
        if try peek() == UInt8(ascii: ".") {
            try step(&text)
            try digits(&text)
        }
        if try peek() | 0x20 == UInt8(ascii: "e") {
            try step(&text)
            if [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(try peek()) { try step(&text) }
            try digits(&text)
        }
        try checkEnd()
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads `true`, `false` or `null`, which is nil.
    package mutating func word() throws -> Bool? {
        let (word, value): (StaticString, Bool?) =
            switch try blankless() {
            case UInt8(ascii: "t"): ("true", true)
            case UInt8(ascii: "f"): ("false", false)
            default: ("null", nil)
            }
        for wanted in word.description.utf8 {
            let byte = try peek()
            guard byte == wanted else { throw fault(byte, wanted: "“\(word)”") }
            position += 1
        }
        try checkEnd()
        return value
    }

    /// Skips a value of any kind.
    package mutating func skip() throws {
        switch try kind() {
        case .object:
            try enterObject()
            while try nextMember() {
                try skipText()
                try take(UInt8(ascii: ":"), "a colon")
                try skip()
            }
        case .array:
            try enterArray()
            while try nextElement() { try skip() }
        case .text: try skipText()
        case .number: _ = try number()
        case .word: _ = try word()
        }
    }

    /// A fault at the present position.
    package func fault(_ reason: String) -> JSONFault {
        JSONFault(offset: offset, line: line, reason: reason)
    }
}

extension JSONScanner {
    private mutating func enter(_ bracket: UInt8, _ what: String) throws {
        try take(bracket, what)
        guard depth < Self.deepest else {
            throw fault("values are nested more than \(Self.deepest) deep")
        }
        depth += 1
        isFirst = true
    }

    private mutating func nextMember() throws -> Bool {
        guard try advance(UInt8(ascii: "}")) else { return false }
        let byte = try blankless()
        guard byte == UInt8(ascii: "\"") else { throw fault(byte, wanted: "a key") }
        return true
    }

    /// Skips the comma before a value, or the bracket after the last one.
    private mutating func advance(_ end: UInt8) throws -> Bool {
        let byte = try blankless()
        if byte == end {
            position += 1
            depth -= 1
            isFirst = false
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw fault(byte, wanted: "a comma or an end") }
            position += 1
            let next = try blankless()
            guard next != end else { throw fault(next, wanted: "another value after the comma") }
        }
        return true
    }

    private mutating func take(_ wanted: UInt8, _ what: String) throws {
        let byte = try blankless()
        guard byte == wanted else { throw fault(byte, wanted: what) }
        position += 1
    }

    /// The next byte that isn't blank; 0 at the end of the input.
    private mutating func blankless() throws -> UInt8 {
        while true {
            let byte = try peek()
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            if byte == 0x0A { line += 1 }
            position += 1
        }
    }

    /// The next byte; 0 at the end of the input.
    private mutating func peek() throws -> UInt8 {
        let byte = piece[position]
        return byte == 0 ? try peekAnew() : byte
    }

    private mutating func peekAnew() throws -> UInt8 {
        guard position == piece.count - 1 else { throw fault("there is a zero byte") }
        let next = try more()
        guard !next.isEmpty else { return 0 }
        base += position
        position = 0
        piece = next
        piece.append(0)
        return try peek()
    }

    private mutating func step(_ text: inout [UInt8]) throws {
        guard text.count < 1_000 else { throw fault("a number has more than 1,000 digits") }
        text.append(piece[position])
        position += 1
    }

    private mutating func digits(_ text: inout [UInt8]) throws {
        let first = try peek()
        guard Self.isDigit(first) else { throw fault(first, wanted: "a digit") }
        while Self.isDigit(try peek()) { try step(&text) }
    }

    /// A number or a word ends where something else begins.
    private mutating func checkEnd() throws {
        let next = try peek()
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
        guard !isLetter, !Self.isDigit(next) else {
            throw fault(next, wanted: "the end of a value")
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func skipByteOrderMark() throws {
        for wanted: UInt8 in [0xEF, 0xBB, 0xBF] {
            guard try peek() == wanted else { throw fault("the text is not UTF-8") }
            position += 1
        }
    }

    private func fault(_ byte: UInt8, wanted: String) -> JSONFault {
        if byte == 0 { return fault("the text breaks off where \(wanted) is expected") }
        let sign =
            (0x21..<0x7F).contains(byte)
            ? "“\(Character(Unicode.Scalar(byte)))”" : "the byte \(byte)"
        return fault("there is \(sign) where \(wanted) is expected")
    }
}

// MARK: Texts with escapes, and across pieces

extension JSONScanner {
    private mutating func slowText(_ start: [UInt8]) throws -> String {
        var bytes = start
        while true {
            let byte = try textByte()
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                let scalar = try escaped()
                if bytes.count <= Self.longestText { bytes += Array(String(scalar).utf8) }
            } else if bytes.count <= Self.longestText {
                bytes.append(byte)
            }
        }
        guard bytes.count <= Self.longestText else {
            return String(decoding: bytes.prefix(Self.longestText), as: UTF8.self)
        }
        return try checked(bytes.span)
    }

    /// A text from its bytes. `String(validating:as:)` isn't specialized, and took a fifth of the
    /// time that a catalogue takes.
    private func checked(_ bytes: Span<UInt8>) throws -> String {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch {
            throw fault("the text is not UTF-8")
        }
    }

    private mutating func skipText() throws {
        try take(UInt8(ascii: "\""), "a text")
        while true {
            // Most bytes are plain, so there is a separate loop for them.
            while piece[position] >= 0x20, piece[position] != UInt8(ascii: "\""),
                piece[position] != UInt8(ascii: "\\")
            {
                position += 1
            }
            let byte = try textByte()
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { _ = try escaped() }
        }
    }

    /// The next byte of a text.
    private mutating func textByte() throws -> UInt8 {
        let byte = try peek()
        if byte == 0 { throw fault("the text breaks off") }
        if byte < 0x20 { throw fault("there is a control character in a text") }
        position += 1
        return byte
    }

    /// The character after a backslash. A lone surrogate becomes the replacement character.
    private mutating func escaped() throws -> Unicode.Scalar {
        switch try textByte() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard (0xD800..<0xDC00).contains(unit), try peek() == UInt8(ascii: "\\") else {
                return Unicode.Scalar(unit) ?? "\u{FFFD}"
            }
            position += 1
            guard try peek() == UInt8(ascii: "u") else { return try escaped() }
            position += 1
            let low = try codeUnit()
            guard (0xDC00..<0xE000).contains(low) else {
                return Unicode.Scalar(low) ?? "\u{FFFD}"
            }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
        default: throw fault("there is no such escape in JSON")
        }
    }

    /// The four digits of `\u`.
    private mutating func codeUnit() throws -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try textByte())).hexDigitValue else {
                throw fault("there are not four hexadecimal digits after \\u")
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
