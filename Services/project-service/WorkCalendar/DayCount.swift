import Bisection
import Dates

/// Counts something of which each day has an amount, without going from day to day: before a day,
/// and on which day a number is reached.
struct DayCount: Hashable, Sendable {
    /// A stretch of days in which a week repeats.
    private struct Stretch: Hashable {
        /// Days since 1970 of its first.
        let first: Int
        /// What was counted before it.
        let before: Int
        /// What the days of its week count, from Monday on, each with all before it; and the week.
        let week: [Int]

        /// What is counted before a day of the stretch.
        func before(_ day: Int) -> Int { before + sum(day) - sum(first) }

        /// What repeating the week counts from Monday, 29 December 1969, up to a day.
        private func sum(_ day: Int) -> Int {
            let days = day + 3
            return days / 7 * week[7] + week[days % 7]
        }
    }

    /// A day that differs from its week.
    private struct Special: Hashable {
        let day: Int
        /// By how much what is counted up to its end differs from what the weeks say.
        let difference: Int
    }

    private let stretches: [Stretch]
    private let special: [Special]

    init(
        week: WorkCalendar.Week, terms: [WorkCalendar.Term],
        special: [(day: CivilDate, usual: [Range<Int>], hours: [Range<Int>])],
        amount: ([Range<Int>]) -> Int
    ) {
        func sums(_ week: WorkCalendar.Week) -> [Int] {
            week.days.reduce(into: [0]) { $0.append($0[$0.count - 1] + amount($1)) }
        }
        var stretches = [Stretch(first: 0, before: 0, week: sums(week))]
        for term in terms {
            for (day, week) in [
                (term.days.lowerBound.daysSince1970, term.week),
                (term.days.upperBound.daysSince1970 + 1, week),
            ] {
                let before = stretches[stretches.count - 1].before(day)
                stretches.append(Stretch(first: day, before: before, week: sums(week)))
            }
        }
        self.stretches = stretches
        var difference = 0
        self.special = special.map { day, usual, hours in
            difference += amount(hours) - amount(usual)
            return Special(day: day.daysSince1970, difference: difference)
        }
    }

    /// What the days since 1 January 1970 count up to, but not including, a day; 0 before.
    func before(_ day: Int) -> Int {
        let day = min(max(day, 0), WorkCalendar.Limit.days.upperBound + 1)
        let stretch = stretches[stretches.bisect { $0.first > day } - 1]
        let place = special.bisect { $0.day >= day }
        return stretch.before(day) + (place > 0 ? special[place - 1].difference : 0)
    }

    /// The day that counts the number, of which the first is 0; nil when there isn't any before the
    /// year 10000.
    ///
    /// - Parameter place: a day near which it is looked for first.
    func day(number: Int, near place: Int) -> CivilDate? {
        let end = WorkCalendar.Limit.days.upperBound + 1
        guard number >= 0 else { return nil }
        // What is counted before `low` is at most the number, and before `high` it is more.
        var low = min(max(place, 0), end)
        var high = low
        var step = 8
        while before(low) > number {
            (low, high) = (max(0, low - step), low)
            step *= 2
        }
        while before(high) <= number {
            guard high < end else { return nil }
            (low, high) = (high, min(end, high + step))
            step *= 2
        }
        return CivilDate(daysSince1970: (low + 1..<high).bisect { before($0) > number } - 1)
    }
}
