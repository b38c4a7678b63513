import Bisection

/// A person's working time, and the work planned in it.
struct PersonTimes {
    private let begins: [Int]
    private let ends: [Int]
    /// The number of working slots before each stretch and, last, in all of them.
    private let before: [Int]
    /// The planned ranges, in order and apart, including the fixed ones.
    private var taken: [Range<Int>] = []
    private let fixed: [Range<Int>]

    /// Creates the times of a person.
    ///
    /// - Parameters:
    ///   - working: the stretches of working time, in order and apart.
    ///   - fixed: the ranges that are planned in any case; they may overlap.
    init(_ working: [Range<Int>], fixed: [Range<Int>]) {
        begins = working.map(\.lowerBound)
        ends = working.map(\.upperBound)
        before = working.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        var merged: [Range<Int>] = []
        for range in fixed.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound >= range.lowerBound {
                merged[merged.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.fixed = merged
        taken = merged
    }

    /// Removes all planned ranges that aren't fixed.
    mutating func clear() {
        taken.removeAll(keepingCapacity: true)
        taken.append(contentsOf: fixed)
    }

    /// Returns the number of working slots before a slot.
    func work(before slot: Int) -> Int {
        let place = ends.bisect { $0 > slot }
        guard place < begins.count else { return before[place] }
        return before[place] + max(0, slot - begins[place])
    }

    /// Returns the slot after the one in which a number of working slots is reached; nil when there
    /// are fewer.
    func slot(afterWork number: Int) -> Int? {
        guard number > 0, number <= before[before.count - 1] else { return nil }
        let place = before.bisect { $0 >= number } - 1
        return begins[place] + number - before[place]
    }

    /// Returns the first range, not before a slot, that has `work` working slots and in which
    /// nothing else is planned; nil when there is none.
    func free(_ work: Int, from slot: Int) -> Range<Int>? {
        var place = taken.bisect { $0.upperBound > slot }
        var slot = slot
        while true {
            let done = self.work(before: slot)
            guard let end = self.slot(afterWork: done + work),
                let start = self.slot(afterWork: done + 1).map({ $0 - 1 })
            else { return nil }
            if place == taken.count || end <= taken[place].lowerBound { return start..<end }
            slot = taken[place].upperBound
            place += 1
        }
    }

    /// Plans a range in which nothing is planned yet.
    mutating func take(_ range: Range<Int>) {
        let place = taken.bisect { $0.lowerBound >= range.lowerBound }
        taken.insert(range, at: place)
    }
}
