import LocalTime
import Messages
import RoutineDay
import Testing

/// Which day is proposed when.
struct RhythmRulesTests {
    /// A week with school from Monday to Friday, made by a command.
    private static func school(_ command: ChangeRhythm? = nil) throws -> WeekRhythm {
        var rhythm = WeekRhythm(person: "ada")
        var all = ChangeRhythm()
        all.days = (1...5).map { RhythmDay(weekday: $0, template: "School") }
        try rhythm.change(by: all) { $0 }
        if let command { try rhythm.change(by: command) { $0 } }
        return rhythm
    }

    private func day(_ date: String) throws -> Int64 { try #require(LocalTime.day(date)) }

    @Test func `a weekday has its template, and a day without one has no proposal`() throws {
        let rhythm = try Self.school()
        // The first of February 2027 is a Monday.
        #expect(try rhythm.template(on: day("2027-02-01")) == "School")
        #expect(try rhythm.template(on: day("2027-02-05")) == "School")
        #expect(try rhythm.template(on: day("2027-02-06")) == nil)
        #expect(try rhythm.template(on: day("2027-02-07")) == nil)
        let free = try Self.school(
            ChangeRhythm(days: [RhythmDay(weekday: 1), RhythmDay(weekday: 7, template: "Rest")]))
        #expect(try free.template(on: day("2027-02-01")) == nil)
        #expect(try free.template(on: day("2027-02-07")) == "Rest")
    }

    @Test func `a holiday overrides weekdays, from its first date to its last`() throws {
        let rhythm = try Self.school(
            ChangeRhythm(addHolidays: [
                DayHoliday(from: "2027-02-02", until: "2027-02-03", name: "Break"),
                DayHoliday(from: "2027-02-05", until: "2027-02-05", template: "Trip"),
            ]))
        let templates = try (1...5).map { try rhythm.template(on: day("2027-02-0\($0)")) }
        #expect(templates == ["School", nil, nil, "School", "Trip"])
        let without = try Self.school(
            ChangeRhythm(addHolidays: [DayHoliday(from: "2027-02-02", until: "2027-02-03")]))
        var changed = without
        try changed.change(by: ChangeRhythm(removeHoliday: "2027-02-02")) { $0 }
        #expect(try changed.template(on: day("2027-02-02")) == "School")
        #expect(changed.uses("SCHOOL") && !changed.uses("Trip") && rhythm.uses("trip"))
    }

    @Test func `a day is proposed when its person gets up, or on the evening before`() throws {
        let oslo = try #require(LocalTime(zone: "Europe/Oslo"))
        let date = try day("2027-03-28")
        // The clock is put forward at two in the morning of that day.
        let morning = try Self.school().proposal(of: date, wake: 420, oslo)
        #expect(oslo.reading(at: morning).date == "2027-03-28")
        #expect(oslo.reading(at: morning).time == "07:00")
        let evening = try Self.school(ChangeRhythm(evening: 1_080)).proposal(
            of: date, wake: 420, oslo)
        #expect(oslo.reading(at: evening).date == "2027-03-27")
        #expect(oslo.reading(at: evening).time == "18:00")
        #expect(morning - evening == 12 * 3_600_000)
    }

    @Test(arguments: [
        (ChangeRhythm(days: [RhythmDay(weekday: 0, template: "School")]), "1, Monday, to 7"),
        (ChangeRhythm(days: [RhythmDay(weekday: 8, template: "School")]), "1, Monday, to 7"),
        (
            ChangeRhythm(addHolidays: [DayHoliday(from: "2027-02-03", until: "2027-02-02")]),
            "before it begins on 2027-02-03"
        ),
        (
            ChangeRhythm(addHolidays: [DayHoliday(from: "2027-02-30", until: "2027-03-02")]),
            "two dates"
        ),
        (
            ChangeRhythm(addHolidays: [DayHoliday(from: "2027-01-01", until: "2028-01-02")]),
            "at most 366 days"
        ),
        (
            ChangeRhythm(addHolidays: [
                DayHoliday(from: "2027-02-01", until: "2027-02-09"),
                DayHoliday(from: "2027-02-09", until: "2027-02-10"),
            ]), "overlaps the holiday from 2027-02-01 to 2027-02-09"
        ),
        (ChangeRhythm(removeHoliday: "2027-02-01"), "no holiday begins on 2027-02-01"),
        (ChangeRhythm(evening: 1_440), "evening before"),
        (ChangeRhythm(evening: 1_080, morning: true), "evening before"),
    ])
    func `impossible values are refused with the reason`(
        command: ChangeRhythm, reason: String
    ) throws {
        var rhythm = try Self.school()
        let refusal = #expect(throws: Refusal.self) { try rhythm.change(by: command) { $0 } }
        #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
    }

    @Test func `more than fifty holidays are refused`() throws {
        var rhythm = try Self.school()
        let days = (0..<51).map { index in
            let date = "20\(27 + index / 12)-\(index % 12 < 9 ? "0" : "")\(index % 12 + 1)-01"
            return DayHoliday(from: date, until: date)
        }
        try rhythm.change(by: ChangeRhythm(addHolidays: Array(days.prefix(50)))) { $0 }
        #expect(throws: Refusal.self) {
            try rhythm.change(by: ChangeRhythm(addHolidays: [days[50]])) { $0 }
        }
    }
}
