import Bisection
import Dates

/// Sums an amount of each day without walking from day to day: the sum before a day, and the day on
/// which a number is reached.
struct DayCount: Hashable, Sendable {
    /// A range of days in which a week repeats.
    private struct Stretch: Hashable {
        /// The first day, in days since 1970.
        let first: Int
        /// The sum before the first day.
        let before: Int
        /// The sums of the week from Monday up to each day; the last is that of the whole week.
        let week: [Int]

        /// Returns the sum before a day of the stretch.
        func before(_ day: Int) -> Int { before + sum(day) - sum(first) }

        /// Returns the sum of the repeated week from Monday, 29 December 1969, up to a day.
        private func sum(_ day: Int) -> Int {
            let days = day + 3
            return days / 7 * week[7] + week[days % 7]
        }
    }

    /// A day that differs from its week.
    private struct Special: Hashable {
        let day: Int
        /// The difference, up to the end of the day, from the sum of the weeks.
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

    /// Returns the sum from 1 January 1970 up to, but not including, a day; 0 for earlier days.
    func before(_ day: Int) -> Int {
        let day = min(max(day, 0), WorkCalendar.Limit.days.upperBound + 1)
        let stretch = stretches[stretches.bisect { $0.first > day } - 1]
        let place = special.bisect { $0.day >= day }
        return stretch.before(day) + (place > 0 ? special[place - 1].difference : 0)
    }

    /// Returns the day on which the sum first exceeds the number; nil when that isn't before the
    /// year 10000.
    ///
    /// - Parameters:
    ///   - number: the number, counted from 0.
    ///   - place: a day near which to begin the search.
    func day(number: Int, near place: Int) -> CivilDate? {
        let end = WorkCalendar.Limit.days.upperBound + 1
        guard number >= 0 else { return nil }
        // The sum before `low` is at most the number; before `high`, it is more.
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
