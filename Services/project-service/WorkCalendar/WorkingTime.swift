import Dates

/// The working time of a calendar in a time zone, as instants.
package struct WorkingTime {
    private let calendar: WorkCalendar
    private let instant: (_ day: CivilDate, _ minutes: Int) -> Int64

    /// Creates the working time of a calendar.
    ///
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - instant: returns the instant, in milliseconds since 1970, at which a local clock shows
    ///     `minutes` (up to 1,440) after the midnight of `day`. It must be within two days of the
    ///     instant at which a UTC clock shows the same, and not before those of earlier local
    ///     times.
    package init(
        _ calendar: WorkCalendar, instant: @escaping (_ day: CivilDate, _ minutes: Int) -> Int64
    ) {
        self.calendar = calendar
        self.instant = instant
    }

    /// Returns the stretches of work within a span, in order and apart, for at most fifty years.
    /// Where the clock is put forward or back, work lasts from the one local time to the other.
    ///
    /// - Parameter span: the span, in milliseconds since 1970.
    package func stretches(in span: Range<Int64>) -> [Range<Int64>] {
        guard let span = bounded(span) else { return [] }
        // Work of the day before may end after midnight, and the zone may be ahead or behind.
        let first = Int(span.lowerBound / Self.day) - 4
        let last = Int(span.upperBound / Self.day) + 3
        var stretches: [Range<Int64>] = []
        for day in first...last where WorkCalendar.Limit.days.contains(day) {
            for hours in calendar.hours(on: CivilDate(daysSince1970: day)) {
                let begin = max(instant(day, hours.lowerBound), span.lowerBound)
                let end = min(instant(day, hours.upperBound), span.upperBound)
                guard begin < end else { continue }
                if let before = stretches.last, before.upperBound >= begin {
                    let end = max(end, before.upperBound)
                    stretches[stretches.count - 1] = before.lowerBound..<end
                } else {
                    stretches.append(begin..<end)
                }
            }
        }
        return stretches
    }

    private static let day: Int64 = 86_400_000
    /// The maximum length of a span: fifty years.
    private static let longest: Int64 = 50 * 366 * day

    private func bounded(_ span: Range<Int64>) -> Range<Int64>? {
        let first = max(span.lowerBound, 0)
        let last = min(span.upperBound, 253_402_300_800_000)
        return first < last ? first..<min(last, first + Self.longest) : nil
    }

    private func instant(_ day: Int, _ minutes: Int) -> Int64 {
        instant(CivilDate(daysSince1970: day + minutes / 1_440), minutes % 1_440)
    }
}
