import Dates

/// The days that a rule selects by its BY parts, completed from the start when they are missing
/// (RFC 5545, 3.3.10).
struct RecurrenceDays {
    private let weekdays: Flags?
    private let monthDays: Flags?
    private let yearDays: Flags?
    private let weeks: Flags?
    private let months: Flags?
    private let weekStart: Int
    /// Whether “the second Monday” is counted within the month, rather than the year.
    private let isByMonth: Bool

    /// The numbers of a part, in a table for fast lookup.
    private struct Flags {
        private static let most = 800
        private var flags = [Bool](repeating: false, count: 2 * most + 1)

        /// Nil when there are no numbers.
        init?(_ numbers: [Int64]) {
            if numbers.isEmpty { return nil }
            for number in numbers where abs(number) <= Self.most {
                flags[Int(number) + Self.most] = true
            }
        }

        func contains(_ number: Int) -> Bool {
            abs(number) <= Self.most && flags[number + Self.most]
        }
    }

    init(_ rule: RecurrenceRule, start: WallTime) {
        var (weekdays, monthDays) = (rule.weekdays, rule.monthDays)
        var months = rule.months
        let first = start.date.parts
        let weekday = RecurrenceRule.Weekday(ordinal: 0, day: Int64(start.date.weekday))
        if weekdays.isEmpty && monthDays.isEmpty && rule.yearDays.isEmpty {
            switch rule.frequency {
            case .yearly where rule.weeks.isEmpty:
                monthDays = [Int64(first.day)]
                if months.isEmpty { months = [Int64(first.month)] }
            case .monthly: monthDays = [Int64(first.day)]
            case .yearly, .weekly: weekdays = [weekday]
            default: break
            }
        }
        let counts =
            rule.weeks.isEmpty && (rule.frequency == .monthly || rule.frequency == .yearly)
        self.weekdays = Flags(
            weekdays.map {
                Int64(Self.number(of: Int($0.day), counts ? Int($0.ordinal) : 0))
            })
        self.monthDays = Flags(monthDays)
        self.months = Flags(months)
        yearDays = Flags(rule.yearDays)
        weeks = Flags(rule.weeks)
        weekStart = Int(rule.weekStart)
        isByMonth = rule.frequency == .monthly || rule.frequency == .yearly && !months.isEmpty
    }

    /// A number for a weekday and its ordinal, from -378 to 378.
    private static func number(of weekday: Int, _ ordinal: Int) -> Int {
        ordinal * 7 + (ordinal < 0 ? -weekday : weekday)
    }

    /// Whether all parts about days select a day.
    func contains(_ day: Int64) -> Bool {
        let date = CivilDate(daysSince1970: Int(day))
        let (year, month, dayOfMonth) = date.parts
        if let months, !months.contains(month) { return false }
        if let monthDays {
            let fromEnd = dayOfMonth - CivilDate.days(inMonth: month, of: year) - 1
            guard monthDays.contains(dayOfMonth) || monthDays.contains(fromEnd) else {
                return false
            }
        }
        if let yearDays {
            let place = date.dayOfYear
            let fromEnd = place - CivilDate.days(inYear: year) - 1
            guard yearDays.contains(place) || yearDays.contains(fromEnd) else { return false }
        }
        if let weeks, !isIn(weeks, date) { return false }
        guard let weekdays else { return true }
        return isOne(of: weekdays, date)
    }

    private func isOne(of weekdays: Flags, _ date: CivilDate) -> Bool {
        let weekday = date.weekday
        if weekdays.contains(Self.number(of: weekday, 0)) { return true }
        let (year, month, dayOfMonth) = date.parts
        let (place, length) =
            isByMonth
            ? (dayOfMonth, CivilDate.days(inMonth: month, of: year))
            : (date.dayOfYear, CivilDate.days(inYear: year))
        return weekdays.contains(Self.number(of: weekday, (place - 1) / 7 + 1))
            || weekdays.contains(Self.number(of: weekday, -((length - place) / 7 + 1)))
    }

    /// Whether a day is in one of the numbered weeks. Week 1 is the first with at least four days
    /// of the year.
    private func isIn(_ weeks: Flags, _ date: CivilDate) -> Bool {
        let begin = date.daysSince1970 - floorRemainder(date.weekday - weekStart, 7)
        let year = CivilDate(daysSince1970: begin + 3).parts.year
        let first = firstWeek(year)
        let week = (begin - first) / 7 + 1
        let count = (firstWeek(year + 1) - first) / 7
        return weeks.contains(week) || weeks.contains(week - count - 1)
    }

    private func firstWeek(_ year: Int) -> Int {
        let fourth = CivilDate.days(to: year, 1) + 3
        return fourth - floorRemainder(fourth + 3 - weekStart, 7)
    }
}
