/// Which days a rule means: the BY parts, with what the start gives for those that are missing
/// (RFC 5545, 3.3.10).
struct RecurrenceDays {
    private let weekdays: Flags?
    private let monthDays: Flags?
    private let yearDays: Flags?
    private let weeks: Flags?
    private let months: Flags?
    private let weekStart: Int64
    /// Whether “the second Monday” is one of the month, or else of the year.
    private let isByMonth: Bool

    /// The numbers of a part, found at once however many there are.
    private struct Flags {
        private static let most: Int64 = 800
        private var flags = [Bool](repeating: false, count: Int(2 * most + 1))

        /// Nil when there are none.
        init?(_ numbers: [Int64]) {
            if numbers.isEmpty { return nil }
            for number in numbers where abs(number) <= Self.most {
                flags[Int(number + Self.most)] = true
            }
        }

        func contains(_ number: Int64) -> Bool {
            abs(number) <= Self.most && flags[Int(number + Self.most)]
        }
    }

    init(_ rule: RecurrenceRule, start: WallTime) {
        var (weekdays, monthDays) = (rule.weekdays, rule.monthDays)
        var months = rule.months
        let first = CivilDay(start.day)
        let weekday = RecurrenceRule.Weekday(ordinal: 0, day: CivilDay.weekday(start.day))
        if weekdays.isEmpty && monthDays.isEmpty && rule.yearDays.isEmpty {
            switch rule.frequency {
            case .yearly where rule.weeks.isEmpty:
                monthDays = [first.dayOfMonth]
                if months.isEmpty { months = [first.month] }
            case .monthly: monthDays = [first.dayOfMonth]
            case .yearly, .weekly: weekdays = [weekday]
            default: break
            }
        }
        let counts =
            rule.weeks.isEmpty && (rule.frequency == .monthly || rule.frequency == .yearly)
        self.weekdays = Flags(
            weekdays.map { Self.number(of: $0.day, counts ? $0.ordinal : 0) })
        self.monthDays = Flags(monthDays)
        self.months = Flags(months)
        yearDays = Flags(rule.yearDays)
        weeks = Flags(rule.weeks)
        weekStart = rule.weekStart
        isByMonth = rule.frequency == .monthly || rule.frequency == .yearly && !months.isEmpty
    }

    /// A number for a day of the week and which of them, from -378 to 378.
    private static func number(of weekday: Int64, _ ordinal: Int64) -> Int64 {
        ordinal * 7 + (ordinal < 0 ? -weekday : weekday)
    }

    /// Whether a day is meant by all parts that speak of days.
    func contains(_ day: Int64) -> Bool {
        let date = CivilDay(day)
        if let months, !months.contains(date.month) { return false }
        if let monthDays {
            let length = CivilDay.length(ofMonth: date.month, date.year)
            let fromEnd = date.dayOfMonth - length - 1
            guard monthDays.contains(date.dayOfMonth) || monthDays.contains(fromEnd) else {
                return false
            }
        }
        if let yearDays {
            let place = day - CivilDay.number(date.year, 1, 1) + 1
            let fromEnd = place - (CivilDay.isLeap(date.year) ? 366 : 365) - 1
            guard yearDays.contains(place) || yearDays.contains(fromEnd) else { return false }
        }
        if let weeks, !isIn(weeks, day) { return false }
        guard let weekdays else { return true }
        return isOne(of: weekdays, day, date)
    }

    private func isOne(of weekdays: Flags, _ day: Int64, _ date: CivilDay) -> Bool {
        let weekday = CivilDay.weekday(day)
        if weekdays.contains(Self.number(of: weekday, 0)) { return true }
        let (place, length) =
            isByMonth
            ? (date.dayOfMonth, CivilDay.length(ofMonth: date.month, date.year))
            : (
                day - CivilDay.number(date.year, 1, 1) + 1,
                CivilDay.isLeap(date.year) ? 366 : 365
            )
        return weekdays.contains(Self.number(of: weekday, (place - 1) / 7 + 1))
            || weekdays.contains(Self.number(of: weekday, -((length - place) / 7 + 1)))
    }

    /// Whether a day is in one of the weeks by number. Week 1 is the first with at least four days
    /// of the year.
    private func isIn(_ weeks: Flags, _ day: Int64) -> Bool {
        let begin = day - floorRemainder(CivilDay.weekday(day) - weekStart, 7)
        let year = CivilDay(begin + 3).year
        let first = firstWeek(year)
        let week = (begin - first) / 7 + 1
        let count = (firstWeek(year + 1) - first) / 7
        return weeks.contains(week) || weeks.contains(week - count - 1)
    }

    private func firstWeek(_ year: Int64) -> Int64 {
        let fourth = CivilDay.number(year, 1, 4)
        return fourth - floorRemainder(CivilDay.weekday(fourth) - weekStart, 7)
    }
}
