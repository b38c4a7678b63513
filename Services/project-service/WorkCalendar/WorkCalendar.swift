import Bisection
import Dates

/// The days and hours at which someone works: a week that may change, holidays, days with their own
/// hours, and absences. It depends on neither the clock nor a time zone.
///
/// Days are those of the person's own calendar, and hours are those of their local clock.
package struct WorkCalendar: Hashable, Sendable {
    /// The limits of a calendar.
    package enum Limit {
        /// The dates that it may contain, in days since 1970.
        package static let days = 0...2_932_896
        /// The maximum number of stretches of work in a day.
        package static let stretches = 12
        /// The latest end of a day's work, in minutes: it may end on the next day.
        package static let minutes = 2_880
        /// The maximum number of terms, holidays and days of absence.
        package static let terms = 200
        package static let holidays = 10_000
        package static let daysOff = 20_000
        /// The maximum length of a text, such as the reason of an absence, in bytes of UTF-8.
        package static let text = 200
    }

    /// The working hours of each day of a week.
    package struct Week: Hashable, Sendable {
        /// The stretches of work from Monday to Sunday, in minutes after midnight, in order and
        /// apart.
        package let days: [[Range<Int>]]

        /// Creates a week with these hours.
        ///
        /// - Throws: a ``CalendarError`` that names the day.
        package init(_ days: [[Range<Int>]]) throws(CalendarError) {
            guard days.count == 7 else { throw .wrongNumberOfDays(days.count) }
            for (day, hours) in days.enumerated() {
                try CalendarError.validate(hours, of: "weekday \(day + 1)")
            }
            self.days = days
        }

        /// Creates a week with the same hours on some days, 0 for Monday to 6 for Sunday.
        package init(_ hours: [Range<Int>], on days: Set<Int>) throws(CalendarError) {
            try self.init((0..<7).map { days.contains($0) ? hours : [] })
        }

        private init(unchecked days: [[Range<Int>]]) { self.days = days }

        /// Monday to Friday from 8 to 12 and from 13 to 17 o'clock.
        package static let usual = Week(
            unchecked: (0..<7).map { $0 < 5 ? [480..<720, 780..<1020] : [] })
    }

    /// A period with a different week, such as part-time work.
    package struct Term: Hashable, Sendable {
        /// The first and the last day.
        package var days: ClosedRange<CivilDate>
        /// The week in that period.
        package var week: Week

        package init(days: ClosedRange<CivilDate>, week: Week) {
            self.days = days
            self.week = week
        }
    }

    /// A day that differs from the week.
    package struct Holiday: Hashable, Sendable {
        package var day: CivilDate
        /// The name of the day.
        package var name: String
        /// The hours that are worked anyway: none on a holiday, fewer on the eve of one, and some
        /// on a Saturday that is worked.
        package var hours: [Range<Int>]

        package init(day: CivilDate, name: String, hours: [Range<Int>] = []) {
            self.day = day
            self.name = name
            self.hours = hours
        }
    }

    /// A period in which a person is absent.
    package struct Absence: Hashable, Sendable {
        /// The first and the last day.
        package var days: ClosedRange<CivilDate>
        /// The reason, in the person's words.
        package var reason: String

        package init(days: ClosedRange<CivilDate>, reason: String) {
            self.days = days
            self.reason = reason
        }
    }

    package let week: Week
    /// The terms, in order and apart.
    package let terms: [Term]
    /// The holidays, in order and at most one a day.
    package let holidays: [Holiday]
    /// The absences, in the order in which they were given; they may overlap.
    package let absences: [Absence]

    /// The sums of working days and of working minutes.
    let workingDays: DayCount
    let workingMinutes: DayCount

    /// Creates a calendar from its parts.
    ///
    /// - Throws: a ``CalendarError`` that names the invalid part.
    package init(
        week: Week = .usual, terms: [Term] = [], holidays: [Holiday] = [],
        absences: [Absence] = []
    ) throws(CalendarError) {
        try CalendarError.validate(terms.count, of: "terms", most: Limit.terms)
        try CalendarError.validate(holidays.count, of: "holidays", most: Limit.holidays)
        try CalendarError.validate(absences.count, of: "absences", most: Limit.daysOff)
        let terms = terms.sorted { $0.days.lowerBound < $1.days.lowerBound }
        for (index, term) in terms.enumerated() {
            try CalendarError.validate(term.days)
            if index > 0, terms[index - 1].days.upperBound >= term.days.lowerBound {
                throw .overlappingTerms(term.days.lowerBound)
            }
        }
        let holidays = holidays.sorted { $0.day < $1.day }
        for (index, holiday) in holidays.enumerated() {
            try CalendarError.validate(holiday.day...holiday.day)
            try CalendarError.validate(holiday.name)
            try CalendarError.validate(holiday.hours, of: "the holiday on \(holiday.day.iso)")
            if index > 0, holidays[index - 1].day == holiday.day { throw .twice(holiday.day) }
        }
        var daysOff = 0
        for absence in absences {
            try CalendarError.validate(absence.days)
            try CalendarError.validate(absence.reason)
            daysOff += absence.days.upperBound - absence.days.lowerBound + 1
            try CalendarError.validate(daysOff, of: "days of absence", most: Limit.daysOff)
        }
        self.init(valid: week, terms, holidays, absences)
    }

    /// Creates a calendar from parts that are valid and in order.
    private init(valid week: Week, _ terms: [Term], _ holidays: [Holiday], _ absences: [Absence]) {
        self.week = week
        self.terms = terms
        self.holidays = holidays
        self.absences = absences
        let special = Self.special(terms, holidays, absences, week)
        workingDays = DayCount(week: week, terms: terms, special: special) { $0.isEmpty ? 0 : 1 }
        workingMinutes = DayCount(week: week, terms: terms, special: special) {
            $0.reduce(0) { $0 + $1.count }
        }
    }

    /// Returns the hours of each day that differs from its week, in order.
    private static func special(
        _ terms: [Term], _ holidays: [Holiday], _ absences: [Absence], _ week: Week
    ) -> [(day: CivilDate, usual: [Range<Int>], hours: [Range<Int>])] {
        var hours: [CivilDate: [Range<Int>]] = [:]
        for holiday in holidays { hours[holiday.day] = holiday.hours }
        for absence in absences {
            for day in absence.days.lowerBound.daysSince1970...absence.days.upperBound.daysSince1970
            {
                hours[CivilDate(daysSince1970: day)] = []
            }
        }
        return hours.sorted { $0.key < $1.key }.map { day, hours in
            (day, Self.week(on: day, terms, week).days[day.weekday], hours)
        }
    }

    private static func week(on day: CivilDate, _ terms: [Term], _ week: Week) -> Week {
        let place = terms.bisect { $0.days.upperBound >= day }
        return place < terms.count && terms[place].days.contains(day) ? terms[place].week : week
    }
}

