extension Feed {
    /// A calendar day, kept as the number of days since 1 January 1970.
    package struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// Days since 1 January 1970; negative before it.
        package let daysSince1970: Int32

        /// The day with that number.
        package init(daysSince1970: Int32) {
            self.daysSince1970 = daysSince1970
        }

        /// The day of a Gregorian date; `nil` when there is no such date (30 February).
        ///
        /// After Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
        package init?(year: Int, month: Int, day: Int) {
            guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
            guard day <= Self.length(ofMonth: month, year: year) else { return nil }
            let shifted = month <= 2 ? year - 1 : year
            let era = shifted / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            daysSince1970 = Int32(era * 146_097 + dayOfEra - 719_468)
        }

        /// The day of a GTFS date, 20260131 for 31 January 2026; `nil` when there is no such date.
        package init?(yyyymmdd: Int) {
            self.init(
                year: yyyymmdd / 10_000, month: yyyymmdd / 100 % 100, day: yyyymmdd % 100)
        }

        /// The GTFS form of the date, 20260131 for 31 January 2026.
        ///
        /// After Howard Hinnant, civil_from_days.
        package var yyyymmdd: Int {
            let shifted = Int(daysSince1970) + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra =
                (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let month = (5 * dayOfYear + 2) / 153
            let day = dayOfYear - (153 * month + 2) / 5 + 1
            let civilMonth = month < 10 ? month + 3 : month - 9
            let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
            return year * 10_000 + civilMonth * 100 + day
        }

        /// The day of the week, 0 for Monday to 6 for Sunday.
        package var weekday: Int {
            let remainder = (Int(daysSince1970) + 3) % 7
            return remainder < 0 ? remainder + 7 : remainder
        }

        /// The GTFS form of the date.
        package var description: String { String(yyyymmdd) }

        /// Whether the left day is the earlier one.
        package static func < (left: Day, right: Day) -> Bool {
            left.daysSince1970 < right.daysSince1970
        }

        private static func length(ofMonth month: Int, year: Int) -> Int {
            switch month {
            case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }
    }

    /// On which days the trips of one `service_id` run.
    package struct Calendar: Equatable, Sendable {
        /// The feed's `service_id`, byte for byte.
        package var id: String

        /// Bit 0 is Monday, bit 6 is Sunday; 0 when only the exceptions count.
        package var weekdays: UInt8

        /// The first and the last day of the weekly rule; `nil` when only the exceptions count.
        package var range: ClosedRange<Day>?

        /// Single days on which the service runs (`true`) or does not (`false`) against the rule.
        package var exceptions: [Day: Bool]

        /// A calendar of these values; without more said, one that never runs.
        package init(
            id: String, weekdays: UInt8 = 0, range: ClosedRange<Day>? = nil,
            exceptions: [Day: Bool] = [:]
        ) {
            self.id = id
            self.weekdays = weekdays
            self.range = range
            self.exceptions = exceptions
        }

        /// Whether the service runs on a day: the exception if there is one, else the weekly rule.
        package func isActive(on day: Day) -> Bool {
            if let exception = exceptions[day] { return exception }
            guard let range, range.contains(day) else { return false }
            return weekdays & (1 << UInt8(day.weekday)) != 0
        }
    }
}
