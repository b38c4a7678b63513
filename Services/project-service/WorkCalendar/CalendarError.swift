import Dates

/// The reason why a calendar is invalid.
package enum CalendarError: Error, Hashable, CustomStringConvertible {
    /// A week that has this many days instead of seven.
    case wrongNumberOfDays(Int)
    /// Hours that aren't in order and apart or lie outside the day; the string names them.
    case invalidHours(String)
    /// Too many items of a kind: its name, and the maximum.
    case tooMany(String, most: Int)
    /// A date before 1970 or after 9999.
    case outsideCalendar(CivilDate)
    /// A term that begins on this day, before the previous one has ended.
    case overlappingTerms(CivilDate)
    /// A day with two holidays.
    case twice(CivilDate)
    /// A text that is too long; the string is its beginning.
    case longText(String)
    /// A time zone that this machine doesn't know.
    case unknownZone(String)

    static func validate(_ count: Int, of name: String, most: Int) throws(CalendarError) {
        guard count <= most else { throw .tooMany(name, most: most) }
    }

    static func validate(_ days: ClosedRange<CivilDate>) throws(CalendarError) {
        for day in [days.lowerBound, days.upperBound]
        where !WorkCalendar.Limit.days.contains(day.daysSince1970) {
            throw .outsideCalendar(day)
        }
    }

    static func validate(_ text: String) throws(CalendarError) {
        guard text.utf8.count <= WorkCalendar.Limit.text else {
            throw .longText(String(text.prefix(20)))
        }
    }

    static func validate(_ hours: [Range<Int>], of name: String) throws(CalendarError) {
        try validate(
            hours.count, of: "stretches of work on \(name)", most: WorkCalendar.Limit.stretches)
        var end = 0
        for stretch in hours {
            guard stretch.lowerBound >= end, stretch.lowerBound < 1_440, !stretch.isEmpty,
                stretch.upperBound <= WorkCalendar.Limit.minutes
            else { throw .invalidHours(name) }
            end = stretch.upperBound
        }
    }

    package var description: String {
        switch self {
        case .wrongNumberOfDays(let count): "a week has 7 days; here are \(count)"
        case .invalidHours(let name):
            "the hours of \(name) must begin on that day, end after they begin, "
                + "and follow each other"
        case .tooMany(let name, let most): "there may be at most \(most) \(name)"
        case .outsideCalendar(let day): "\(day.iso) isn't in the years 1970 to 9999"
        case .overlappingTerms(let day):
            "the term from \(day.iso) begins before the one before it has ended"
        case .twice(let day): "there are two holidays on \(day.iso)"
        case .longText(let start):
            "the text that begins “\(start)” has more than \(WorkCalendar.Limit.text) bytes"
        case .unknownZone(let name): "there is no time zone \(name)"
        }
    }
}