extension WorkCalendar {
    /// Returns the same calendar without work on the holidays of another, such as a project's. A
    /// day for which it has hours of its own keeps them.
    package func observing(_ other: WorkCalendar) -> WorkCalendar {
        let own = Set(holidays.map(\.day))
        let added = other.holidays.filter { $0.hours.isEmpty && !own.contains($0.day) }
        guard !added.isEmpty else { return self }
        let all = (holidays + added).sorted { $0.day < $1.day }
        return WorkCalendar(valid: week, terms, all, absences)
    }
}

extension WorkCalendar {
    /// The reason why a day has its hours.
    package enum DayKind: Hashable, Sendable {
        /// The week applies.
        case usual
        /// A holiday or another day with its own hours, and its name.
        case holiday(String)
        /// The person is absent; the string is the reason.
        case absence(String)
    }

    /// Returns the reason why a day has its hours. An absence takes precedence over a holiday.
    package func kind(of day: CivilDate) -> DayKind {
        if let absence = absences.first(where: { $0.days.contains(day) }) {
            return .absence(absence.reason)
        }
        let place = holidays.bisect { $0.day >= day }
        return place < holidays.count && holidays[place].day == day
            ? .holiday(holidays[place].name) : .usual
    }

    /// Returns the working hours of a day, in minutes after its midnight. Work after the next
    /// midnight belongs to the day on which it began.
    package func hours(on day: CivilDate) -> [Range<Int>] {
        switch kind(of: day) {
        case .absence: return []
        case .holiday:
            return holidays[holidays.bisect { $0.day >= day }].hours
        case .usual: return Self.week(on: day, terms, week).days[day.weekday]
        }
    }

    /// Returns whether there is work on a day.
    package func isWorking(_ day: CivilDate) -> Bool {
        workingDays.before(day.daysSince1970 + 1) > workingDays.before(day.daysSince1970)
    }

    /// Returns the first working day on or after a day; nil when there is none before the year
    /// 10000.
    package func next(onOrAfter day: CivilDate) -> CivilDate? {
        workingDays.day(
            number: workingDays.before(day.daysSince1970), near: day.daysSince1970)
    }

    /// Returns the last working day on or before a day; nil when there is none since 1970.
    package func last(onOrBefore day: CivilDate) -> CivilDate? {
        let count = workingDays.before(day.daysSince1970 + 1)
        return count > 0 ? workingDays.day(number: count - 1, near: day.daysSince1970) : nil
    }

    /// Returns the number of working days from a day up to, but not including, another; negative
    /// when the other is earlier.
    package func workingDays(from first: CivilDate, to last: CivilDate) -> Int {
        workingDays.before(last.daysSince1970) - workingDays.before(first.daysSince1970)
    }

    /// Returns the number of minutes worked from a day up to, but not including, another.
    package func workingMinutes(from first: CivilDate, to last: CivilDate) -> Int {
        workingMinutes.before(last.daysSince1970) - workingMinutes.before(first.daysSince1970)
    }

    /// Returns the working day that comes `count` working days after the first on or after `day`,
    /// or before it when the count is negative; nil when it isn't in the years 1970 to 9999.
    package func day(_ count: Int, after day: CivilDate) -> CivilDate? {
        let (number, isTooFar) = workingDays.before(day.daysSince1970).addingReportingOverflow(
            count)
        return isTooFar ? nil : workingDays.day(number: number, near: day.daysSince1970)
    }

    /// Returns the day on which work of this many minutes ends if it begins on a day; nil when that
    /// is after the year 9999.
    package func day(afterWork minutes: Int, from day: CivilDate) -> CivilDate? {
        let begun = workingMinutes.before(day.daysSince1970)
        let (number, isTooFar) = begun.addingReportingOverflow(max(0, minutes - 1))
        return isTooFar ? nil : workingMinutes.day(number: number, near: day.daysSince1970)
    }
}

extension CivilDate {
    static func - (left: CivilDate, right: CivilDate) -> Int {
        left.daysSince1970 - right.daysSince1970
    }
}
