import Foundation
import TestSupport

/// A packed message as fields, which can be changed without knowing the message's type.
struct WireMessage {
    /// A field as it is on the wire.
    struct Field {
        enum Content {
            case varint(UInt64)
            case fixed64([UInt8])
            case fixed32([UInt8])
            case bytes([UInt8])
        }

        let number: UInt64
        var content: Content
    }

    private(set) var fields: [Field] = []

    /// Parses bytes; nil if they are not a message.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let tag = Self.varint(&rest), tag >> 3 > 0, tag >> 3 < 10_000 else { return nil }
            let content: Field.Content
            switch tag & 7 {
            case 0:
                guard let number = Self.varint(&rest) else { return nil }
                content = .varint(number)
            case 1:
                guard rest.count >= 8 else { return nil }
                content = .fixed64(Array(rest.prefix(8)))
                rest = rest.dropFirst(8)
            case 2:
                guard let count = Self.varint(&rest), count <= UInt64(rest.count) else {
                    return nil
                }
                content = .bytes(Array(rest.prefix(Int(count))))
                rest = rest.dropFirst(Int(count))
            case 5:
                guard rest.count >= 4 else { return nil }
                content = .fixed32(Array(rest.prefix(4)))
                rest = rest.dropFirst(4)
            default: return nil
            }
            fields.append(Field(number: tag >> 3, content: content))
        }
    }

    /// The message packed again.
    var packed: [UInt8] { fields.flatMap(Self.packed) }

    private static func packed(_ field: Field) -> [UInt8] {
        let tag = field.number << 3
        switch field.content {
        case .varint(let number): return bytes(of: tag) + bytes(of: number)
        case .fixed64(let bytes): return Self.bytes(of: tag | 1) + bytes
        case .bytes(let bytes):
            return Self.bytes(of: tag | 2) + Self.bytes(of: UInt64(bytes.count)) + bytes
        case .fixed32(let bytes): return Self.bytes(of: tag | 5) + bytes
        }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 127) << UInt64(shift)
            if byte < 128 { return number }
        }
        return nil
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

extension WireMessage {
    /// Changes one detail somewhere in it.
    mutating func mutate(_ seed: inout Seed) {
        guard !fields.isEmpty else {
            let number = UInt64(1 + seed.below(12))
            fields = [Field(number: number, content: .bytes(Self.text(&seed)))]
            return
        }
        let place = seed.below(fields.count)
        if case .bytes(let bytes) = fields[place].content, seed.oneIn(2),
            var inner = WireMessage(bytes), !inner.fields.isEmpty
        {
            inner.mutate(&seed)
            fields[place].content = .bytes(inner.packed)
            return
        }
        switch seed.below(8) {
        case 0: fields.remove(at: place)
        case 1: fields.append(fields[place])
        case 2: multiply(place, &seed)
        case 3: fields.swapAt(place, seed.below(fields.count))
        default: fields[place].content = Self.extreme(fields[place].content, &seed)
        }
    }

    /// Repeats a field a great many times.
    private mutating func multiply(_ place: Int, _ seed: inout Seed) {
        let field = fields[place]
        let size = max(2, Self.packed(field).count)
        let count = min(seed.pick([21, 101, 1_001, 20_000, 400_000]), 900_000 / size)
        fields.insert(contentsOf: repeatElement(field, count: max(0, count)), at: place)
    }

    private static func extreme(_ content: Field.Content, _ seed: inout Seed) -> Field.Content {
        switch content {
        case .varint: .varint(seed.pick(numbers) &+ UInt64(seed.below(3)) &- 1)
        case .fixed64:
            .fixed64(
                withUnsafeBytes(of: seed.pick([Double.nan, .infinity, -1e300]).bitPattern) {
                    Array($0)
                })
        case .fixed32:
            .fixed32(
                withUnsafeBytes(of: seed.pick([Float.nan, -.infinity]).bitPattern) { Array($0) })
        case .bytes: .bytes(text(&seed))
        }
    }

    /// The ends of all ranges, plain and in protobuf's zigzag encoding.
    private static let numbers: [UInt64] = [
        1, 1_000, 1 << 16, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max, 86_400_000, 200_000,
        253_402_300_800_000, 2 * 253_402_300_800_000, 1_795_000_000_000, 900_000_000, 1_800_000_000,
        UInt64(bitPattern: -62_135_596_800_000),
    ]

    /// Texts that are known to be difficult.
    private static func text(_ seed: inout Seed) -> [UInt8] {
        let marks = "e" + String(repeating: "\u{0316}\u{0301}", count: 1 << seed.below(16))
        let count = seed.pick([201, 1_001, 4_001, 16_001, 66_000, 900_000])
        switch seed.below(12) {
        case 0: return Array(marks.utf8)
        case 1: return [UInt8](repeating: 0x78, count: count)
        case 2: return Array(String(repeating: "🇳🇴", count: count / 8).utf8)
        case 3: return Array(String(repeating: "👩\u{200D}", count: count / 7).utf8)
        case 4: return Array(String(repeating: "ﷺ", count: count / 3).utf8)
        case 5: return Array("\u{0}\u{1B}[2J\u{202E}\u{9B}\r\n".utf8)
        case 6: return [0xC3, 0x28]
        case 7: return []
        case 8: return Array("../../../../etc/passwd".utf8)
        case 9: return Array("'); DROP TABLE x; -- % _ * \" \\".utf8)
        case 10: return [UInt8](repeating: 0xFF, count: seed.pick([8, 16, 17, 32, 64]))
        default: return Array(String(repeating: " a", count: count / 2).utf8)
        }
    }
}
