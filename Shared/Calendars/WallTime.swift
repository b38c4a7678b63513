import Dates

/// The date and time that a wall clock shows, in no particular zone.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00, counting 86,400 for each day.
    package let second: Int64

    package init(second: Int64) { self.second = second }

    package init(day: Int64, second: Int64 = 0) { self.second = day * 86_400 + second }

    /// Days since 1970-01-01.
    package var day: Int64 { floorDivision(second, 86_400) }
    /// The date; the first or last of the calendar when it is outside.
    package var date: CivilDate { CivilDate(daysSince1970: Int(day)) }
    /// Seconds since midnight.
    package var timeOfDay: Int64 { floorRemainder(second, 86_400) }

    package static func < (one: WallTime, other: WallTime) -> Bool { one.second < other.second }
}

/// A period in seconds since 1970 UTC, from its start up to but not including its end.
package struct TimeSpan: Hashable, Comparable, Sendable {
    package let start: Int64
    /// Never before the start.
    package let end: Int64

    /// The period between two instants; empty when they are in the wrong order.
    package init(_ start: Int64, _ end: Int64) {
        self.start = start
        self.end = max(start, end)
    }

    package var length: Int64 { end - start }
    package var isEmpty: Bool { end <= start }

    package func overlaps(_ other: TimeSpan) -> Bool { start < other.end && other.start < end }

    /// The part that two periods share; nil when there is none.
    package func clipped(to other: TimeSpan) -> TimeSpan? {
        let both = TimeSpan(max(start, other.start), min(end, other.end))
        return both.isEmpty ? nil : both
    }

    /// Ordered by start, then by end.
    package static func < (one: TimeSpan, other: TimeSpan) -> Bool {
        (one.start, one.end) < (other.start, other.end)
    }

    /// The same time as sorted periods that neither overlap nor touch, without empty ones.
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

    /// The part of `spans` that is not in `other`. Both must be unions.
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

    /// The part that is in both lists. Both must be unions.
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
