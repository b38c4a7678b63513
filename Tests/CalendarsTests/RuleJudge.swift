import Dates

@testable import Calendars

/// Finds the days of a rule by counting instead of computing.
struct RuleJudge {
    /// The place of a day in a group, and the size of the group.
    private struct Place {
        var number: Int64
        var all: Int64 = 0

        func isOne(of numbers: [Int64]) -> Bool {
            numbers.isEmpty || numbers.contains(number) || numbers.contains(number - all - 1)
        }
    }

    private let rule: RecurrenceRule
    private let start: WallTime
    private let days: [Int64]
    private var dates: [CivilDate] = []
    private var inMonth: [Place] = []
    private var inYear: [Place] = []
    private var weekdayInMonth: [Place] = []
    private var weekdayInYear: [Place] = []
    private var week: [Place] = []
    private var weekNumber: [Int64] = []

    init(_ rule: RecurrenceRule, _ start: WallTime, last: Int64) {
        self.rule = rule
        self.start = start
        // Start on a Monday, and include whole years around the requested days.
        let first = start.day - 1_100
        days = Array(first...(last + 1_500))
        dates = days.map { CivilDate(daysSince1970: Int($0)) }
        let months = dates.map { Int64($0.parts.year * 12 + $0.parts.month) }
        let years = dates.map { Int64($0.parts.year) }
        let weekdays = dates.map { Int64($0.weekday) }
        inMonth = Self.count(months)
        inYear = Self.count(years)
        weekdayInMonth = Self.count(zip(months, weekdays).map { $0 * 7 + $1 })
        weekdayInYear = Self.count(zip(years, weekdays).map { $0 * 7 + $1 })
        // A week belongs to the year that has most of its days.
        var number: Int64 = 0
        weekNumber = weekdays.map { weekday in
            number += weekday == rule.weekStart ? 1 : 0
            return number
        }
        var yearsOfWeek: [Int64: [Int64]] = [:]
        for (week, year) in zip(weekNumber, years) { yearsOfWeek[week, default: []].append(year) }
        let owners = yearsOfWeek.mapValues { $0.sorted()[$0.count / 2] }
        let begins = weekNumber.indices.map { $0 == 0 || weekNumber[$0 - 1] != weekNumber[$0] }
        var places: [Int64: Place] = [:]
        var counts: [Int64: Int64] = [:]
        for index in weekNumber.indices where begins[index] {
            let owner = owners[weekNumber[index]] ?? 0
            counts[owner, default: 0] += 1
            places[weekNumber[index]] = Place(number: counts[owner] ?? 0)
        }
        week = weekNumber.map { number in
            var place = places[number] ?? Place(number: 0)
            place.all = counts[owners[number] ?? 0] ?? 0
            return place
        }
    }

    /// Numbers the days of each group.
    private static func count(_ groups: [Int64]) -> [Place] {
        var counts: [Int64: Int64] = [:]
        var places = groups.map { group in
            counts[group, default: 0] += 1
            return Place(number: counts[group] ?? 0)
        }
        for index in places.indices { places[index].all = counts[groups[index]] ?? 0 }
        return places
    }

    /// The days from the start to another.
    func days(to last: Int64) -> [Int64] {
        var periods: [Int64: [Int64]] = [:]
        for index in days.indices where isMeant(index) {
            periods[period(index), default: []].append(days[index])
        }
        let first = period(days.firstIndex(of: start.day) ?? 0)
        var found: [Int64] = []
        for (number, members) in periods
        where number >= first && (number - first) % rule.interval == 0 {
            for (index, day) in members.enumerated() {
                let place = Place(number: Int64(index) + 1, all: Int64(members.count))
                if place.isOne(of: rule.positions) { found.append(day) }
            }
        }
        return found.filter { $0 >= start.day && $0 <= last }.sorted()
    }

    private func period(_ index: Int) -> Int64 {
        switch rule.frequency {
        case .yearly: Int64(dates[index].parts.year)
        case .monthly: Int64(dates[index].parts.year * 12 + dates[index].parts.month)
        case .weekly: weekNumber[index]
        default: days[index]
        }
    }

    private func isMeant(_ index: Int) -> Bool {
        let date = dates[index].parts
        let own = start.date.parts
        guard rule.months.isEmpty || rule.months.contains(Int64(date.month)),
            inMonth[index].isOne(of: rule.monthDays), inYear[index].isOne(of: rule.yearDays),
            week[index].isOne(of: rule.weeks)
        else { return false }
        let weekday = Int64(dates[index].weekday)
        if rule.monthDays.isEmpty && rule.yearDays.isEmpty && rule.weekdays.isEmpty {
            switch rule.frequency {
            case .yearly where rule.weeks.isEmpty:
                return date.day == own.day
                    && (!rule.months.isEmpty || date.month == own.month)
            case .yearly, .weekly: return weekday == Int64(start.date.weekday)
            case .monthly: return date.day == own.day
            default: return true
            }
        }
        let isByMonth = rule.frequency == .monthly || !rule.months.isEmpty
        let place = isByMonth ? weekdayInMonth[index] : weekdayInYear[index]
        return rule.weekdays.isEmpty
            || rule.weekdays.contains {
                $0.day == weekday && ($0.ordinal == 0 || place.isOne(of: [$0.ordinal]))
            }
    }
}
