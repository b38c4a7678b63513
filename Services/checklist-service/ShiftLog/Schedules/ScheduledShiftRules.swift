import LocalTime
import Messages

/// A beginning of a scheduled shift on a day.
package struct Occurrence: Hashable, Sendable {
    /// The scheduled shift.
    package let shift: ScheduledShift
    /// The local date, ISO 8601.
    package let date: String
    /// When it should begin, in milliseconds since 1970.
    package let due: Int64
    /// When it is meant to end, in milliseconds since 1970; 0 when that is open.
    package let until: Int64

    /// How long after its time a shift may still begin, in milliseconds: 2 hours, in case the
    /// service was down or another shift was open.
    package static let patience: Int64 = 2 * 3_600_000

    /// The time from which it no longer begins, in milliseconds since 1970: it is too late, or it
    /// would have ended.
    package var latest: Int64 {
        until > 0 ? min(until, due + Self.patience) : due + Self.patience
    }
}

/// The rules for shifts that begin by themselves.
extension ScheduledShift {
    /// The maximum time from its beginning to its end, in minutes of local time. It is an hour less
    /// than a shift may last, because of the nights when the clock is set back.
    static let longest: UInt32 = 15 * 60

    /// Validates the part of the day, the weekdays and the times.
    ///
    /// - Throws: what is out of range.
    package func validate() throws(Refusal) {
        guard dayPart == 1 || dayPart == 2 else {
            throw .invalid("a shift is a day shift or an evening shift")
        }
        guard !weekdays.isEmpty else { throw .invalid("name the weekdays on which it begins") }
        try Weekdays.validate(weekdays)
        guard begins < 1_440, ends ?? 0 < 1_440 else {
            throw .invalid("a time of day is before 24:00")
        }
        guard let ends else { return }
        let length = (ends + 1_440 - begins) % 1_440
        guard (1...Self.longest).contains(length) else {
            throw .invalid(
                "a scheduled shift ends after it begins, at most \(Self.longest / 60) hours later")
        }
    }

    /// Refuses a shift that begins at the same time as another.
    ///
    /// - Parameter others: the other scheduled shifts of the site.
    /// - Throws: which one it is.
    package func validateApart(from others: [ScheduledShift]) throws(Refusal) {
        for other in others where other.begins == begins {
            guard Set(other.weekdays).isDisjoint(with: weekdays) else {
                throw .conflict(
                    "the shift \(other.id) begins at the same time already; remove it first")
            }
        }
    }

    /// The beginnings in a span of time, earliest first.
    ///
    /// - Parameters:
    ///   - after: the moment after which the span begins, in milliseconds since 1970. What was due
    ///     before the shift was scheduled is left out.
    ///   - upTo: the last moment of the span.
    ///   - localTime: the site's local time.
    package func occurrences(
        after: Int64, upTo: Int64, _ localTime: LocalTime
    ) -> [Occurrence] {
        let after = max(after, since)
        guard after < upTo else { return [] }
        // A time that the clock skips at midnight is due on the next day.
        let days = (localTime.reading(at: after).day - 1)...localTime.reading(at: upTo).day
        return days.compactMap { day in
            guard let occurrence = occurrence(onDay: day, localTime), occurrence.due > after,
                occurrence.due <= upTo
            else { return nil }
            return occurrence
        }
    }

    /// The next beginning after a time; nil only if it has no weekday.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - localTime: the site's local time.
    package func next(after time: Int64, _ localTime: LocalTime) -> Occurrence? {
        let today = localTime.reading(at: time).day
        return (today - 1...today + 8).lazy.compactMap { occurrence(onDay: $0, localTime) }
            .first { $0.due > time }
    }

    private func occurrence(onDay day: Int64, _ localTime: LocalTime) -> Occurrence? {
        guard weekdays.contains(Weekdays.of(day: day)) else { return nil }
        let due = localTime.instant(day: day, minutes: Int(begins))
        let until = ends.map {
            localTime.instant(day: $0 > begins ? day : day + 1, minutes: Int($0))
        }
        return Occurrence(
            shift: self, date: localTime.reading(at: due).date, due: due, until: until ?? 0)
    }
}
