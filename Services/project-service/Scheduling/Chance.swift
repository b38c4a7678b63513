/// The random numbers of a search: the same for the same seed on any machine (SplitMix64 of Steele,
/// Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
package struct Chance {
    private var state: UInt64

    /// The numbers that a seed gives.
    package init(seed: UInt64) { state = seed }

    /// Returns any number of 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, a positive limit below 2^32 (Lemire, "Fast
    /// random integer generation in an interval", 2019, without the rejection: the error is below
    /// 2^-32).
    package mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
    }

    /// Returns true with a probability of `share` in a thousand.
    package mutating func permille(_ share: Int) -> Bool { below(1000) < share }
}
