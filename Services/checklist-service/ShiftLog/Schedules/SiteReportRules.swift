import Dates
import LocalTime
import Messages

/// The rules for reports that are mailed every week.
extension SiteReport {
    /// The number of whole weeks that a report compares.
    package static let weeks: Int64 = 4
    /// The maximum numbers of recipients and of sites that are named.
    package static let (mostRecipients, mostSites) = (20, 100)

    /// Validates the weekday, the time, and the numbers of sites and recipients.
    ///
    /// - Throws: what is out of range.
    package func validate() throws(Refusal) {
        guard (1...7).contains(weekday) else {
            throw .invalid("a weekday is a number from 1 for Monday to 7 for Sunday")
        }
        guard minutes < 1_440 else { throw .invalid("a time of day is before 24:00") }
        guard (1...Self.mostRecipients).contains(to.count), Set(to).count == to.count else {
            throw .invalid("name 1 to \(Self.mostRecipients) recipients, each once")
        }
        guard sites.count <= Self.mostSites, Set(sites).count == sites.count else {
            throw .invalid("name at most \(Self.mostSites) sites, each once")
        }
    }

    /// When the newest report that was not sent was due: at most one, however long the service was
    /// down. Nil when there is none.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - localTime: the local time of its zone.
    package func due(at now: Int64, _ localTime: LocalTime) -> Int64? {
        rhythm.occurrences(
            after: max(sent, now - StartDecision.lookBack), upTo: now, localTime
        ).last?.due
    }

    /// When the next one is due after a time, in milliseconds since 1970.
    package func next(after time: Int64, _ localTime: LocalTime) -> Int64? {
        rhythm.next(after: time, localTime)?.due
    }

    private var rhythm: ScheduledShift {
        ScheduledShift(weekdays: [weekday], begins: minutes, since: since)
    }

    /// The first and last day of the whole weeks before the week of a time, in ISO 8601.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - localTime: the local time of its zone.
    package static func span(before time: Int64, _ localTime: LocalTime) -> (
        from: String, to: String
    ) {
        let day = localTime.reading(at: time).day
        let monday = day - Int64(Weekdays.of(day: day)) + 1
        let date = { (day: Int64) in CivilDate(daysSince1970: Int(day)).iso }
        return (date(monday - 7 * weeks), date(monday - 1))
    }
}
