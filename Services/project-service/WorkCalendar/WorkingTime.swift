import Dates

/// The working time of a calendar in a time zone, as instants.
package struct WorkingTime {
    private let calendar: WorkCalendar
    private let instant: (_ day: CivilDate, _ minutes: Int) -> Int64

    /// The working time of a calendar.
    ///
    /// - Parameter instant: when a clock of the place shows so many minutes, up to 1,440, after the
    ///   midnight of a day, in milliseconds since 1970: no more than two days from when a clock of
    ///   UTC shows it, and not before what it says of earlier times.
    package init(
        _ calendar: WorkCalendar, instant: @escaping (_ day: CivilDate, _ minutes: Int) -> Int64
    ) {
        self.calendar = calendar
        self.instant = instant
    }

    /// The stretches of work from an instant up to another, in order and apart: at most fifty years
    /// of them. Where the clock is put forward or back, the work lasts as long as the clock on the
    /// wall says.
    ///
    /// - Parameter span: milliseconds since 1970.
    package func stretches(in span: Range<Int64>) -> [Range<Int64>] {
        guard let span = bounded(span) else { return [] }
        // The work of the day before may end after midnight, and the zone may be ahead or behind.
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
    /// Longest span that is looked at: fifty years.
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
