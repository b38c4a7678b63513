/// The id of a message: a UUID of version 7 (RFC 9562), which begins with the time it was made. So
/// ids sort by age, as text and as bytes.
public struct MessageID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id of 16 bytes, of any UUID version; nil for another number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        // Safe: both loads are within the 16 bytes.
        let high = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        let low = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// Reads the canonical text, `0192e4a1-7b3c-7def-8123-456789abcdef`, in either case.
    public init?(_ text: some StringProtocol) {
        let characters = text.utf8
        guard characters.count == 36 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for (position, character) in characters.enumerated() {
            if Self.dashes.contains(position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexDigit(character) else { return nil }
            words.high = words.high << 4 | words.low >> 60
            words.low = words.low << 4 | UInt64(digit)
        }
        self.init(high: words.high, low: words.low)
    }

    private static let dashes = [8, 13, 18, 23]

    /// The id's 16 bytes.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            // Safe: 16 bytes are initialized, which is the requested capacity.
            let memory = UnsafeMutableRawBufferPointer(buffer)
            memory.storeBytes(of: high.bigEndian, as: UInt64.self)
            memory.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    /// True for a UUID of version 7 (RFC 9562, variant 10), which contains the time it was made.
    public var isOfTime: Bool { high >> 12 & 0xF == 7 && low >> 62 == 2 }

    /// When the id was made, in milliseconds since 1970, if it is of version 7.
    public var milliseconds: Int64 { Int64(high >> 16) }
}

extension MessageID: Comparable {
    /// Orders ids by age, the same order as that of the bytes and of the text.
    public static func < (first: MessageID, second: MessageID) -> Bool {
        (first.high, first.low) < (second.high, second.low)
    }
}

extension MessageID: LosslessStringConvertible {
    /// The id's canonical text, in lower case.
    public var description: String {
        // Digit by digit into the text's own memory: each log line has an id.
        String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            var word = high
            for digit in 0..<32 {
                if digit == 16 { word = low }
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let value = UInt8(word >> 60)
                text[place] = value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                place += 1
                word <<= 4
            }
            return place
        }
    }

    /// Reads the canonical text.
    public init?(_ description: String) {
        self.init(description[...])
    }
}

extension MessageID: Codable {
    /// Reads the canonical text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = MessageID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(text) is not a UUID")
        }
        self = id
    }

    /// Writes the canonical text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension MessageID {
    /// Makes ids that only ever increase, even within a millisecond and when the clock is set back:
    /// the 12 bits after the time are a counter (RFC 9562, section 6.2, method 1), the last 62 are
    /// random.
    public struct Generator: Sendable {
        private var milliseconds: UInt64 = 0
        private var counter: UInt64 = 0
        private var random: SplitMix

        /// Makes a generator that has made no id yet.
        public init() {
            random = SplitMix(state: UInt64.random(in: .min ... .max))
        }

        /// Makes the next id. Ids are unique, not secret: their random part is a sequence of this
        /// generator, seeded with a random number of the system.
        public mutating func next(at milliseconds: Int64) -> MessageID {
            var random = random
            defer { self.random = random }
            return next(at: milliseconds, using: &random)
        }

        /// Makes the next id with the given random numbers.
        public mutating func next(
            at milliseconds: Int64, using random: inout some RandomNumberGenerator
        ) -> MessageID {
            let now = UInt64(clamping: milliseconds)
            if now > self.milliseconds {
                begin(now, &random)
            } else if counter < 0xfff {
                counter += 1
            } else {
                // After more than 2,048 ids in a millisecond the time runs ahead instead of
                // repeating.
                begin(self.milliseconds + 1, &random)
            }
            let version: UInt64 = 7 << 12
            let variant: UInt64 = 2 << 62
            return MessageID(
                high: self.milliseconds << 16 | version | counter,
                low: variant | random.next() >> 2)
        }

        private mutating func begin(
            _ milliseconds: UInt64, _ random: inout some RandomNumberGenerator
        ) {
            self.milliseconds = milliseconds & 0xffff_ffff_ffff
            // The upper half of the counter's range is reserved for ids of the same millisecond.
            counter = random.next() & 0x7ff
        }
    }
}

/// The generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): asking the system for each number
/// would cost a system call.
private struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
