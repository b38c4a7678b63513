import Messages
import Phrases
import RoutineDay
import ServiceRuntime
import Testing

@testable import RoutineService

/// Urgent actions in a running day: they raise their alerts, whatever else happens or is forgotten.
struct UrgentActionTests {
    private let urgent = ["pill"]

    /// A confirmed day from seven on: getting dressed, eating and a pill, of ten minutes each.
    private func morning(isApart: Bool = false) throws -> (Day, DayTime) {
        var day = try Day.begin(
            "2026-03-02", of: DayRunningTests.person, zone: "Europe/Oslo", wake: nil, sleep: nil)
        let time = try #require(DayTime(of: day))
        let actions = ["Dress", "Eat", "Pill"].map {
            RoutineAction(name: $0, minutes: 10, priority: 3)
        }
        let first = isApart ? Array(actions.prefix(2)) : actions
        try day.add(Routine(id: "m", name: "Morning", actions: first, from: 300, until: 660))
        if isApart {
            try day.add(
                Routine(
                    id: "p", name: "Pills", actions: [actions[2]], from: 450, until: 660))
        }
        day = try DayFitting(day, time, at: time.begin).fitted(isNew: true)
        day.state = .confirmed
        return (day, time)
    }

    private func step(_ day: Day, _ id: String) throws -> DayStep {
        let place = try #require(day.places.first { day[$0].id == id })
        return day[place]
    }

    private func wanted(_ day: Day, _ time: DayTime, at minute: UInt32) -> [StandingAlert] {
        DayAlerts(day: day, time: time, organisation: "local", urgent: urgent)
            .wanted(at: time.instant(minute))
    }

    /// The titles of the urgent alerts.
    private func urgentTitles(_ day: Day, _ time: DayTime, at minute: UInt32) -> [String] {
        wanted(day, time, at: minute).map(\.raised).filter { $0.severity == .urgent }.map(\.title)
    }

    /// Brings a day up to each minute from seven until another one, and returns those in which the
    /// pill has its urgent alert.
    private func follow(
        _ day: inout Day, _ time: DayTime, until last: UInt32
    ) throws -> [UInt32] {
        var due: [UInt32] = []
        for minute in UInt32(420)...last {
            try day.settle(at: time.instant(minute), time, urgent: urgent)
            if urgentTitles(day, time, at: minute) == ["Now: Pill"] { due.append(minute) }
        }
        return due
    }

    @Test(arguments: [(false, "1.3"), (true, "2.1")])
    func `an urgent action is due as planned, even if nothing before it was marked as done`(
        isApart: Bool, id: String
    ) throws {
        var (day, time) = try morning(isApart: isApart)
        let planned = time.minutes(try step(day, id).start)
        #expect((440...460).contains(planned))

        let due = try follow(&day, time, until: 660)

        #expect(due == Array(planned..<660))
        #expect(try step(day, id).state == .skipped)
    }

    @Test func `what is due and not urgent is put off by what takes longer`() throws {
        var (day, time) = try morning()
        for minute in UInt32(420)...460 { try day.settle(at: time.instant(minute), time) }
        #expect(try step(day, "1.3").start > time.instant(460))
    }

    @Test func `an urgent action that had to wait begins when the one before it is done`() throws {
        var (day, time) = try morning()
        _ = try follow(&day, time, until: 450)
        let now = time.instant(450)

        let place = try day.place("1.1", at: now)
        try day.mark(place, .done, at: now)
        day.goOn(after: place, at: now)
        try day.settle(at: now, time, urgent: urgent, mustFit: true)

        #expect(day.current(at: now).map { day[$0].id } == "1.3")
        let pill = try step(day, "1.3")
        #expect(pill.began == now && pill.end == time.instant(460))
        #expect(try step(day, "1.2").start == pill.end)
        #expect(urgentTitles(day, time, at: 450) == ["Now: Pill"])
    }

    @Test func `an appointment doesn't replace the alert for an urgent action`() throws {
        var (day, time) = try morning()
        try day.add(Appointment(name: "Call", from: 455, until: 600), time)
        for place in day.places where ["1.1", "1.2"].contains(day[place].id) {
            try day.mark(place, .done, at: time.instant(430))
        }
        _ = try follow(&day, time, until: 470)

        let alerts = wanted(day, time, at: 470)

        #expect(Set(alerts.map(\.raised.title)) == ["Now: Call", "Now: Pill"])
        #expect(Set(alerts.map(\.key)).count == 2)
        #expect(urgentTitles(day, time, at: 470) == ["Now: Pill"])
    }

