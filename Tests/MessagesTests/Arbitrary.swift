import TestSupport

@testable import Messages

/// A type of which random values can be made. Every generated one has its own in Generated.
protocol Arbitrary {
    static func any(_ seed: inout Seed) -> Self
}

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

extension UInt8: Arbitrary {}
extension Int32: Arbitrary {}
extension Int64: Arbitrary {}
extension UInt32: Arbitrary {}
extension UInt64: Arbitrary {}

extension Bool: Arbitrary {
    static func any(_ seed: inout Seed) -> Bool { seed.oneIn(2) }
}

extension Arbitrary where Self: BinaryFloatingPoint {
    /// No NaN, which equals nothing.
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

extension Double: Arbitrary {}
extension Float: Arbitrary {}

extension String: Arbitrary {
    /// Empty ones, NULs, characters of one to four bytes, and lengths around those that Swift keeps
    /// inside the value (15).
    static func any(_ seed: inout Seed) -> String {
        let letters = Array("abZ0 /\"\\\0éß€あ🚋")
        return String((0..<seed.pick([0, 0, 1, 3, 15, 16, 40])).map { _ in seed.pick(letters) })
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
    /// A case that is known, or a number that is not.
    static func any(_ seed: inout Seed) -> Self {
        seed.oneIn(4) ? Self(rawValue: .any(&seed)) : seed.pick(allCases)
    }
}
