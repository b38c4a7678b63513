import Bisection

/// The working time of a person, and what is planned in it.
struct PersonTimes {
    private let begins: [Int]
    private let ends: [Int]
    /// How many working slots there are before each stretch, and before the end of all.
    private let before: [Int]
    /// What is planned, in order and apart, but for what is fixed.
    private var taken: [Range<Int>] = []
    private let fixed: [Range<Int>]

    /// - Parameter fixed: what is planned whatever else is; it may overlap.
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

    /// Forgets all that is planned but isn't fixed.
    mutating func clear() {
        taken.removeAll(keepingCapacity: true)
        taken.append(contentsOf: fixed)
    }

    /// The working slots before a slot.
    func work(before slot: Int) -> Int {
        let place = ends.bisect { $0 > slot }
        guard place < begins.count else { return before[place] }
        return before[place] + max(0, slot - begins[place])
    }

    /// The slot after the one in which a number of working slots is reached; nil when there are
    /// fewer.
    func slot(afterWork number: Int) -> Int? {
        guard number > 0, number <= before[before.count - 1] else { return nil }
        let place = before.bisect { $0 >= number } - 1
        return begins[place] + number - before[place]
    }

    /// The first stretch of time, not before a slot, in which so much work is done and nothing else
    /// is planned; nil when there isn't any.
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

    /// Plans something where nothing is planned.
    mutating func take(_ range: Range<Int>) {
        let place = taken.bisect { $0.lowerBound >= range.lowerBound }
        taken.insert(range, at: place)
    }
}
