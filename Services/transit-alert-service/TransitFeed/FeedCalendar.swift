import Dates

extension Feed {
    /// The days on which the trips of one `service_id` run.
    package struct Calendar: Equatable, Sendable {
        /// The feed's `service_id`, byte for byte.
        package var id: String

        /// Bit 0 is Monday, bit 6 is Sunday; 0 when only the exceptions count.
        package var weekdays: UInt8

        /// The first and the last day of the weekly rule; `nil` when only the exceptions count.
        package var range: ClosedRange<CivilDate>?

        /// Single days on which the service runs (`true`) or does not (`false`), contrary to the
        /// rule.
        package var exceptions: [CivilDate: Bool]

        /// Makes a calendar, by default one that never runs.
        package init(
            id: String, weekdays: UInt8 = 0, range: ClosedRange<CivilDate>? = nil,
            exceptions: [CivilDate: Bool] = [:]
        ) {
            self.id = id
            self.weekdays = weekdays
            self.range = range
            self.exceptions = exceptions
        }

        /// Whether the service runs on a day: by the exception if there is one, else by the weekly
        /// rule.
        package func isActive(on day: CivilDate) -> Bool {
            if let exception = exceptions[day] { return exception }
            guard let range, range.contains(day) else { return false }
            return weekdays & (1 << UInt8(day.weekday)) != 0
        }
    }
}
