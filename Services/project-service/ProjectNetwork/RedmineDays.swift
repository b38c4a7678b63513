import Dates
import WorkCalendar

/// Working days as Redmine 5 counts them (`lib/redmine/utils/date_calculation.rb`): it has days of
/// the week on which nobody works, and neither holidays nor anyone's own days. Its results differ
/// from those of a ``WorkCalendar`` for a count that begins on a day off: whole weeks are skipped
/// first, so that the remaining days are counted from the day off of another week.
struct RedmineDays {
    /// Whether each day of the week is worked, from Monday.
    private let works: [Bool]
    /// The number of days worked in a week.
    private let count: Int

    /// The days of the week that have hours in a calendar; all, as in Redmine, if none has any.
    init(_ week: WorkCalendar.Week) {
        let works = week.days.map { !$0.isEmpty }
        self.works = works.contains(true) ? works : works.map { _ in true }
        count = self.works.count { $0 }
    }

    /// Returns whether a day is worked.
    func isWorking(_ day: CivilDate) -> Bool { works[weekday(day)] }

    /// Returns the number of working days from a day up to, but not including, another.
    func workingDays(from first: CivilDate, to last: CivilDate) -> Int {
        let days = last.daysSince1970 - first.daysSince1970
        guard days > 0 else { return 0 }
        let start = weekday(first)
        return days / 7 * count + (0..<days % 7).count { works[(start + $0) % 7] }
    }

    /// Returns the first working day on or after a day; nil past the last day of calendars.
    func next(onOrAfter day: CivilDate) -> CivilDate? {
        let start = weekday(day)
        let wait = works.indices.first { works[(start + $0) % 7] } ?? 0
        return Self.day(day.daysSince1970 + wait)
    }

    /// Returns the day a number of working days after a day, or the day itself if the number isn't
    /// positive; nil past the last day of calendars.
    func adding(_ days: Int, to day: CivilDate) -> CivilDate? {
        guard days > 0 else { return day }
        var last = day.daysSince1970 + days / count * 7
        var left = days % count
        var weekday = weekday(day)
        while left > 0 {
            weekday = (weekday + 1) % 7
            last += 1
            if works[weekday] { left -= 1 }
        }
        return Self.day(last).flatMap(next)
    }

    /// 0 on a Monday to 6 on a Sunday; 1970 began on a Thursday.
    private func weekday(_ day: CivilDate) -> Int { floorRemainder(day.daysSince1970 + 3, 7) }

    private static func day(_ number: Int) -> CivilDate? {
        WorkCalendar.Limit.days.contains(number) ? CivilDate(daysSince1970: number) : nil
    }
}
