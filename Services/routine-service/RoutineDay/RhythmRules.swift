import Dates
import LocalTime
import Messages

/// The rules of a weekly rhythm: which day is proposed when.
extension WeekRhythm {
    /// The maximum number of holidays of a person.
    private static let mostHolidays = 50
    /// The maximum number of days of a holiday.
    private static let longest = 366

    /// Returns the name of the template for a date; nil when nothing is proposed for it.
    ///
    /// - Parameter day: the date, in days since 1970-01-01.
    package func template(on day: Int64) -> String? {
        let date = CivilDate(daysSince1970: Int(day)).iso
        let name: String?
        if let holiday = holidays.first(where: { $0.from <= date && date <= $0.until }) {
            name = holiday.template
        } else {
            name = days.first { Int64($0.weekday) == Self.weekday(day) }?.template
        }
        return name?.isEmpty == false ? name : nil
    }

    /// Returns the day of the week, 1 for Monday to 7 for Sunday.
    package static func weekday(_ day: Int64) -> Int64 { (day + 3) % 7 + 1 }

    /// Returns the first instant at which a day is proposed.
    ///
    /// - Parameters:
    ///   - day: the date, in days since 1970-01-01.
    ///   - wake: when the person gets up, in minutes after midnight.
    ///   - local: the person's local time.
    /// - Returns: milliseconds since 1970.
    package func proposal(of day: Int64, wake: UInt32, _ local: LocalTime) -> Int64 {
        guard let evening else { return local.instant(day: day, minutes: Int(wake)) }
        return local.instant(day: day - 1, minutes: Int(evening))
    }

    /// Returns whether the rhythm uses a template.
    package func uses(_ template: String) -> Bool {
        let key = template.nameKey
        return days.contains { $0.template.nameKey == key }
            || holidays.contains { $0.template.nameKey == key }
    }

    /// Applies a command.
    ///
    /// - Parameters:
    ///   - command: the changes.
    ///   - template: returns the stored name of a template; throws if there is none.
    /// - Throws: a refusal if a value is invalid; the rhythm must not be saved then.
    package mutating func change(
        by command: ChangeRhythm, template: (String) throws -> String
    ) throws {
        for day in command.days {
            guard (1...7).contains(day.weekday) else {
                throw Refusal.invalid("a day of the week is 1, Monday, to 7, Sunday")
            }
            days.removeAll { $0.weekday == day.weekday }
            guard !day.template.isEmpty else { continue }
            days.append(RhythmDay(weekday: day.weekday, template: try template(day.template)))
        }
        days.sort { $0.weekday < $1.weekday }
        if !command.removeHoliday.isEmpty {
            let before = holidays.count
            holidays.removeAll { $0.from == command.removeHoliday }
            guard holidays.count < before else {
                throw Refusal.notFound(
                    "no holiday begins on \(command.removeHoliday.prefix(40)); see steward day "
                        + "rhythm")
            }
        }
        for holiday in command.addHolidays { try add(holiday, template) }
        if command.morning { evening = nil }
        if let wanted = command.evening {
            guard wanted < 1_440, !command.morning else {
                throw Refusal.invalid("a day is proposed in the morning or on the evening before")
            }
            evening = wanted
        }
    }

    private mutating func add(
        _ holiday: DayHoliday, _ template: (String) throws -> String
    ) throws {
        var holiday = holiday
        holiday.name = holiday.name.tidied
        try validateText(holiday.name, "the name of a holiday", 0...80)
        guard let from = LocalTime.day(holiday.from), let until = LocalTime.day(holiday.until)
        else { throw Refusal.invalid("a holiday has two dates, such as 2027-06-20 2027-08-15") }
        guard from <= until else {
            throw Refusal.invalid(
                "the holiday ends on \(holiday.until), before it begins on \(holiday.from)")
        }
        guard until - from < Self.longest else {
            throw Refusal.invalid("a holiday has at most \(Self.longest) days")
        }
        if let other = holidays.first(where: {
            $0.from <= holiday.until && holiday.from <= $0.until
        }) {
            throw Refusal.conflict(
                "it overlaps the holiday from \(other.from) to \(other.until); remove that first")
        }
        guard holidays.count < Self.mostHolidays else {
            throw Refusal.conflict(
                "there are \(holidays.count) holidays already; remove one that is over")
        }
        if !holiday.template.isEmpty { holiday.template = try template(holiday.template) }
        holidays.append(holiday)
        holidays.sort { $0.from < $1.from }
    }
}