    @Test func `an urgent action whose place is taken by an appointment isn't left out`() throws {
        var (day, time) = try morning()
        let now = time.instant(421)
        try day.settle(at: now, time, urgent: urgent)
        try day.add(Appointment(name: "Call", from: 422, until: 660), time)

        try day.settle(at: now, time, urgent: urgent, mustFit: true)

        #expect(try step(day, "1.2").state == .leftOut)
        let due = try follow(&day, time, until: 500)
        #expect(due.first == 440)
    }

    @Test func `an urgent action isn't put off by more time for the one before it`() throws {
        var (day, time) = try morning()
        let now = time.instant(421)
        try day.settle(at: now, time, urgent: urgent)

        _ = try day.lengthen(by: 60, at: now)
        try day.settle(at: now, time, urgent: urgent, mustFit: true)

        #expect(try step(day, "1.3").start == time.instant(440))
        #expect(try step(day, "1.2").start >= time.instant(490))
        #expect(try follow(&day, time, until: 445).first == 440)
    }

    @Test func `a change doesn't put off what is urgent while an action takes longer`() throws {
        var (day, time) = try morning()
        _ = try follow(&day, time, until: 438)

        try day.add(Appointment(name: "Call", from: 800, until: 810), time)
        try day.settle(at: time.instant(438), time, urgent: urgent, mustFit: true)

        #expect(try step(day, "1.3").start == time.instant(440))
    }

    @Test func `each urgent action that is due has an alert of its own until it is done`() throws {
        var (day, time) = try morning()
        let both = ["pill", "eat"]
        for minute in UInt32(420)...445 {
            try day.settle(at: time.instant(minute), time, urgent: both)
        }
        func wanted(at minute: UInt32, told: [String] = []) -> [StandingAlert] {
            DayAlerts(day: day, time: time, organisation: "local", told: told, urgent: both)
                .wanted(at: time.instant(minute))
        }
        let alerts = wanted(at: 445, told: ["kim"])
        #expect(
            alerts.map(\.raised.title).prefix(3) == ["Now: Dress", "Now: Eat", "Now: Pill"])
        #expect(Set(alerts.map(\.key)).count == 6)
        let copies = alerts.filter {
            DayAlerts.isCopy($0.key, for: "kim", of: $0.raised.subject)
        }
        #expect(copies.map(\.raised.recipient) == ["kim", "kim", "kim"])
        let eat = try #require(alerts.first { $0.raised.title == "Now: Eat" })

        let now = time.instant(446)
        let dress = try day.place("1.1", at: now)
        try day.mark(dress, .done, at: now)
        try day.settle(at: now, time, urgent: both, mustFit: true)

        // Whoever has seen it isn't alerted again because it is the current one now.
        #expect(day.current(at: now).map { day[$0].id } == "1.2")
        let later = wanted(at: 446).filter { $0.raised.title == "Now: Eat" }
        #expect(later.map(\.key) == [eat.key] && later.map(\.occasion) == [eat.occasion])
    }

    @Test func `a routine doesn't go on before an urgent action that is due`() throws {
        var (day, time) = try morning(isApart: true)
        _ = try follow(&day, time, until: 480)
        let now = time.instant(480)

        let place = try day.place("1.1", at: now)
        try day.mark(place, .done, at: now)
        day.goOn(after: place, at: now)
        try day.settle(at: now, time, urgent: urgent, mustFit: true)

        #expect(day.current(at: now).map { day[$0].id } == "2.1")
        #expect(try step(day, "1.2").began == 0)
    }

    @Test func `someone may still put off an urgent action that is due`() throws {
        var (day, time) = try morning(isApart: true)
        let due = try follow(&day, time, until: 480)
        #expect(!due.isEmpty)

        _ = try day.move(MoveItem(item: "Pills", start: 540), time, at: time.instant(480))
        try day.settle(at: time.instant(480), time, urgent: urgent, mustFit: true)

        #expect(try step(day, "2.1").start == time.instant(540))
        #expect(urgentTitles(day, time, at: 480) == [])
    }
}
