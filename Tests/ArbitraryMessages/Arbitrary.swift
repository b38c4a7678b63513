#if DEBUG
    import TestSupport

    @testable import Messages

    /// A type that can make random values. The conformances of generated types are in Generated.
    protocol Arbitrary {
        static func any(_ seed: inout Seed) -> Self
    }

    typealias AnyMessage = ProtobufMessage & Arbitrary

    extension Arbitrary where Self: FixedWidthInteger {
        /// Zero, the extremes, and numbers of every length.
        static func any(_ seed: inout Seed) -> Self {
            switch seed.below(8) {
            case 0: 0
            case 1: seed.oneIn(2) ? .max : .min
            default: Self(truncatingIfNeeded: seed.next()) >> Self(seed.below(bitWidth))
            }
        }
    }

    extension FixedWidthInteger where Self: Arbitrary {
        /// A number in a range, with its ends more often than others.
        static func any(_ seed: inout Seed, in range: ClosedRange<Self>) -> Self {
            let number = Self.any(&seed)
            if range.contains(number) { return number }
            return seed.oneIn(2) ? range.lowerBound : range.upperBound
        }
    }

    extension UInt8: Arbitrary {}
    extension Int32: Arbitrary {}
    extension Int64: Arbitrary {}
    extension UInt32: Arbitrary {}
    extension UInt64: Arbitrary {}

    extension Bool: Arbitrary {
        static func any(_ seed: inout Seed) -> Bool { seed.oneIn(2) }
    }

    extension Arbitrary where Self: BinaryFloatingPoint {
        /// Never NaN, which equals nothing.
        static func any(_ seed: inout Seed) -> Self {
            switch seed.below(8) {
            case 0: 0
            case 1: -0.0
            case 2: seed.oneIn(2) ? .infinity : -.infinity
            case 3: seed.oneIn(2) ? .leastNonzeroMagnitude : -.greatestFiniteMagnitude
            default: Self(Int32.any(&seed)) / 1_024
            }
        }
    }

    extension Arbitrary where Self: BinaryFloatingPoint {
        static func finite(_ seed: inout Seed) -> Self {
            let number = Self.any(&seed)
            return number.isFinite ? number : -1.5
        }
    }

    extension Double: Arbitrary {}
    extension Float: Arbitrary {}

    extension String: Arbitrary {
        /// Empty strings, NULs, characters of one to four bytes, and lengths around 15, the most
        /// that Swift stores inside the value.
        static func any(_ seed: inout Seed) -> String {
            let letters = Array("abZ0 /\"\\\0éß€あ🚋")
            return String(
                (0..<seed.pick([0, 0, 1, 3, 15, 16, 40])).map { _ in seed.pick(letters) })
        }
    }

    extension String {
        /// A text of at most `bytes` bytes, now and then of exactly as many.
        static func any(_ seed: inout Seed, bytes: Int) -> String {
            if bytes <= 1000, seed.oneIn(20) { return String(repeating: "x", count: bytes) }
            return String.any(&seed).prefix(bytes: bytes)
        }

        /// The same in ASCII.
        static func ascii(_ seed: inout Seed, bytes: Int) -> String {
            String(any(&seed, bytes: bytes).unicodeScalars.filter(\.isASCII))
        }
    }

    extension [UInt8] {
        /// At most `bytes` bytes.
        static func any(_ seed: inout Seed, bytes: Int) -> [UInt8] {
            Array(any(&seed).prefix(bytes))
        }
    }

    extension Array {
        /// A few items, at most as many as given.
        static func list(
            _ seed: inout Seed, most: Int = .max, _ item: (inout Seed) -> Element
        ) -> [Element] {
            (0..<Swift.min(most, seed.pick([0, 0, 1, 2, 5]))).map { _ in item(&seed) }
        }
    }

    extension Array where Element: Hashable {
        /// The same without duplicates.
        static func list(
            _ seed: inout Seed, most: Int = .max, isUnique: Bool, _ item: (inout Seed) -> Element
        ) -> [Element] {
            list(&seed, most: most, item).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }

    extension Optional {
        /// Nil, or a value.
        static func maybe(_ seed: inout Seed, _ make: (inout Seed) -> Wrapped) -> Wrapped? {
            seed.oneIn(3) ? nil : make(&seed)
        }
    }

    extension Dictionary {
        /// A few pairs, at most as many as given.
        static func map(
            _ seed: inout Seed, most: Int = .max, _ key: (inout Seed) -> Key,
            _ value: (inout Seed) -> Value
        ) -> [Key: Value] {
            let pairs = (0..<Swift.min(most, seed.below(6))).map { _ in (key(&seed), value(&seed)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    extension Array: Arbitrary where Element: Arbitrary {
        static func any(_ seed: inout Seed) -> [Element] {
            (0..<seed.pick([0, 0, 1, 2, 5])).map { _ in Element.any(&seed) }
        }
    }

    extension Optional: Arbitrary where Wrapped: Arbitrary {
        static func any(_ seed: inout Seed) -> Wrapped? {
            seed.oneIn(3) ? nil : Wrapped.any(&seed)
        }
    }

    extension Dictionary: Arbitrary where Key: Arbitrary, Value: Arbitrary {
        static func any(_ seed: inout Seed) -> [Key: Value] {
            let pairs = (0..<seed.below(6)).map { _ in (Key.any(&seed), Value.any(&seed)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    extension ProtobufEnum where Self: Arbitrary {
        /// A known case, or an unknown number.
        static func any(_ seed: inout Seed) -> Self {
            seed.oneIn(4) ? Self(rawValue: .any(&seed)) : seed.pick(allCases)
        }
    }
#endif
