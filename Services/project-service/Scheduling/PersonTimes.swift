import Bisection

/// A person's working time, and the work planned in it.
struct PersonTimes {
    private let begins: [Int]
    private let ends: [Int]
    /// The number of working slots before each stretch and, last, in all of them.
    private let before: [Int]
    /// The amount of work that is done in the working slots before each of them and, last, in all.
    private let amounts: [Int]
    /// The planned ranges, in order and apart, including the fixed ones.
    private var taken: [Range<Int>] = []
    private let fixed: [Range<Int>]

    /// Creates the times of a person.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - fixed: the ranges that are planned in any case; they may overlap.
    init(_ person: TeamProject.Person, fixed: [Range<Int>]) {
        begins = person.working.map(\.lowerBound)
        ends = person.working.map(\.upperBound)
        before = person.working.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        amounts = person.paces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
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

    /// Returns the amount of work that is done before a slot.
    func amount(before slot: Int) -> Int { amounts[work(before: slot)] }

    /// Returns the slot after the one in which a number of working slots is reached; nil when there
    /// are fewer.
    func slot(afterWork number: Int) -> Int? {
        guard number > 0, number <= before[before.count - 1] else { return nil }
        let place = before.bisect { $0 >= number } - 1
        return begins[place] + number - before[place]
    }

    /// Returns the number of working slots that a task takes after the first `done` of them; nil
    /// when there are too few.
    private func slots(for task: TeamProject.Task, after done: Int) -> Int? {
        guard let amount = task.amount else { return task.work }
        let end = amounts.bisect { $0 >= amounts[done] + amount }
        return end < amounts.count ? max(1, end - done) : nil
    }

    /// Returns the first range, not before a slot, in which a task other than a milestone is done
    /// and nothing else is planned; nil when there is none.
    func free(for task: TeamProject.Task, from slot: Int) -> Range<Int>? {
        var place = taken.bisect { $0.upperBound > slot }
        var slot = slot
        while true {
            let done = self.work(before: slot)
            guard let needed = slots(for: task, after: done),
                let end = self.slot(afterWork: done + needed),
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
