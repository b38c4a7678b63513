import Foundation

/// A generator of random numbers that are the same for the same seed: SplitMix64 (Steele, Lea and
/// Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
package struct Seeded: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    package mutating func share() -> Double {
        Double.random(in: 0..<1, using: &self)
    }

    /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller 1958).
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - share())).squareRoot()
        return radius * cos(2 * .pi * share())
    }
}
