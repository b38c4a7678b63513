import Messages
import RoutineDay
import Testing

@testable import RoutineService

/// The time of what is being done while a day is paused.
struct PauseTests {
    private func end(of id: String, in day: Day, _ time: DayTime) throws -> String {
        let place = try #require(day.places.first { day[$0].id == id })
        return time.clock(day[place].end)
    }

    @Test func `more time that is given in a pause is added to what was left`() throws {
        var (day, time) = try DayRunningTests.day()
        try day.settle(at: time.instant(422), time)
        #expect(try end(of: "1.1", in: day, time) == "07:05")
        try day.pause(true, at: time.instant(422))

        _ = try day.lengthen(by: 5, at: time.instant(432))
        try day.pause(false, at: time.instant(442))
        try day.settle(at: time.instant(442), time, mustFit: true)

        // Three minutes were left, and five are added.
        #expect(try end(of: "1.1", in: day, time) == "07:30")
        let place = try #require(day.current(at: time.instant(442)))
        #expect(day[place].id == "1.1" && day[place].rested == 20 * DayTime.minute)
    }

    @Test func `an action whose time came in a pause gets no more than its own time after it`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        try day.pause(true, at: time.instant(410))

        // At 07:15 it is given five minutes beyond its five, of which none have passed by 07:00.
        _ = try day.lengthen(by: 5, at: time.instant(435))
        try day.pause(false, at: time.instant(440))

        #expect(try end(of: "1.1", in: day, time) == "07:30")
    }
}
