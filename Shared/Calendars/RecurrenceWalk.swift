import Dates

/// Iterates over the wall times that a rule selects, in order, from its start.
///
/// It ignores zones, COUNT and UNTIL. Every candidate costs budget, so that a rule which selects
/// nothing for a long time is given up.
struct RecurrenceWalk {
    private let rule: RecurrenceRule
    private let start: WallTime
    private let last: WallTime
    private let days: RecurrenceDays
    /// The times within a period, in seconds after midnight, or within the hour or minute.
    private let times: [Int64]

    /// The number of the next period, counted from that of the start.
    private var period: Int64
    /// The days or starts of the current period, and the positions in it that count.
    private var starts: [Int64] = []
    private var places: [Int]?
    private var next = 0

    /// - Parameters:
    ///   - rule: the rule.
    ///   - start: its first time.
    ///   - from: times before it may be left out; only for a rule without a count.
    ///   - last: no time after it is needed.
    ///   - budget: what each candidate is charged to.
    init(
        _ rule: RecurrenceRule, start: WallTime, from: WallTime? = nil, last: WallTime,
        _ budget: inout WorkBudget
    ) throws(TooMuchWork) {
        self.rule = rule
        self.start = start
        self.last = last
        days = RecurrenceDays(rule, start: start)
        times = Self.times(rule, start)
        try budget.spend(times.count)
        period = 0
        if let from, from > start { period = max(0, Self.period(rule, start, of: from) - 1) }
    }

    /// The next time; nil when none is left.
    mutating func next(_ budget: inout WorkBudget) throws(TooMuchWork) -> WallTime? {
        while true {
            let size = places?.count ?? starts.count * times.count
            while next < size {
                let place = places?[next] ?? next
                next += 1
                try budget.spend(1)
                let wall = WallTime(
                    second: starts[place / times.count] + times[place % times.count])
                if wall > last { return nil }
                if wall >= start { return wall }
            }
            guard try turn(&budget) else { return nil }
        }
    }

    /// Goes to the next period; false when none is left.
    private mutating func turn(_ budget: inout WorkBudget) throws(TooMuchWork) -> Bool {
        try budget.spend(1)
        next = 0
        places = nil
        starts.removeAll(keepingCapacity: true)
        if let unit = rule.frequency.seconds {
            guard let begin = shortPeriod(unit) else { return false }
            if begin.counts { starts.append(begin.second) }
        } else {
            let range = dayRange()
            guard range.lowerBound <= last.day else { return false }
            try budget.spend(range.count / 8)
            for day in range where days.contains(day) { starts.append(day * 86_400) }
            period += 1
        }
        guard !rule.positions.isEmpty else { return true }
        try budget.spend(rule.positions.count)
        let size = starts.count * times.count
        let chosen = rule.positions.map { $0 > 0 ? Int($0) - 1 : size + Int($0) }
        places = Set(chosen.filter { (0..<size).contains($0) }).sorted()
        return true
    }

    /// The start of the current period, which is shorter than a day, and whether it counts; nil
    /// when none is left. Advances to the next that may count.
    private mutating func shortPeriod(_ unit: Int64) -> (second: Int64, counts: Bool)? {
        let origin = floorDivision(start.second, unit) * unit
        let step = unit * rule.interval
        let begin = origin + period * step
        guard begin <= last.second else { return nil }
        let wall = WallTime(second: begin)
        let time = wall.timeOfDay
        var goal = begin + step
        var counts = false
        if !days.contains(wall.day) {
            goal = (wall.day + 1) * 86_400
        } else if !rule.hours.isEmpty && !rule.hours.contains(time / 3_600) {
            goal = (begin / 3_600 + 1) * 3_600
        } else if unit < 3_600, !rule.minutes.isEmpty,
            !rule.minutes.contains(time % 3_600 / 60)
        {
            goal = (begin / 60 + 1) * 60
        } else {
            counts = unit > 1 || rule.seconds.isEmpty || rule.seconds.contains(time % 60)
        }
        period = max(period + 1, floorDivision(goal - origin + step - 1, step))
        return (begin, counts)
    }

    /// The days of the current period.
    private func dayRange() -> Range<Int64> {
        let first = start.date.parts
        switch rule.frequency {
        case .yearly:
            let year = first.year + Int(period * rule.interval)
            let begin = CivilDate.days(to: year, 1)
            return Int64(begin)..<Int64(begin + CivilDate.days(inYear: year))
        case .monthly:
            let months = first.year * 12 + first.month - 1 + Int(period * rule.interval)
            let (year, month) = (months / 12, months % 12 + 1)
            let begin = CivilDate.days(to: year, month)
            return Int64(begin)..<Int64(begin + CivilDate.days(inMonth: month, of: year))
        case .weekly:
            let begin = Self.week(rule, start.day) + period * rule.interval * 7
            return begin..<begin + 7
        default:
            let day = start.day + period * rule.interval
            return day..<day + 1
        }
    }

    /// The number of the period of a wall time, counted from that of the start.
    private static func period(
        _ rule: RecurrenceRule, _ start: WallTime, of wall: WallTime
    ) -> Int64 {
        let (one, other) = (start.date.parts, wall.date.parts)
        let distance =
            switch rule.frequency {
            case .yearly: Int64(other.year - one.year)
            case .monthly: Int64((other.year - one.year) * 12 + other.month - one.month)
            case .weekly: (week(rule, wall.day) - week(rule, start.day)) / 7
            case .daily: wall.day - start.day
            default: (wall.second - start.second) / (rule.frequency.seconds ?? 1)
            }
        return distance / rule.interval
    }

    /// The first day of the week of a day.
    private static func week(_ rule: RecurrenceRule, _ day: Int64) -> Int64 {
        // The first day of 1970 was a Thursday.
        day - floorRemainder(day + 3 - rule.weekStart, 7)
    }

    private static func times(_ rule: RecurrenceRule, _ start: WallTime) -> [Int64] {
        let time = start.timeOfDay
        let unit = rule.frequency.seconds
        func list(_ part: [Int64], _ own: Int64, isFree: Bool) -> [Int64] {
            isFree ? [0] : part.isEmpty ? [own] : part
        }
        let hours = list(rule.hours, time / 3_600, isFree: unit != nil)
        let minutes = list(rule.minutes, time % 3_600 / 60, isFree: unit == 60 || unit == 1)
        let seconds = list(rule.seconds, time % 60, isFree: unit == 1)
        var times: [Int64] = []
        for hour in hours {
            for minute in minutes {
                for second in seconds { times.append(hour * 3_600 + minute * 60 + second) }
            }
        }
        return times
    }
}
