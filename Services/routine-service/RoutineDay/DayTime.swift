import LocalTime
import Messages

/// The times of one day in one time zone. A day has 23, 24 or 25 hours.
package struct DayTime: Hashable, Sendable {
    /// A minute in milliseconds.
    package static let minute: Int64 = 60_000

    /// The zone's local time.
    package let local: LocalTime
    /// The date, in days since 1970-01-01.
    package let number: Int64
    /// The day's first instant: milliseconds since 1970.
    package let begin: Int64
    /// The next day's first instant.
    package let end: Int64

    /// Creates the times of an ISO 8601 date; nil when the date or the zone is invalid.
    package init?(date: String, zone: String) {
        guard let local = LocalTime(zone: zone), let number = LocalTime.day(date) else {
            return nil
        }
        self.local = local
        self.number = number
        begin = local.instant(day: number, minutes: 0)
        end = local.instant(day: number + 1, minutes: 0)
    }

    /// Creates the times of a day; nil when this machine doesn't know its zone.
    package init?(of day: Day) { self.init(date: day.date, zone: day.timeZone) }

    /// Returns when the local clock shows a number of minutes after midnight; the end of the day
    /// for 1,440.
    ///
    /// - Returns: milliseconds since 1970.
    package func instant(_ minutes: UInt32) -> Int64 {
        minutes >= 1_440 ? end : local.instant(day: number, minutes: Int(minutes))
    }

    /// Returns when the time for a routine is over. If the clock skips a part of that time, it is
    /// over as much later as the actions need: an hour that doesn't exist leaves nothing out.
    ///
    /// - Returns: milliseconds since 1970.
    package func over(_ routine: DayItem) -> Int64 {
        let first = max(routine.from, routine.wanted ?? 0)
        let room = Int64(routine.until - min(first, routine.until)) * Self.minute
        let done = instant(first) + min(routine.length, room)
        return min(max(instant(routine.until), done), end)
    }

    /// Returns what the local clock shows, e.g. `10:15`.
    package func clock(_ instant: Int64) -> String { local.reading(at: instant).time }

    /// Returns what the local clock shows, as minutes after midnight.
    package func minutes(_ instant: Int64) -> UInt32 {
        UInt32(clamping: local.reading(at: instant).minutes)
    }

    /// Returns the whole minutes from the beginning of the day to an instant.
    package func elapsed(_ instant: Int64) -> Int {
        Int(clamping: (max(instant, begin) - begin) / Self.minute)
    }

    /// Returns the instant a number of minutes after the beginning of the day.
    package func instant(elapsed minutes: Int) -> Int64 { begin + Int64(minutes) * Self.minute }
}
