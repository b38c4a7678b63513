import ArgumentParser
import LocalTime

/// When something is due, as it is typed: `14:30`, `2026-11-24`, `'2026-11-24 14:30'`, or `none`.
struct DueArgument: ExpressibleByArgument, Hashable {
    /// The date in days since 1970-01-01; nil for the next day that has the time.
    private let day: Int64?
    /// Minutes after local midnight; nil for the end of the day.
    private let minutes: UInt32?

    init?(argument: String) {
        let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
        let time = words.last.flatMap { TimeArgument(argument: $0) }
        switch (words.count, time) {
        case (1, let time?): (day, minutes) = (nil, time.minutes)
        case (1, nil):
            guard let date = LocalTime.day(argument) else { return nil }
            (day, minutes) = (date, nil)
        case (2, let time?):
            guard let date = LocalTime.day(words[0]), time.minutes != nil else { return nil }
            (day, minutes) = (date, time.minutes)
        default: return nil
        }
    }

    /// The time that is meant, in milliseconds since 1970; 0 for none.
    ///
    /// - Parameters:
    ///   - local: the local time of the site.
    ///   - now: milliseconds since 1970.
    func time(in local: LocalTime, after now: Int64) -> Int64 {
        switch (day, minutes) {
        case (nil, nil): 0
        case (nil, let minutes?): local.first(minutes: Int(minutes), notBefore: now)
        case (let day?, let minutes): local.instant(day: day, minutes: Int(minutes ?? 1_439))
        }
    }
}
