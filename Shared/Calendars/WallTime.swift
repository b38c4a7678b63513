/// A day of the Gregorian calendar.
///
/// To and from days since 1970: Hinnant, chrono-Compatible Low-Level Date Algorithms, 2013.
package struct CivilDay: Hashable, Sendable {
    /// 1 to 9999 for whatever is read.
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let dayOfMonth: Int64

    /// A date as it is; nil when there is no such day in the years 1 to 9999.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.length(ofMonth: month, year)
        else { return nil }
        self.year = year
        self.month = month
        dayOfMonth = day
    }

    /// The date of a day, counted from 1970-01-01.
    package init(_ number: Int64) {
        let shifted = number + 719_468
        let era = floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    package var number: Int64 { Self.number(year, month, dayOfMonth) }

    /// Days since 1970-01-01 of a day, also of one past the end of its month.
    static func number(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivision(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of the week of a day since 1970-01-01: 0 is Monday.
    package static func weekday(_ number: Int64) -> Int64 {
        floorRemainder(number + 3, 7)
    }
}

/// What a clock on the wall shows: a date and a time, in no particular zone.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Seconds from 1970-01-01T00:00:00, each day having 86,400.
    package let second: Int64

    package init(second: Int64) { self.second = second }

    package init(day: Int64, second: Int64 = 0) { self.second = day * 86_400 + second }

    /// Days since 1970-01-01.
    package var day: Int64 { floorDivision(second, 86_400) }
    /// Seconds since midnight.
    package var timeOfDay: Int64 { floorRemainder(second, 86_400) }

    package static func < (one: WallTime, other: WallTime) -> Bool { one.second < other.second }
}

/// A stretch of time, in seconds since 1970 UTC: the start belongs to it, the end doesn't.
package struct TimeSpan: Hashable, Comparable, Sendable {
    package let start: Int64
    /// Not before the start.
    package let end: Int64

    /// A stretch between two instants; of no length when they are the wrong way round.
    package init(_ start: Int64, _ end: Int64) {
        self.start = start
        self.end = max(start, end)
    }

    package var length: Int64 { end - start }
    package var isEmpty: Bool { end <= start }

    package func overlaps(_ other: TimeSpan) -> Bool { start < other.end && other.start < end }

    /// What two stretches have in common; nil when that is nothing.
    package func clipped(to other: TimeSpan) -> TimeSpan? {
        let both = TimeSpan(max(start, other.start), min(end, other.end))
        return both.isEmpty ? nil : both
    }

    /// By start, then by end.
    package static func < (one: TimeSpan, other: TimeSpan) -> Bool {
        (one.start, one.end) < (other.start, other.end)
    }

    /// The same time in order, without overlaps, neighbours made one, nothing of no length.
    package static func union(_ spans: [TimeSpan]) -> [TimeSpan] {
        var whole: [TimeSpan] = []
        for span in spans.sorted() where !span.isEmpty {
            if let last = whole.last, span.start <= last.end {
                whole[whole.count - 1] = TimeSpan(last.start, max(last.end, span.end))
            } else {
                whole.append(span)
            }
        }
        return whole
    }

    /// What is in the first list and not in the second. Both are unions.
    package static func subtracting(_ other: [TimeSpan], from spans: [TimeSpan]) -> [TimeSpan] {
        var rest: [TimeSpan] = []
        var next = 0
        for span in spans {
            var start = span.start
            while next < other.count, other[next].end <= start { next += 1 }
            var index = next
            while index < other.count, other[index].start < span.end {
                if other[index].start > start { rest.append(TimeSpan(start, other[index].start)) }
                start = max(start, other[index].end)
                index += 1
            }
            if start < span.end { rest.append(TimeSpan(start, span.end)) }
        }
        return rest
    }

    /// What is in both lists. Both are unions.
    package static func intersection(_ one: [TimeSpan], _ other: [TimeSpan]) -> [TimeSpan] {
        var common: [TimeSpan] = []
        var (left, right) = (0, 0)
        while left < one.count, right < other.count {
            if let both = one[left].clipped(to: other[right]) { common.append(both) }
            if one[left].end < other[right].end { left += 1 } else { right += 1 }
        }
        return common
    }
}

/// The quotient rounded down, also below zero. The divisor is positive.
func floorDivision(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
}

/// What the quotient rounded down leaves: never below zero.
func floorRemainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
}
