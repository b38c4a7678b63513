import Dates
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectRecord

/// Holidays of a project, which its people have off too. Monday is 03-02.
struct HolidayTests {
    /// A project with a holiday on Thursday.
    private func withHoliday() throws -> ProjectRecord {
        var record = try project()
        var details = record.details
        details.calendar = try WorkCalendar(holidays: [.init(day: day("03-05"), name: "Town day")])
        try record.make(.changeDetails(details))
        return record
    }

    @Test func `an assigned issue keeps its working days around a holiday`() throws {
        var record = try withHoliday()
        try record.add("Walls", "03-02", "03-02")
        try record.add("Floor", "03-03", "03-04", assignee: 1)
        try record.relate(1, 2)

        try record.change(1) { $0.span = span("03-02", "03-03") }

        #expect(record.issues[2]?.span == span("03-04", "03-06"))
    }

    @Test(arguments: CascadeMode.allCases)
    func `an absence and a holiday both make an issue end later`(mode: CascadeMode) throws {
        var record = try withHoliday()
        try record.add("Walls", "03-02", "03-04", assignee: 1)
        var kari = try #require(record.members[1])
        let away = WorkCalendar.Absence(days: day("03-04")...day("03-04"), reason: "Ill")
        kari.calendar = try WorkCalendar(absences: [away])

        let outcome = try record.make(.keepMember(kari, moving: mode))

        #expect(record.issues[1]?.span == span("03-02", "03-06"))
        // The calendar that is kept is that of the person.
        #expect(record.members[1] == kari)
        try record.apply(outcome.changes.reversed().map(\.reversed))
        #expect(record.issues[1]?.span == span("03-02", "03-04"))
    }

    @Test func `nobody has time for the project on a holiday`() throws {
        var record = try withHoliday()
        try record.add("Walls", "03-02", "03-06", assignee: 1)
        let row = try #require(
            WorkLoad(of: record, from: day("03-02"), to: day("03-06")).rows.first)
        #expect(row.weeks.map(\.planned) == [4 * 480])
        #expect(row.weeks.map(\.available) == [4 * 480])
    }

    @Test func `a meeting delays what somebody does around a holiday`() throws {
        var record = try withHoliday()
        try record.add("Walls", "03-04", "03-06", assignee: 1)
        try record.change(1) { $0.estimate = 2 * 480 }
        // There is no time to spare: Thursday isn't worked.
        let delay = try MeetingDelay(record).delay(of: 60, [(member: 1, day: day("03-06"))])
        #expect(delay == MeetingDelay.Delay(issue: 1, minutes: 60))
    }

    @Test func `a person with hours of their own on a holiday works, and everyone without it does`()
        throws
    {
        var record = try withHoliday()
        var ola = try #require(record.members[2])
        ola.calendar = try WorkCalendar(
            holidays: [.init(day: day("03-05"), name: "Shift", hours: [480..<720])])
        try record.make(.keepMember(ola))
        let holiday = day("03-05")
        #expect(
            [1, 2, nil].map { record.calendar(of: $0).isWorking(holiday) } == [
                false, true, false,
            ])
        #expect(try record.network().people[1]?.isWorking(holiday) == false)

        var details = record.details
        details.calendar = try WorkCalendar()
        let outcome = try record.make(.changeDetails(details))

        #expect([1, 2, nil].allSatisfy { record.calendar(of: $0).isWorking(holiday) })
        #expect(try record.network().people[1]?.isWorking(holiday) == true)
        try record.apply(outcome.changes.reversed().map(\.reversed))
        #expect(!record.calendar(of: 1).isWorking(holiday))
    }
}
