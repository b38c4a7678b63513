import Glibc

/// The source of a property test's random values (SplitMix64). The seeds are the same in each run,
/// so that a commit gets the same verdict whenever it is tested. A failure prints the seed, and
/// `SEED=` in the environment runs the test with that one alone; `SEEDS=50` runs it with fifty
/// times as many fresh ones:
/// ```swift
/// @Test(arguments: Seed.some(200))
/// func `a packed message unpacks to itself`(seed: Seed) throws {
///     var seed = seed
///     let message = Envelope.any(&seed)
///     …
/// }
/// ```
public struct Seed: RandomNumberGenerator, Sendable, Hashable {
    /// The number that the sequence began with.
    public let start: UInt64
    private var state: UInt64

    /// Creates the sequence that begins with a number.
    public init(_ start: UInt64) {
        self.start = start
        state = start
    }

    /// Returns this many seeds, always the same ones, or those that `SEED` or `SEEDS` asks for.
    public static func some(_ count: Int) -> [Seed] {
        if let start: UInt64 = number("SEED") { return [Seed(start)] }
        if let times: Int = number("SEEDS"), times > 0 {
            return (0..<count * times).map { _ in Seed(UInt64(UInt32.random(in: 0...UInt32.max))) }
        }
        return (0..<count).map { Seed(UInt64($0)) }
    }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        getenv(name).flatMap { Number(String(cString: $0)) }
    }

    /// Returns the next number of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, the limit.
    public mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    /// Returns true with a probability of one in `times`.
    public mutating func oneIn(_ times: Int) -> Bool {
        below(times) == 0
    }

    /// Returns one of the values.
    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }
}

extension Seed: CustomStringConvertible {
    /// What to put before the command to repeat the test with this seed, as shown in the results.
    public var description: String { "SEED=\(start)" }
}
