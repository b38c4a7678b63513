/// A key that was pressed.
package enum Key: Hashable {
    /// A letter, a digit or a sign, including the blank.
    case character(Character)
    case enter
    case escape
    case backspace
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case tab
}

/// Turns the bytes that a terminal sends into keys, even if they come in pieces.
struct KeyReader {
    private var rest: [UInt8] = []

    /// The keys that the bytes complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        rest += bytes
        var keys: [Key] = []
        while let first = rest.first {
            if first == 0x1B {
                guard let (key, length) = sequence() else { break }
                rest.removeFirst(length)
                if let key { keys.append(key) }
                continue
            }
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard rest.count >= length else { break }
            let letter = Array(rest.prefix(length))
            rest.removeFirst(length)
            if let key = Self.plain(letter) { keys.append(key) }
        }
        return keys
    }

    /// The keys left when no more bytes come, such as a single escape.
    mutating func flush() -> [Key] {
        defer { rest = [] }
        return rest == [0x1B] ? [.escape] : []
    }

    private static func plain(_ bytes: [UInt8]) -> Key? {
        switch bytes[0] {
        case 0x0D, 0x0A: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case ..<0x20: return nil
        default:
            let text = String(validating: bytes, as: UTF8.self)
            return text?.first.map { .character($0) }
        }
    }

    /// An escape sequence as in ECMA-48: the key, and the number of bytes; nil while it is
    /// incomplete.
    private func sequence() -> (key: Key?, length: Int)? {
        guard rest.count > 1 else { return nil }
        guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        guard let end = rest.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return nil
        }
        let keys: [UInt8: Key] = [
            UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
            UInt8(ascii: "D"): .left,
        ]
        if rest[end] == UInt8(ascii: "~") {
            let number = String(decoding: rest[2..<end], as: UTF8.self)
            return (number == "5" ? .pageUp : number == "6" ? .pageDown : nil, end + 1)
        }
        return (keys[rest[end]], end + 1)
    }
}
