import Foundation

/// Searches the bytes of a text for plain words. A regular expression takes a hundred times as
/// long, so the rules apply one only to lines that have one of its words.
struct TextSearch: Sendable {
    private let text: String
    /// The text as a C string. It must not contain a zero, which would end it.
    private let string: ContiguousArray<CChar>

    init(_ text: String) {
        self.text = text
        string = (text.utf8.contains(0) ? text.replacing("\0", with: "\u{1}") : text).utf8CString
    }

    /// A line that was found: its number, counted from 1, and its text without the line break.
    typealias Line = (number: Int, text: Substring)

    /// Whether a word occurs anywhere.
    func has(_ word: String) -> Bool { first(of: word, from: 0) != nil }

    /// Every line in which one of the words occurs.
    func lines(having words: [String]) -> [Line] {
        var starts: Set<Int> = []
        for word in words {
            var next = 0
            while let place = first(of: word, from: next) {
                let start = lineStart(before: place)
                starts.insert(start)
                next = lineEnd(after: place)
            }
        }
        var (number, counted) = (1, 0)
        return starts.sorted().map { start in
            while counted < start {
                counted = lineEnd(after: counted) + 1
                number += 1
            }
            return (number, piece(start, lineEnd(after: start)))
        }
    }

    /// Every line with more than this number of bytes.
    func lines(longerThan length: Int) -> [Line] {
        ranges.enumerated().filter { $0.element.count > length }
            .map { ($0.offset + 1, piece($0.element.lowerBound, $0.element.upperBound)) }
    }

    /// All lines, including the text after the last line break, which may be empty.
    var lines: [Substring] { ranges.map { piece($0.lowerBound, $0.upperBound) } }

    /// The number of lines.
    var lineCount: Int { ranges.count }

    /// The text after each occurrence of a word, up to the first of some bytes or to the end.
    func pieces(after word: String, until ends: String) -> [Substring] {
        let ends = Set(ends.utf8)
        var found: [Substring] = []
        var next = 0
        while let place = first(of: word, from: next) {
            let start = place + word.utf8.count
            let rest = piece(start, text.utf8.count).utf8
            let length = rest.firstIndex(where: ends.contains).map {
                rest.distance(from: rest.startIndex, to: $0)
            }
            next = start + (length ?? rest.count)
            found.append(piece(start, next))
        }
        return found
    }

    /// Every word of letters, digits and underscores that begins with a capital letter.
    var capitalWords: Set<Substring> {
        words { _, first in first >= UInt8(ascii: "A") && first <= UInt8(ascii: "Z") }
    }

    /// Every word after a dot.
    var wordsAfterDots: Set<Substring> { words { before, _ in before == UInt8(ascii: ".") } }

    /// The words chosen by the byte before them and by their first byte.
    private func words(_ isWanted: (UInt8, UInt8) -> Bool) -> Set<Substring> {
        var found: Set<Substring> = []
        string.withUnsafeBufferPointer { string in
            var start: Int?
            for (place, byte) in string.enumerated() {
                let byte = UInt8(truncatingIfNeeded: byte)
                if Self.isOfWord(byte) {
                    if start == nil { start = place }
                } else if let first = start {
                    let before = first == 0 ? 0 : UInt8(truncatingIfNeeded: string[first - 1])
                    if isWanted(before, UInt8(truncatingIfNeeded: string[first])) {
                        found.insert(piece(first, place))
                    }
                    start = nil
                }
            }
        }
        return found
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    // MARK: - Bytes

    private func first(of word: String, from start: Int) -> Int? {
        string.withUnsafeBufferPointer { string in
            guard let base = string.baseAddress, let found = strstr(base + start, word)
            else { return nil }
            return UnsafePointer(found) - base
        }
    }

    /// The end of the line that contains a byte, or begins there.
    private func lineEnd(after start: Int) -> Int {
        string.withUnsafeBufferPointer { string in
            guard let base = string.baseAddress, let found = strchr(base + start, 10)
            else { return text.utf8.count }
            return UnsafePointer(found) - base
        }
    }

    private func lineStart(before place: Int) -> Int {
        string.withUnsafeBufferPointer { string in
            (0..<place).last { string[$0] == 10 }.map { $0 + 1 } ?? 0
        }
    }

    private var ranges: [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start <= text.utf8.count {
            let end = lineEnd(after: start)
            found.append(start..<end)
            start = end + 1
        }
        return found
    }

    private func piece(_ start: Int, _ end: Int) -> Substring {
        let bytes = text.utf8
        return text[
            bytes.index(
                bytes.startIndex, offsetBy: start)..<bytes.index(
                    bytes.startIndex, offsetBy: end)]
    }
}
