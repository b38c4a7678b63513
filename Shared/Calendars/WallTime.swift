import Dates

/// What a clock on the wall shows: a date and a time, in no particular zone.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Seconds from 1970-01-01T00:00:00, each day having 86,400.
    package let second: Int64

    package init(second: Int64) { self.second = second }

    package init(day: Int64, second: Int64 = 0) { self.second = day * 86_400 + second }

    /// Days since 1970-01-01.
    package var day: Int64 { floorDivision(second, 86_400) }
    /// The date; the first or last of the calendar when it has none.
    package var date: CivilDate { CivilDate(daysSince1970: Int(day)) }
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
