import Messages
import Phrases
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// Days during which the clock is ahead for a while, and is then set right.
struct WrongClockTests {
    private static let hour: Int64 = 3_600_000

    /// What is left of a day to compare: the state and the times of each action.
    private func steps(_ day: Day) -> [String] {
        day.places.map {
            let step = day[$0]
            return "\(step.id) \(step.state) \(step.start)-\(step.end) \(step.began) \(step.ended)"
        }.sorted()
    }

    @Test(arguments: [Int64(1), 5, 10, 15, 20, 1_000])
    func `when a clock that was ahead is set right, the day goes on as if it had been right`(
        hours: Int64
    ) throws {
        var (straight, time) = try DayRunningTests.day { day, time in
            try day.add(Appointment(name: "Doctor", from: 600, until: 660), time)
        }
        let now = time.instant(421)
        try straight.settle(at: now - DayTime.minute, time)
        var leapt = straight
        try straight.settle(at: now, time)

        try leapt.settle(at: now + hours * Self.hour, time)
        try leapt.settle(at: now, time, wasAhead: true)

        // An action that was extended goes on for a few minutes longer at most.
        let place = try #require(leapt.current(at: now))
        #expect(leapt[place].id == "1.1" && leapt[place].end <= now + 5 * DayTime.minute)
        let open = [leapt, straight].map { day in
            day.places.filter { day[$0].state == .unspecified }.map { day[$0].id }.sorted()
        }
        #expect(open[0] == open[1] && open[0].count == 4)
        #expect(leapt.toCome.allSatisfy { leapt[$0].began <= now })
    }

    @Test func `a day that only a wrong clock had ended is as planned once the clock is right`()
        throws
    {
        var (day, time) = try DayRunningTests.day { day, time in
            try day.add(Appointment(name: "Doctor", from: 600, until: 660), time)
        }
        try day.settle(at: time.begin, time)
        let before = steps(day)

        try day.settle(at: time.end + Self.hour, time)
        #expect(day.toCome.isEmpty)
        try day.settle(at: time.begin, time)

        #expect(steps(day) == before)
        #expect(day.places.allSatisfy { day[$0].reason == nil })
    }

    @Test func `what people mark while the clock is ahead stays when it is set right`() throws {
        var (day, time) = try DayRunningTests.day()
        let ahead = time.instant(730)
        try day.settle(at: ahead, time)
        let walk = try day.place("2.1", at: ahead)
        try day.mark(walk, .skipped, at: ahead)
        try day.settle(at: ahead, time, mustFit: true)

        try day.settle(at: time.instant(421), time)

        #expect(try step(day, "2.1").state == .skipped)
        #expect(try step(day, "1.1").state == .unspecified)
    }

    @Test func `what is marked as done while the clock is ahead doesn't put off the rest`() throws {
        var (day, time) = try DayRunningTests.day()
        try day.settle(at: time.instant(420), time)
        let ahead = time.instant(1_140)
        let teeth = try day.place("1.1", at: ahead)
        try day.mark(teeth, .done, at: ahead)
        try day.settle(at: ahead, time, mustFit: true)

        try day.settle(at: time.instant(425), time)

        #expect(try step(day, "1.1").state == .done)
        #expect(try time.clock(step(day, "1.2").start) == "07:05")
        #expect(try time.clock(step(day, "2.1").start) == "12:00")
    }

    private func step(_ day: Day, _ id: String) throws -> DayStep {
        let place = try #require(day.places.first { day[$0].id == id })
        return day[place]
    }

    @Test func `an action for which another leaves no room is left out until there is room`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        let now = time.instant(422)
        try day.settle(at: now, time)
        // It now takes until 10:55, and breakfast must be over at 11:00.
        for minutes in [UInt32(120), 110] { _ = try day.lengthen(by: minutes, at: now) }
        try day.fit(time, at: now)
        let breakfast = try step(day, "1.2")
        #expect(breakfast.state == .leftOut && breakfast.ended == 0)
        #expect(breakfast.reason?.text(in: .english) == "There was no room: it takes 20 min.")
        let before = day
        try day.settle(at: now + DayTime.minute, time)
        #expect(day == before)

        let soon = now + 2 * DayTime.minute
        try day.mark(try day.place("1.1", at: soon), .done, at: soon)
        try day.fit(time, at: soon)

        #expect(try step(day, "1.2").isToCome && time.clock(step(day, "1.2").start) == "07:04")
    }

    @Test func `an action for which another leaves no room is skipped once its time is over`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        let now = time.instant(422)
        try day.settle(at: now, time)
        for minutes in [UInt32(120), 110] { _ = try day.lengthen(by: minutes, at: now) }
        try day.fit(time, at: now)

        try day.settle(at: time.instant(661), time)

        let breakfast = try step(day, "1.2")
        #expect(breakfast.state == .skipped && breakfast.ended == time.instant(640))
        #expect(breakfast.reason?.text(in: .english) == "Its time was over at 11:00.")
    }

    @Test func `a day that is over by a wrong clock is watched, and its alerts come again`() throws
    {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        // 2027-01-15, 08:00 in UTC.
        let now: Int64 = 1_800_000_000_000
        let (date, start) = ("2027-01-15", now + Self.hour)
        let subject = try store.run(at: now) { transaction -> String in
            let tea = Appointment(name: "Tea", from: 540, until: 600)
            _ = try Days.plan(
                PlanDay(date: date, appointments: [tea], timeZone: "UTC"), in: transaction)
            _ = try DayChanges.change(
                ChangeDay(date: date, change: .confirm(true)), in: transaction)
            return "\(transaction.principal.account)/\(date)"
        }
        func wake(at time: Int64) throws -> (kinds: [String], due: Int64?) {
            try store.run(at: time) { transaction in
                try transaction.cancelTimer(DayWatch.watch, subject: subject)
                try DayWatch.wake(subject, due: time, in: transaction)
                return (
                    try transaction.standingAlerts(of: subject).map(\.raised.kind),
                    try transaction.timerDue(DayWatch.watch, subject: subject)
                )
            }
        }
        let end = now + 16 * Self.hour

        let over = try wake(at: end)
        #expect(over.kinds == [] && over.due == end + 6 * Self.hour)

        // The clock is set right, so that the timer, which was set ahead, fires.
        #expect(try wake(at: start).kinds == ["routine.due"])
        #expect(try wake(at: end + 6 * Self.hour).due == nil)
    }
}
