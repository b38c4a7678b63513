import Messages
import TestSupport

@testable import ArbitraryMessages

/// Messages of every type, with some of their bytes changed.
enum Unpacking {
    /// An input is the number of a type, the seed of a message of that type, and changes to its
    /// bytes: each a place, a kind of change and a value. So what is unpacked is almost a message.
    static func unpack(_ input: [UInt8]) {
        guard input.count >= 4 else { return }
        let type = publishedMessages[number(input[0..<2]) % publishedMessages.count]
        var bytes = packed(type, number(input[2..<4]))
        var rest = input[4...]
        while rest.count >= 4 {
            let place = number(rest.prefix(2)) % (bytes.count + 1)
            let (kind, value) = (rest[rest.startIndex + 2], rest[rest.startIndex + 3])
            rest = rest.dropFirst(4)
            switch kind % 4 {
            case 0: bytes.insert(value, at: place)
            case 1 where place < bytes.count: bytes[place] = value
            case 2 where place < bytes.count: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes.prefix(place).suffix(Int(value)), at: place)
            }
        }
        read(type, bytes)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func packed<M: AnyMessage>(_: M.Type, _ start: Int) -> [UInt8] {
        var seed = Seed(UInt64(start))
        return M.any(&seed).packed()
    }

    /// What unpacks within the limits packs to bytes that unpack to the same.
    private static func read<M: ProtobufMessage>(_: M.Type, _ bytes: [UInt8]) {
        guard let message = try? M(unpacking: bytes) else { return }
        let again = message.packed()
        precondition((try? M(unpacking: again))?.packed() == again)
    }
}
