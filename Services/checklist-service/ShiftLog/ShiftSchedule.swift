import LocalTime
import Messages

/// The schedule of a shift's travel paths.
///
/// The first one is due at a local time; the others follow at intervals of elapsed time, so that a
/// clock change neither skips nor doubles one.
package struct ShiftSchedule: Hashable, Sendable {
    /// When the first one is due, in milliseconds since 1970.
    package let first: Int64
    /// The time from one to the next, in milliseconds.
    package let interval: Int64
    /// How long after its time a travel path counts as late, in milliseconds.
    package let lateAfter: Int64

    /// How long before its first travel path an evening shift may begin, in milliseconds: 12 hours.
    /// One that begins earlier is still that of the evening before.
    private static let mostAhead: Int64 = 12 * 3_600_000

    /// Makes the schedule of a shift that has begun.
    package init(_ shift: Shift, _ settings: SiteSettings) {
        first = shift.firstTravelPath
        interval = max(1, Int64(settings.travelPathInterval)) * 60_000
        lateAfter = Int64(settings.lateAfter) * 60_000
    }

    /// When the first travel path of a shift is due: at the time in the settings for the part of
    /// the day, on the local date of the beginning; if the shift began later, the next time of the
    /// schedule that begins then. An evening shift that begins after midnight goes on with the
    /// schedule of the evening before.
    ///
    /// - Parameters:
    ///   - started: when the shift begins, in milliseconds since 1970.
    ///   - localTime: the site's local time.
    ///   - dayPart: the part of the day.
    ///   - settings: the settings of the site.
    /// - Returns: milliseconds since 1970.
    package static func firstTravelPath(
        started: Int64, _ localTime: LocalTime, dayPart: DayPart, _ settings: SiteSettings
    ) -> Int64 {
        let minutes =
            dayPart == .evening ? settings.firstTravelPathEvening : settings.firstTravelPathDay
        let day = localTime.reading(at: started).day
        var grid = localTime.instant(day: day, minutes: Int(minutes))
        if dayPart == .evening, grid - started > mostAhead {
            grid = localTime.instant(day: day - 1, minutes: Int(minutes))
        }
        if started <= grid { return grid }
        let interval = max(1, Int64(settings.travelPathInterval)) * 60_000
        return grid + (started - grid + interval - 1) / interval * interval
    }

    /// When a slot begins, in milliseconds since 1970.
    package func due(_ slot: Int) -> Int64 { first + Int64(slot) * interval }

    /// The slot that contains a time; -1 before the first.
    package func slot(at time: Int64) -> Int {
        time < first ? -1 : Int((time - first) / interval)
    }
}
