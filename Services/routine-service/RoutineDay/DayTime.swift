import LocalTime
import Messages

/// The times of one day in one zone. A day has 23, 24 or 25 hours.
package struct DayTime: Hashable, Sendable {
    /// A minute in milliseconds.
    package static let minute: Int64 = 60_000

    /// The zone's local time.
    package let local: LocalTime
    /// Days since 1970-01-01.
    package let number: Int64
    /// The day's first instant: milliseconds since 1970.
    package let begin: Int64
    /// The next day's first instant.
    package let end: Int64

    /// The times of a date in ISO 8601; nil when there is no such date or zone.
    package init?(date: String, zone: String) {
        guard let local = LocalTime(zone: zone), let number = LocalTime.day(date) else {
            return nil
        }
        self.local = local
        self.number = number
        begin = local.instant(day: number, minutes: 0)
        end = local.instant(day: number + 1, minutes: 0)
    }

    /// The times of a day; nil when this machine doesn't know its zone.
    package init?(of day: Day) { self.init(date: day.date, zone: day.timeZone) }

    /// When the clock on the wall shows so many minutes after midnight; the end for 1440.
    ///
    /// - Returns: milliseconds since 1970.
    package func instant(_ minutes: UInt32) -> Int64 {
        minutes >= 1_440 ? end : local.instant(day: number, minutes: Int(minutes))
    }

    /// What the clock on the wall shows, e.g. `10:15`.
    package func clock(_ instant: Int64) -> String { local.reading(at: instant).time }

    /// Whole minutes that have passed since the day began.
    package func elapsed(_ instant: Int64) -> Int {
        Int(clamping: (max(instant, begin) - begin) / Self.minute)
    }

    /// The instant so many minutes after the day began.
    package func instant(elapsed minutes: Int) -> Int64 { begin + Int64(minutes) * Self.minute }
}
