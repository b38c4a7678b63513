import LocalTime
import Messages

/// When the travel paths of a shift are due.
///
/// The first one is due at a local time; each further one follows after the interval in elapsed
/// time, so that a change of the clocks neither skips nor doubles one.
package struct ShiftSchedule: Hashable, Sendable {
    /// When the first one is due, milliseconds since 1970.
    package let first: Int64
    /// From one to the next, milliseconds.
    package let interval: Int64
    /// From when on one counts as late, milliseconds after it is due.
    package let lateAfter: Int64

    /// The schedule of a shift that was begun.
    package init(_ shift: Shift, _ settings: SiteSettings) {
        first = shift.firstTravelPath
        interval = max(1, Int64(settings.travelPathInterval)) * 60_000
        lateAfter = Int64(settings.lateAfter) * 60_000
    }

    /// When the first travel path of a shift is due: at the time that the settings say for the part
    /// of the day, on the local date of the beginning. When the shift began later, the next of the
    /// grid that follows from there.
    ///
    /// - Parameter started: when the shift begins, milliseconds since 1970.
    /// - Returns: milliseconds since 1970.
    package static func firstTravelPath(
        started: Int64, _ localTime: LocalTime, dayPart: DayPart, _ settings: SiteSettings
    ) -> Int64 {
        let minutes =
            dayPart == .evening ? settings.firstTravelPathEvening : settings.firstTravelPathDay
        let grid = localTime.instant(
            day: localTime.reading(at: started).day, minutes: Int(minutes))
        if started <= grid { return grid }
        let interval = max(1, Int64(settings.travelPathInterval)) * 60_000
        return grid + (started - grid + interval - 1) / interval * interval
    }

    /// When a slot begins, milliseconds since 1970.
    package func due(_ slot: Int) -> Int64 { first + Int64(slot) * interval }

    /// The slot in which a time lies; -1 before the first.
    package func slot(at time: Int64) -> Int {
        time < first ? -1 : Int((time - first) / interval)
    }
}
