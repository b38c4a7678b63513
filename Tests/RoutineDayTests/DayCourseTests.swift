import LocalTime
import Messages
import Testing

@testable import RoutineDay

/// Where a person is in a day.
struct DayCourseTests {
    static let minute = DayTime.minute

    /// A day with an appointment from 60 to 90 and a routine with actions from 0, 10 and 100, in
    /// minutes after the day began. Its zone is UTC.
    static func day() throws -> (Day, DayTime) {
        let time = try #require(DayTime(date: "2026-03-02", zone: "UTC"))
        func step(_ id: String, _ from: Int, _ until: Int) -> DayStep {
            DayStep(
                id: id,
                action: RoutineAction(name: id, minutes: UInt32(until - from), priority: 3),
                start: time.instant(elapsed: from), end: time.instant(elapsed: until))
        }
        let day = Day(
            person: "ada", date: "2026-03-02", timeZone: "UTC", state: .confirmed, wake: 0,
            sleep: 1_440,
            items: [
                DayItem(
                    id: "1", routine: "r", name: "Morning",
                    steps: [step("1.1", 1, 10), step("1.2", 10, 20), step("1.3", 100, 110)],
                    until: 1_440),
                DayItem(
                    id: "2", name: "Doctor", steps: [step("2.1", 60, 90)], from: 60, until: 90),
            ], warning: 5)
        return (day, time)
    }

    @Test func `the current action is the one that has begun, and the next one follows in time`()
        throws
    {
        let (day, time) = try Self.day()
        func ids(at minutes: Int) -> [String?] {
            let now = time.instant(elapsed: minutes)
            return [day.current(at: now), day.next(at: now)].map { $0.map { day[$0].id } }
        }
        #expect(ids(at: 0) == [nil, "1.1"])
        #expect(ids(at: 5) == ["1.1", "1.2"])
        #expect(ids(at: 60) == ["2.1", "1.1"])
        #expect(ids(at: 90) == ["1.1", "1.2"])
    }

    @Test func `without a name the current or next action is meant, but no appointment to come`()
        throws
    {
        var (day, time) = try Self.day()
        func named(_ id: String, at minutes: Int) throws -> String {
            day[try day.place(id, at: time.instant(elapsed: minutes))].id
        }
        #expect(try named("", at: 0) == "1.1" && named("", at: 5) == "1.1")
        for step in [0, 1] { day.items[0].steps[step].state = .done }
        let refusal = #expect(throws: Refusal.self) { try named("", at: 30) }
        #expect(refusal?.message.contains("until “Doctor” begins") == true)
        #expect(try named("", at: 60) == "2.1")
    }

    @Test func `the number of an appointment means it, and that of a routine its only action`()
        throws
    {
        let (day, time) = try Self.day()
        #expect(day[try day.place("2", at: time.begin)].id == "2.1")
        let several = #expect(throws: Refusal.self) { try day.place("1", at: time.begin) }
        #expect(several?.message.contains("has several actions") == true)
        #expect(throws: Refusal.self) { try day.place("3", at: time.begin) }
    }

    @Test func `an action that has begun goes on until someone marks it done`() throws {
        var (day, time) = try Self.day()
        day.items[0].steps[0].state = .done
        day.items[0].steps[1].began = day.items[0].steps[1].start
        let now = time.instant(elapsed: 105)
        #expect(day.current(at: now).map { day[$0].id } == "1.2")
        day.items[0].steps[1].state = .done
        #expect(day.current(at: now).map { day[$0].id } == "1.3")
    }

    @Test func `an action that a device takes back is current again, not the next one`() throws {
        let (day, time) = try Self.day()
        let now = time.instant(elapsed: 5)
        var journal = DayJournal(day)
        let id = [UInt8](repeating: 7, count: 16)
        journal.apply(
            DayOperation(
                id: id, step: "1.1", time: now, routine: "r", name: "Morning",
                action: day.items[0].steps[0].action, what: .done(true)))
        #expect(journal.day.current(at: now).map { journal.day[$0].id } == "1.2")

        journal.apply(
            DayOperation(
                id: [UInt8](repeating: 8, count: 16), time: now + 1, what: .undone(id)))

        #expect(journal.day.current(at: now + 1).map { journal.day[$0].id } == "1.1")
        #expect(journal.day.items[0].steps.allSatisfy { $0.began == 0 })
    }

    @Test func `a proposal has no current action, and isn't finished`() throws {
        var (day, time) = try Self.day()
        day.state = .proposed
        #expect(day.current(at: time.instant(elapsed: 5)) == nil && !day.isFinished)
    }

    @Test func `a day is finished when nothing is left in it`() throws {
        var (day, _) = try Self.day()
        for place in day.places { day[place].state = place.step == 1 ? .skipped : .done }
        #expect(day.isFinished && day.toCome.isEmpty)
    }

    @Test(arguments: [
        ("2026-03-29", "Europe/Oslo", 23), ("2026-10-25", "Europe/Oslo", 25),
        ("2026-03-02", "Europe/Oslo", 24), ("2026-04-24", "Africa/Cairo", 23),
    ])
    func `a day has as many hours as the clock shows`(
        date: String, zone: String, hours: Int64
    ) throws {
        let time = try #require(DayTime(date: date, zone: zone))
        #expect(time.end - time.begin == hours * 60 * Self.minute)
        #expect(time.instant(1_440) == time.end)
        #expect(time.clock(time.instant(600)) == "10:00")
    }

    @Test func `an invalid date or time zone gives no time`() {
        #expect(DayTime(date: "2026-02-30", zone: "UTC") == nil)
        #expect(DayTime(date: "2026-02-20", zone: "Europe/Nowhere") == nil)
    }
}
