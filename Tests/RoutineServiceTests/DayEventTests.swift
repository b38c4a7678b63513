import Messages
import RoutineDay
import TestStore
import TestSupport
import Testing

@testable import RoutineService

/// The rules of meetings and shifts in a day.
struct DayEventTests {
    private static func event(
        _ id: String, _ from: UInt32, _ until: UInt32, _ time: DayTime
    ) -> DayEvent {
        DayEvent(
            kind: .meeting, id: id, person: "ada", name: id, start: time.instant(from),
            end: time.instant(until))
    }

    private func items(_ day: Day) -> [String] {
        day.items.filter { !$0.event.isEmpty }.map { "\($0.name) \($0.from)-\($0.until)" }.sorted()
    }

    @Test func `events are added, moved and removed, and repeating that changes nothing`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        let (a, b) = (Self.event("a", 600, 660, time), Self.event("b", 630, 700, time))
        let isNew = day.follow([b, a], time)
        #expect(isNew)
        #expect(items(day) == ["a 600-660", "b 630-700"])
        let before = day
        let isOther = day.follow([a, b], time)
        #expect(!isOther && day == before)
        let hasMoved = day.follow([Self.event("a", 720, 780, time)], time)
        #expect(hasMoved && items(day) == ["a 720-780"])
        let isGone = day.follow([], time)
        #expect(isGone && items(day) == [])
    }

    @Test func `events that have ended stay, and one that is moved later is to come again`() throws
    {
        var (day, time) = try DayRunningTests.day()
        _ = day.follow([Self.event("a", 600, 660, time)], time)
        try day.settle(at: time.instant(661), time, mustFit: true)
        let place = try #require(day.places.first { day.items[$0.item].name == "a" })
        #expect(day[place].state == .done)
        let isGone = day.follow([], time)
        #expect(!isGone)
        let hasMoved = day.follow([Self.event("a", 900, 960, time)], time)
        #expect(hasMoved)
        #expect(day[place].state == .unspecified && day[place].ended == 0)
    }

    @Test func `a removed event stays out, and comes back if the day is restored`() throws {
        var (day, time) = try DayRunningTests.day()
        let event = Self.event("a", 600, 660, time)
        _ = day.follow([event], time)
        let before = day
        let item = try #require(day.items.first { $0.event == event.key })
        day.leaveOut(item)
        day.items.removeAll { $0.event == event.key }
        let isBack = day.follow([event], time)
        #expect(!isBack && items(day) == [])
        day = before
        let isOther = day.follow([event], time)
        #expect(!isOther && items(day) == ["a 600-660"])
    }

    @Test func `the event that began last is current, and a shift continues after its meeting`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        day.items.removeAll()
        _ = day.follow(
            [Self.event("shift", 480, 960, time), Self.event("meeting", 600, 660, time)], time)
        func now(_ minutes: UInt32) throws -> [String?] {
            let now = time.instant(minutes)
            try day.settle(at: now, time)
            return [day.current(at: now), day.next(at: now)].map {
                $0.map { day.items[$0.item].name }
            }
        }
        #expect(try now(500) == ["shift", "meeting"])
        #expect(try now(600) == ["meeting", nil])
        #expect(try now(660) == ["shift", nil])
        #expect(try now(960) == [nil, nil] && day.isFinished)
    }

    @Test func `a shift over midnight is in both days, each with its own part`() throws {
        let (_, evening) = try DayRunningTests.day("2026-03-28")
        let (_, night) = try DayRunningTests.day("2026-03-29")
        // The clock is put forward that night.
        let shift = DayEvent(
            kind: .shift, id: "s", person: "ada", name: "Harbour", start: evening.instant(1_320),
            end: night.instant(240))
        for (date, part, minutes) in [
            ("2026-03-28", "Harbour 1320-1440", 120), ("2026-03-29", "Harbour 0-240", 180),
        ] {
            var (day, time) = try DayRunningTests.day(date)
            let isIn = day.follow([shift], time)
            #expect(isIn && items(day) == [part])
            let step = try #require(day.items.last?.steps.first)
            #expect(step.action?.minutes == UInt32(minutes))
        }
        var (other, time) = try DayRunningTests.day("2026-03-30")
        let isIn = other.follow([shift], time)
        #expect(!isIn)
    }

    @Test func `a shift over midnight is announced once, but stays urgent`() throws {
        var (day, time) = try DayRunningTests.day("2026-03-29")
        day.items.removeAll()
        let shift = DayEvent(
            kind: .shift, id: "s", person: "ada", name: "Harbour",
            start: time.begin - 7_200_000, end: time.begin + 7_200_000)
        _ = day.follow([shift], time)
        try day.settle(at: time.begin, time, mustFit: true)
        func kinds(_ begun: Set<String>, urgent: [String] = []) -> [[String]] {
            [time.begin - DayTime.minute, time.begin].map { now in
                DayAlerts(
                    day: day, time: time, organisation: "local", urgent: urgent, begun: begun
                ).wanted(at: now).map(\.raised.kind)
            }
        }

        // One that begins at midnight is announced.
        #expect(kinds([]) == [["routine.soon"], ["routine.due"]])
        #expect(kinds([shift.key]) == [[], []])
        #expect(kinds([shift.key], urgent: ["Harbour"]) == [[], ["routine.due"]])
    }

    @Test(arguments: [true, false])
    func `a shift over midnight is announced at midnight only if nobody was told when it began`(
        isDayBeforePlanned: Bool
    ) throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        // 2027-01-15, 00:00 in UTC.
        let begin: Int64 = 1_799_971_200_000
        let hour: Int64 = 3_600_000
        let dates = ["2027-01-15"] + (isDayBeforePlanned ? ["2027-01-14"] : [])
        try store.run(at: begin - 12 * hour) { transaction in
            _ = try People.change(ChangeDaySettings(withShifts: true), in: transaction)
            try DayEvent(
                kind: .shift, id: "s", person: transaction.principal.account, name: "Harbour",
                start: begin - hour, end: begin + hour
            ).save(transaction.db)
            for date in dates {
                let tea = Appointment(name: "Tea", from: 900, until: 960)
                _ = try Days.plan(
                    PlanDay(date: date, appointments: [tea], timeZone: "UTC"), in: transaction)
                _ = try DayChanges.change(
                    ChangeDay(date: date, change: .confirm(true)), in: transaction)
            }
        }

        let kinds = try store.run(at: begin) { transaction -> [String] in
            let subject = "\(transaction.principal.account)/2027-01-15"
            try DayWatch.wake(subject, due: begin, in: transaction)
            return try transaction.standingAlerts(of: subject).map(\.raised.kind)
        }

        #expect(kinds == (isDayBeforePlanned ? [] : ["routine.due"]))
    }

    @Test func `a long name is cut, and a day has at most thirty appointments`() throws {
        var (day, time) = try DayRunningTests.day()
        let many = (0..<40).map { number in
            var event = Self.event("\(number)", 600, 660, time)
            event.name = String(repeating: "👨‍👩‍👧‍👦", count: 200)
            return event
        }
        _ = day.follow(many, time)
        #expect(day.items.count(where: \.isAppointment) == 30)
        let kept = try Day(unpacking: day.packed())
        #expect(kept == day)
    }

    @Test func `each event is done, skipped or left out with a reason, whatever moves and when`()
        throws
    {
        for number in 0..<40 {
            var seed = Seed(UInt64(number))
            let date = seed.oneIn(2) ? "2026-03-29" : "2026-10-25"
            var (day, time) = try DayRunningTests.day(date)
            var events: [DayEvent] = []
            var now = time.begin
            while now < time.end + 3_600_000 {
                now += Int64(1 + seed.below(90)) * DayTime.minute
                try day.settle(at: now, time)
                guard now < time.end else { continue }
                if seed.oneIn(3), !events.isEmpty { events.remove(at: seed.below(events.count)) }
                let from = UInt32(seed.below(1_380))
                events.append(
                    Self.event("\(seed.below(5))", from, from + UInt32(seed.below(180)), time))
                var known: Set<String> = []
                events = events.reversed().filter { known.insert($0.key).inserted }
                if day.follow(events, time) { try day.settle(at: now, time, mustFit: true) }
            }
            for place in day.places {
                let step = day[place]
                #expect([.done, .skipped, .leftOut].contains(step.state), "\(number): \(step)")
                #expect((step.reason == nil) == (step.state == .done), "\(number): \(step)")
            }
        }
    }
}
