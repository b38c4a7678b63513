import LocalTime
import Messages
import Testing

@testable import ShiftLog

/// Tests of the shifts that begin by themselves.
struct ScheduleTests {
    private static let hour: Int64 = 3_600_000

    private let berlin: LocalTime
    /// 2026-11-02, a Monday.
    private let monday: Int64

    init() throws {
        berlin = try #require(LocalTime(zone: "Europe/Berlin"))
        monday = try #require(LocalTime.day("2026-11-02"))
    }

    private func shift(
        _ id: String = "s", _ weekdays: [UInt32] = [1, 2, 3, 4, 5], begins: UInt32 = 6 * 60,
        ends: UInt32? = 14 * 60, part: UInt32 = 1
    ) -> ScheduledShift {
        ScheduledShift(id: id, dayPart: part, weekdays: weekdays, begins: begins, ends: ends)
    }

    private func time(_ day: Int64, _ minutes: Int) -> Int64 {
        berlin.instant(day: day, minutes: minutes)
    }

    @Test func `the weekday of a day follows from the calendar`() {
        #expect(Weekdays.of(day: 0) == 4)
        #expect(Weekdays.of(day: -1) == 3)
        #expect((0..<7).map { Weekdays.of(day: monday + $0) } == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `a shift begins only on its weekdays, at its local time`() {
        let week = shift().occurrences(
            after: time(monday, 0) - 1, upTo: time(monday + 7, 0) - 1, berlin)

        #expect(week.map(\.due) == (0..<5).map { time(monday + $0, 6 * 60) })
        #expect(week.map(\.until) == (0..<5).map { time(monday + $0, 14 * 60) })
        #expect(week.first?.date == "2026-11-02")
        #expect(shift().next(after: time(monday + 4, 6 * 60), berlin)?.date == "2026-11-09")
    }

    @Test func `a span of time has each start once, wherever it is cut`() {
        let all = shift(ends: nil)
        let (from, to) = (time(monday - 30, 0), time(monday + 30, 0))
        let whole = all.occurrences(after: from, upTo: to, berlin)
        for step in [Self.hour, 7 * Self.hour + 1, 25 * Self.hour] {
            let cut = stride(from: from, to: to, by: Int64.Stride(step)).flatMap {
                all.occurrences(after: $0, upTo: min($0 + step, to), berlin)
            }
            #expect(cut == whole)
        }
    }

    @Test func `on days of 23 and 25 hours a shift begins once, by the wall clock`() throws {
        // Clocks skip 02:00 to 03:00 on 2026-03-29, and show it twice on 2026-10-25.
        for (date, hours) in [("2026-03-29", 23), ("2026-10-25", 25)] {
            let day = try #require(LocalTime.day(date))
            #expect(time(day + 1, 0) - time(day, 0) == Int64(hours) * Self.hour)
            for minutes in stride(from: UInt32(0), to: 1_440, by: 30) {
                let found = shift("s", [7], begins: minutes, ends: nil).occurrences(
                    after: time(day, 0) - 1, upTo: time(day + 1, 0) - 1, berlin)
                #expect(found.count == 1 && found.first?.date == date, "\(date) \(minutes)")
                let reading = berlin.reading(at: found.first?.due ?? 0)
                let isSkipped = hours == 23 && (120..<180).contains(minutes)
                #expect(reading.minutes == (isSkipped ? 180 : Int(minutes)))
            }
        }
        let night = shift("s", [6], begins: 22 * 60, ends: 6 * 60)
        let day = try #require(LocalTime.day("2026-10-24"))
        let found = try #require(night.next(after: time(day, 0), berlin))
        #expect(found.until - found.due == 9 * Self.hour)
    }

    @Test func `a shift isn't due at times before it was scheduled`() {
        var late = shift()
        late.since = time(monday, 6 * 60)
        let found = late.occurrences(after: 0, upTo: time(monday + 1, 12 * 60), berlin)
        #expect(found.map(\.date) == ["2026-11-03"])
    }

