import Messages

/// The numbers of the to-dos of a shift that have no task: each is used once.
///
/// A device takes numbers from a block of its own, so two devices that work apart never use the
/// same one.
package struct TodoNumbers: Hashable, Sendable {
    private var taken: Set<UInt32> = []
    /// No number from 1001 up to, but not including, this one is free.
    private var next = Self.first

    /// The first number.
    package static let first: UInt32 = 1_001
    /// The highest number that a device may use.
    package static let highest: UInt32 = 999_999_999
    /// How many numbers a block has.
    private static let blockSize: UInt32 = 999
    /// The number of the last block that a device may have.
    package static let lastBlock: UInt32 = 9_999

    package init() {}

    /// True if a to-do of the shift has the number.
    package func contains(_ number: UInt32) -> Bool { taken.contains(number) }

    /// Uses a number up.
    ///
    /// - Parameter wanted: the number that its device took from its block; 0 for none.
    /// - Returns: that number, or the lowest free one if it has been used or there is none.
    mutating func claim(_ wanted: UInt32) -> Int {
        if wanted >= Self.first, taken.insert(wanted).inserted { return Int(wanted) }
        while !taken.insert(next).inserted { next += 1 }
        return Int(next)
    }

    /// The number that follows all used ones of a block, or of its continuations.
    ///
    /// - Returns: 0 when there is no such block, or all its numbers were used.
    package func next(in block: UInt32) -> UInt32 {
        guard (1...Self.lastBlock).contains(block) else { return 0 }
        var start = block * 1_000
        while start < Self.highest - Self.blockSize {
            let used = taken.filter { $0 > start && $0 <= start + Self.blockSize }.max() ?? start
            if used < start + Self.blockSize { return used + 1 }
            start += (Self.lastBlock + 1) * 1_000
        }
        return 0
    }
}
