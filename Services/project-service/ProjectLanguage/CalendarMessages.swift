import Dates
import Messages
import WorkCalendar

extension CivilDate {
    /// The date in an ISO 8601 text; nil for an empty one.
    ///
    /// - Throws: a refusal that says which date it is.
    package static func read(_ text: String, _ name: String) throws(Refusal) -> CivilDate? {
        guard !text.isEmpty else { return nil }
        guard let date = CivilDate(iso: text) else {
            throw .invalid("\(name) is “\(text.prefix(20))”; write it as 2026-03-31")
        }
        return date
    }
}

extension WorkWeeks {
    /// The calendar in the message; the usual week when it is empty.
    ///
    /// - Throws: a refusal that names what is wrong.
    package func calendar() throws(Refusal) -> WorkCalendar {
        let holidays = try special.map { day throws(Refusal) in
            guard let date = try CivilDate.read(day.date, "a holiday") else {
                throw .invalid("a holiday has no date")
            }
            return WorkCalendar.Holiday(
                day: date, name: day.name, hours: try day.hours.map(Self.range))
        }
        let absences = try absences.map { absence throws(Refusal) in
            guard let first = try CivilDate.read(absence.first, "the beginning of an absence"),
                let last = try CivilDate.read(absence.last, "the end of an absence")
            else { throw .invalid("an absence needs its first and its last day") }
            guard first <= last else {
                throw .invalid("an absence ends on \(last.iso), before it begins on \(first.iso)")
            }
            return WorkCalendar.Absence(days: first...last, reason: absence.reason)
        }
        let hours = try days.map { day throws(Refusal) in
            try day.hours.map(Self.range)
        }
        do {
            let week = hours.isEmpty ? .usual : try WorkCalendar.Week(hours)
            return try WorkCalendar(week: week, holidays: holidays, absences: absences)
        } catch {
            throw .invalid(error.description)
        }
    }

    private static func range(_ hours: WorkHours) throws(Refusal) -> Range<Int> {
        guard hours.from < hours.to else {
            throw .invalid("working hours end before they begin")
        }
        return Int(hours.from)..<Int(hours.to)
    }

    /// The message for a calendar. Terms aren't included yet.
    package init(_ calendar: WorkCalendar) {
        func told(_ hours: [Range<Int>]) -> [WorkHours] {
            hours.map {
                WorkHours(
                    from: UInt32(clamping: $0.lowerBound), to: UInt32(clamping: $0.upperBound))
            }
        }
        self.init(
            days: calendar.week == .usual
                ? [] : calendar.week.days.map { WorkDay(hours: told($0)) },
            special: calendar.holidays.map {
                SpecialDay(date: $0.day.iso, name: $0.name, hours: told($0.hours))
            },
            absences: calendar.absences.map {
                WorkAbsence(
                    first: $0.days.lowerBound.iso, last: $0.days.upperBound.iso, reason: $0.reason)
            })
    }
}

extension WorkCalendar {
    /// The maximum number of bytes of the message for a calendar: a project and a person are read
    /// and published with theirs, beside other things.
    package static let mostBytes = 128 << 10

    /// Refuses a calendar that is too large, unless it replaces one that is no smaller.
    ///
    /// - Parameters:
    ///   - owner: whose calendar it is.
    ///   - before: the calendar that it replaces; nil for a new one.
    package func validateSize(
        of owner: String, replacing before: WorkCalendar? = nil
    ) throws(Refusal) {
        let bytes = WorkWeeks(self).packed().count
        guard bytes > Self.mostBytes else { return }
        if let before, bytes <= WorkWeeks(before).packed().count { return }
        throw .invalid(
            "the calendar of \(owner) would have \(bytes) bytes, and may have "
                + "\(Self.mostBytes); remove days that are over, or shorten their names")
    }
}