    @Test func `a shift that is out of range can't be scheduled`() throws {
        try shift().validate()
        let changes: [(inout ScheduledShift) -> Void] = [
            { $0.dayPart = 3 }, { $0.weekdays = [] }, { $0.weekdays = [0] },
            { $0.weekdays = [2, 1] }, { $0.weekdays = [1, 1] }, { $0.begins = 1_440 },
            { $0.ends = 1_440 }, { $0.ends = 360 }, { $0.ends = 21 * 60 + 1 },
        ]
        for (number, change) in changes.enumerated() {
            var wrong = shift()
            change(&wrong)
            #expect(throws: Refusal.self, "\(number)") { try wrong.validate() }
        }
    }

    @Test func `two shifts of a site can't begin at the same time`() throws {
        try shift("a", [1, 2]).validateApart(from: [shift("b", [3]), shift("c", [1], begins: 361)])
        #expect(throws: Refusal.self) {
            try shift("a", [1, 2]).validateApart(from: [shift("b", [2, 3], part: 2)])
        }
    }

    @Test func `a shift begins within two hours, and not after its end`() throws {
        let due = try #require(shift().next(after: time(monday, 0), berlin))
        let decide = { (minutes: Int64) in
            StartDecision.outcomes(
                of: [due], waiting: [], open: nil, at: due.due + minutes * 60_000)
        }
        #expect(decide(0) == [.begin] && decide(119) == [.begin])
        #expect(decide(120) == [.missed(.off)])
        let short = try #require(shift(ends: 361).next(after: time(monday, 0), berlin))
        #expect(short.latest == short.due + 60_000)
    }

    @Test func `a shift waits for the open one to end`() throws {
        let due = try #require(shift().next(after: time(monday, 0), berlin))
        let other = Shift(dayPart: 2, started: due.due - 10 * Self.hour)
        let decide = { (open: Shift?, time: Int64) in
            StartDecision.outcomes(of: [due], waiting: [due], open: open, at: time)
        }
        #expect(decide(other, due.due + 1) == [.waiting])
        #expect(decide(nil, due.due + Self.hour) == [.begin])
        #expect(decide(other, due.latest) == [.missed(.open)])
        let unseen = StartDecision.outcomes(of: [due], waiting: [], open: other, at: due.latest)
        #expect(unseen == [.missed(.open)])
        let byHand = Shift(dayPart: 1, started: due.due - 300_000)
        #expect(decide(byHand, due.due) == [.begun])
        let yesterday = Shift(dayPart: 1, started: due.due - 24 * Self.hour)
        #expect(decide(yesterday, due.due) == [.waiting])
    }

    @Test func `another manager's shift isn't the scheduled one`() throws {
        var planned = shift()
        planned.manager = "bob"
        let due = try #require(planned.next(after: time(monday, 0), berlin))
        let decide = { (open: Shift?, time: Int64) in
            StartDecision.outcomes(of: [due], waiting: [], open: open, at: time)
        }
        for minutes: Int64 in [-90, 5] {
            let began = due.due + minutes * 60_000
            let hers = Shift(manager: "ann", dayPart: 1, started: began)
            let his = Shift(manager: "bob", dayPart: 1, started: began)
            #expect(decide(hers, due.due + 600_000) == [.waiting])
            #expect(decide(his, due.due + 600_000) == [.begun])
        }
        let hers = Shift(manager: "ann", dayPart: 1, started: due.due - Self.hour)
        #expect(decide(hers, due.latest) == [.missed(.open)])
        #expect(decide(nil, due.due + Self.hour) == [.begin])
    }

    @Test func `of several due shifts only the newest begins`() throws {
        let late = shift("late", begins: 7 * 60, part: 2)
        let due = [shift(), late].compactMap { $0.next(after: time(monday, 0), berlin) }
        let outcomes = StartDecision.outcomes(
            of: due, waiting: [], open: nil, at: time(monday, 7 * 60 + 30))
        #expect(outcomes == [.missed(.off), .begin])
    }

    @Test func `a list is used only on its weekdays`() {
        var list = ChecklistTemplate()
        #expect(list.isUsed(onDay: monday))
        list.weekdays = [1, 3]
        #expect(
            (0..<7).map { list.isUsed(onDay: monday + $0) }
                == [true, false, true, false, false, false, false])
    }
}
