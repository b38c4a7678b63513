import Messages
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// Days on which the clock is put forward or back, without a service.
struct ChangedClockTests {
    @Test(arguments: [("2027-03-28", "03:00"), ("2027-10-31", "02:00")])
    func `a routine of the hour that is skipped or comes twice is done once`(
        date: String, begin: String
    ) throws {
        var (day, time) = try DayRunningTests.day(date) { day, _ in
            day.wake = 0
            let pill = RoutineAction(name: "Pill", minutes: 20, priority: 5)
            try day.add(
                Routine(id: "p", name: "Night", actions: [pill], from: 120, until: 180))
        }
        let place = try day.place("3.1", at: time.begin)
        let id = day[place].id
        func pill() throws -> DayStep {
            let place = try #require(day.places.first { day[$0].id == id })
            return day[place]
        }
        let start = try pill().start
        #expect(time.clock(start) == begin)

        var beginnings: [Int64] = []
        for minute in 0..<time.elapsed(time.end) {
            try day.settle(at: time.instant(elapsed: minute), time)
            if let current = day.current(at: time.instant(elapsed: minute)), day[current].id == id {
                beginnings.append(day[current].start)
            }
        }

        #expect(Set(beginnings) == [start] && beginnings.count >= 20)
        #expect(try pill().state == .skipped)
        #expect(try pill().ended >= start + 20 * DayTime.minute)
    }

    @Test func `what a template has in the hour that is skipped begins after it`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let date = "2027-03-28"
        let time = try #require(DayTime(date: date, zone: "Europe/Oslo"))
        let drip = Appointment(name: "Drip", from: 135, until: 165)
        func plan(_ command: PlanDay) throws -> Day {
            try store.run(at: time.begin) { try Days.plan(command, in: $0) }
        }
        _ = try store.run(at: time.begin) { transaction -> DaySettings in
            try DayTemplate(name: "Usual", appointments: [drip])
                .save(of: transaction.principal.account, transaction.db)
            return try People.change(
                ChangeDaySettings(timeZone: "Europe/Oslo", wake: 0), in: transaction)
        }

        let refusal = #expect(throws: Refusal.self) {
            try plan(PlanDay(date: date, appointments: [drip]))
        }
        #expect(refusal?.message.contains("lies where the clock is put forward") == true)

        // A person who types a time can give another, but nobody chose this one for that night.
        let planned = try plan(PlanDay(date: date, template: "Usual"))
        let proposed = try store.run(at: time.begin) { transaction -> Day? in
            let person = try #require(
                try PersonRow.ofAccount(transaction.principal.account, transaction.db))
            try transaction.db.execute(sql: "DELETE FROM day")
            try WeekRhythm(
                person: person.account, days: [RhythmDay(weekday: 7, template: "Usual")]
            ).save(transaction.db)
            try Rhythms.settle(person, in: transaction)
            return try Day.of(person.account, date, transaction.db)
        }

        for day in [planned, try #require(proposed)] {
            let step = try #require(day.items.first?.steps.first)
            #expect(time.clock(step.start) == "03:00" && time.clock(step.end) == "03:30")
        }
    }
    /// The zones in which a Thursday and a Friday are planned, and how many hours after the
    /// beginning of the Friday a shift begins.
    private static let journeys: [(String, String, Int64)] = [
        // Thursday lasts until six on Friday morning.
        ("America/New_York", "Europe/Oslo", 2),
        // Thursday is over at six in the evening, before the shift that goes on over midnight.
        ("Europe/Oslo", "America/New_York", -1),
        // Across the date line, Thursday lasts exactly as long as Friday, or ends a day before it.
        ("Pacific/Pago_Pago", "Pacific/Auckland", 12),
        ("Pacific/Auckland", "Pacific/Pago_Pago", 12),
    ]

    @Test(arguments: journeys)
    func `a traveller is told once when a shift begins`(
        from: String, to: String, hour: Int64
    ) throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let friday = try #require(DayTime(date: "2027-01-15", zone: to))
        let start = friday.begin + hour * 60 * DayTime.minute
        let tea = Appointment(name: "Tea", from: 1_380, until: 1_410)
        try store.run(at: friday.begin - 36 * 60 * DayTime.minute) { transaction in
            try DayEvent(
                kind: .shift, id: "s", person: transaction.principal.account, name: "Harbour",
                start: start, end: start + 90 * DayTime.minute
            ).save(transaction.db)
            for (zone, date) in [(from, "2027-01-14"), (to, "2027-01-15")] {
                _ = try People.change(
                    ChangeDaySettings(timeZone: zone, warning: 0, withShifts: true),
                    in: transaction)
                _ = try Days.plan(PlanDay(date: date, appointments: [tea]), in: transaction)
                _ = try DayChanges.change(
                    ChangeDay(date: date, change: .confirm(true)), in: transaction)
            }
        }

        var told: Set<String> = []
        for minutes in [Int64(0), 61] {
            let now = start + minutes * DayTime.minute
            try store.run(at: now) { transaction in
                for date in ["2027-01-14", "2027-01-15"] {
                    let subject = "\(transaction.principal.account)/\(date)"
                    try DayWatch.wake(subject, due: now, in: transaction)
                    told.formUnion(
                        try transaction.standingAlerts(of: subject).map(\.raised).filter {
                            $0.kind == "routine.due" && $0.title.contains("Harbour")
                        }.map(\.subject))
                }
            }
        }

        #expect(told.count == 1)
    }
}
