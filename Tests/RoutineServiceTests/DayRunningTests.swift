import LocalTime
import Messages
import Phrases
import RoutineDay
import ServiceRuntime
import TestSupport
import Testing

@testable import RoutineService

/// A running day without a service: its changes depend only on the day and the time.
struct DayRunningTests {
    static let person = PersonRow(
        account: "ada", organisation: "local", settings: .usual(of: "ada"))

    /// A confirmed day: teeth and breakfast in the morning, a walk in the afternoon.
    static func day(
        _ date: String = "2026-03-02", zone: String = "Europe/Oslo",
        _ change: (inout Day, DayTime) throws -> Void = { _, _ in }
    ) throws -> (Day, DayTime) {
        var day = try Day.begin(date, of: person, zone: zone, wake: nil, sleep: nil)
        let time = try #require(DayTime(of: day))
        let teeth = RoutineAction(library: "hygiene.brushTeeth", minutes: 5, priority: 3)
        let breakfast = RoutineAction(library: "meals.breakfast", minutes: 20, priority: 4)
        let walk = RoutineAction(library: "movement.walk", minutes: 30, priority: 2)
        try day.add(
            Routine(id: "m", name: "Morning", actions: [teeth, breakfast], from: 300, until: 660))
        try day.add(Routine(id: "a", name: "Out", actions: [walk], from: 720, until: 1_080))
        try change(&day, time)
        day = try DayFitting(day, time, at: time.begin).fitted(isNew: true)
        day.state = .confirmed
        return (day, time)
    }

    private func step(_ day: Day, _ id: String) throws -> DayStep {
        let place = try #require(day.places.first { day[$0].id == id })
        return day[place]
    }

    @Test func `a day is planned within the hours that its person is up`() throws {
        let (day, time) = try Self.day()
        #expect(day.toCome.map { day[$0].id } == ["1.1", "1.2", "2.1"])
        #expect(time.clock(try step(day, "1.1").start) == "07:00")
        #expect(time.clock(try step(day, "1.2").start) == "07:05")
        #expect(time.clock(try step(day, "2.1").start) == "12:00")
    }

    @Test func `an action is skipped in the very minute its time has passed, with the reason`()
        throws
    {
        var (day, time) = try Self.day { day, _ in day.items.removeFirst() }
        // It takes 30 minutes and may be done until 18:00, so it may begin at 17:30 at the latest.
        // It is paused, so it hasn't begun.
        day.paused = time.instant(700)
        let last = time.instant(1_050)
        try day.settle(at: last, time)
        #expect(try step(day, "2.1").state == .unspecified)
        #expect(day.nextChange(after: last, time) == last + 1)
        try day.settle(at: last + 1, time)
        let skipped = try step(day, "2.1")
        #expect(skipped.state == .skipped && skipped.ended == last)
        #expect(skipped.reason?.text(in: .english) == "Its time was over at 18:00.")
    }

    @Test func `an action that takes all of its time begins even if the timer is a little late`()
        throws
    {
        var (day, time) = try Self.day { day, _ in
            let pill = RoutineAction(name: "Pill", minutes: 5, priority: 5)
            try day.add(Routine(id: "p", name: "Pills", actions: [pill], from: 600, until: 605))
        }
        for place in day.toCome where day[place].id != "3.1" {
            try day.mark(place, .skipped, at: time.instant(430))
        }
        let start = try step(day, "3.1").start
        #expect(time.clock(start) == "10:00" && day.nextChange(after: start - 1, time) == start)

        var late = day
        try day.settle(at: start + 5, time)
        #expect(try step(day, "3.1").began == start)

        // It doesn't begin when the machine was off until it could no longer be done.
        try late.settle(at: start + DayTime.minute, time)
        let skipped = try step(late, "3.1")
        #expect(skipped.state == .skipped && skipped.ended == start)
    }

    @Test func `an action that takes longer is extended by five minutes and moves the rest`() throws
    {
        var (day, time) = try Self.day()
        let seven = time.instant(420)
        try day.settle(at: seven, time)
        #expect(try step(day, "1.1").began == seven)
        try day.settle(at: seven + 5 * DayTime.minute, time)
        #expect(time.clock(try step(day, "1.1").end) == "07:10")
        #expect(time.clock(try step(day, "1.2").start) == "07:10")
        #expect(try step(day, "1.2").began == 0)
    }

    @Test func `finishing early lets the next action of the routine begin immediately`() throws {
        var (day, time) = try Self.day()
        let now = time.instant(422)
        try day.settle(at: now, time)
        let place = try day.place("", at: now)
        try day.mark(place, .done, at: now)
        day.goOn(after: place, at: now)
        try day.settle(at: now, time, mustFit: true)
        #expect(day.current(at: now).map { day[$0].id } == "1.2")
        #expect(time.clock(try step(day, "1.2").end) == "07:22")
        #expect(try step(day, "1.1").began == time.instant(420))
    }

    @Test func `an action that is done before its time begins no other of its routine`() throws {
        var (day, time) = try Self.day { day, _ in
            let actions = ["Medicine", "Brush"].map {
                RoutineAction(name: $0, minutes: 5, priority: 4)
            }
            try day.add(
                Routine(id: "e", name: "Evening", actions: actions, from: 1_080, until: 1_320))
        }
        for state in [StepState.done, .skipped] {
            var early = day
            let now = time.instant(700)
            try early.settle(at: now, time)
            let place = try early.place("3.1", at: now)
            try early.mark(place, state, at: now)
            early.goOn(after: place, at: now)
            try early.settle(at: now, time, mustFit: true)
            #expect(try step(early, "3.1").state == state && step(early, "3.2").began == 0)
            #expect(try step(early, "3.2").start >= time.instant(1_080))
            #expect(DayAlerts(day: early, time: time, organisation: "local").wanted(at: now) == [])
        }
        // Within the hours of its routine the person has begun it a little early.
        let now = time.instant(390)
        let teeth = try day.place("1.1", at: now)
        try day.mark(teeth, .done, at: now)
        day.goOn(after: teeth, at: now)
        #expect(try step(day, "1.2").began == now)
    }

    @Test func `an appointment is done when it has ended, and nothing else is planned meanwhile`()
        throws
    {
        var (day, time) = try Self.day { day, time in
            try day.add(Appointment(name: "Doctor", from: 725, until: 780, preparation: 20), time)
        }
        #expect(time.clock(try step(day, "2.1").start) == "13:00")
        try day.settle(at: time.instant(780), time)
        let doctor = try step(day, "3.1")
        #expect(doctor.state == .done && doctor.ended == time.instant(780))
    }

    @Test func `an action skipped by the rule stays skipped, even when others are undone`()
        throws
    {
        var (day, time) = try Self.day()
        try day.settle(at: time.instant(661), time)
        #expect(try step(day, "1.1").state == .skipped && step(day, "1.2").state == .skipped)
        let before = day
        try day.settle(at: time.instant(662), time)
        #expect(day == before)
    }

    @Test(arguments: [
        ("2026-03-29", "Europe/Oslo"), ("2026-10-25", "Europe/Oslo"),
        ("2026-04-24", "Africa/Cairo"), ("2026-04-05", "Australia/Lord_Howe"),
        ("2026-03-08", "America/Havana"), ("2026-06-01", "UTC"),
    ])
    func `each action is exactly one of done, skipped and left out, whenever the machine was off`(
        date: String, zone: String
    ) throws {
        for number in 0..<12 {
            var seed = Seed(UInt64(number))
            var (day, time) = try Self.day(date, zone: zone) { day, time in
                for index in 0..<seed.below(5) {
                    let minutes = UInt32(1 + seed.below(200))
                    let from = UInt32(seed.below(1_200))
                    try day.add(
                        Routine(
                            id: "r\(index)", name: "R\(index)",
                            actions: [
                                RoutineAction(name: "x", minutes: minutes, priority: 3),
                                RoutineAction(name: "y", minutes: 5, priority: 1),
                            ], from: from, until: from + 1 + UInt32(seed.below(240))))
                }
            }
            var now = time.begin
            while now < time.end + 3_600_000 {
                // The machine is off for minutes or hours; then someone does something.
                now += Int64(1 + seed.below(seed.oneIn(4) ? 500 : 40)) * DayTime.minute
                try day.settle(at: now, time)
                guard now < time.end, day.current(at: now) != nil, seed.oneIn(2) else {
                    continue
                }
                let place = try day.place("", at: now)
                guard !day.items[place.item].isAppointment else { continue }
                try day.mark(place, seed.oneIn(3) ? .skipped : .done, at: now)
                day.goOn(after: place, at: now)
                try day.settle(at: now, time, mustFit: true)
            }
            for place in day.places {
                let step = day[place]
                #expect([.done, .skipped, .leftOut].contains(step.state), "\(step)")
                #expect((step.reason == nil) == (step.state == .done), "\(step)")
                #expect((step.ended == 0) == (step.state == .leftOut), "\(step)")
                #expect(step.ended <= time.end)
            }
            #expect(day.nextChange(after: time.end, time) == nil)
        }
    }

    @Test func `what is left out says why, and comes back when there is room`() throws {
        var (day, time) = try Self.day { day, time in
            try day.add(Appointment(name: "School", from: 425, until: 655), time)
        }
        let left = try #require(day.places.map { day[$0] }.first { $0.state == .leftOut })
        #expect(left.reason?.text(in: .english)?.contains("School") == true)
        day.items.removeAll(where: \.isAppointment)
        try day.settle(at: time.begin, time, mustFit: true)
        #expect(day.places.allSatisfy { day[$0].state == .unspecified && day[$0].reason == nil })
    }

    @Test func `a day goes on even if devices have recorded much more than was planned`() throws {
        var (day, time) = try Self.day()
        let now = time.instant(600)
        var journal = DayJournal(day)
        for number in UInt8(0)..<60 {
            let action = RoutineAction(name: "extra \(number)", minutes: 1, priority: 3)
            journal.apply(
                DayOperation(
                    id: [number] + [UInt8](repeating: 0, count: 15), step: "x",
                    time: now - Int64(number) * DayTime.minute, routine: "r", name: "Extra",
                    action: action, what: .done(true)))
        }
        day = journal.day
        #expect(day.items.count == 62)
        try day.settle(at: now, time, mustFit: true)
        #expect(day.places.count { day[$0].state == .done } == 60)
        #expect(try step(day, "2.1").isToCome)
        // Nor does an action end beyond all limits, however often more time is given to it.
        try day.settle(at: time.instant(720), time)
        for _ in 1...30 { _ = try day.lengthen(by: 120, at: time.instant(720)) }
        try day.settle(at: time.instant(721), time, mustFit: true)
        #expect(try step(day, "2.1").began > 0)
    }

    @Test func `a pause keeps the time that is left`() throws {
        var (day, time) = try Self.day()
        let now = time.instant(422)
        try day.settle(at: now, time)
        try day.pause(true, at: now)
        let later = now + 20 * DayTime.minute
        try day.settle(at: later, time)
        #expect(DayAlerts(day: day, time: time, organisation: "local").wanted(at: later) == [])
        try day.pause(false, at: later)
        try day.settle(at: later, time, mustFit: true)
        #expect(time.clock(try step(day, "1.1").end) == "07:25")
        #expect(throws: Refusal.self) { try day.pause(false, at: later) }
    }

    @Test func `a pause silences neither appointments nor urgent actions`() throws {
        var (day, time) = try Self.day { day, time in
            let medicine = RoutineAction(name: "Take medicine", minutes: 10, priority: 5)
            try day.add(
                Routine(id: "p", name: "Pills", actions: [medicine], from: 480, until: 510))
            try day.add(Appointment(name: "Call", from: 600, until: 630), time)
        }
        let urgent = ["take medicine"]
        func wanted(at minutes: UInt32) -> [AlertRaised] {
            DayAlerts(day: day, time: time, organisation: "local", urgent: urgent)
                .wanted(at: time.instant(minutes)).map(\.raised)
        }
        try day.settle(at: time.instant(422), time, urgent: urgent)
        try day.pause(true, at: time.instant(422))
        let start = try step(day, "3.1").start
        #expect(time.clock(start) == "08:00")
        #expect(wanted(at: 479) == [] && day.nextChange(after: start - 1, time) == start)

        #expect(wanted(at: 480).map(\.title) == ["Now: Take medicine"])
        #expect(wanted(at: 480).map(\.severity) == [.urgent])
        // It stands as long as if the day were running; what isn't urgent, only while it fits.
        var calm = day
        try calm.settle(at: time.instant(501), time)
        #expect(try step(calm, "3.1").state == .skipped)
        try day.settle(at: time.instant(509), time, urgent: urgent)
        #expect(wanted(at: 509).map(\.title) == ["Now: Take medicine"])
        #expect(day.nextChange(after: time.instant(509), time) == time.instant(510))
        try day.settle(at: time.instant(510), time, urgent: urgent)
        #expect(try step(day, "3.1").state == .skipped && wanted(at: 510) == [])

        #expect(wanted(at: 595).map(\.title) == ["Soon, at 10:00: Call"])
        #expect(wanted(at: 600).map(\.title) == ["Now: Call"])
        #expect(day.paused > 0)
    }

    @Test func `what is skipped in a pause moves nothing that was announced`() throws {
        var (day, time) = try Self.day { day, _ in
            let pill = RoutineAction(name: "Pill", minutes: 5, priority: 5)
            try day.add(Routine(id: "p", name: "Pills", actions: [pill], from: 600, until: 720))
        }
        try day.settle(at: time.instant(422), time, urgent: ["pill"])
        try day.pause(true, at: time.instant(422))
        let start = try step(day, "3.1").start
        // The time of the morning is over at eleven.
        try day.settle(at: time.instant(661), time, urgent: ["pill"])
        #expect(try step(day, "1.2").state == .skipped)
        #expect(try step(day, "3.1").start == start && start < time.instant(661))
    }

    @Test func `no alert is urgent, and a finished day is announced if something was done`()
        throws
    {
        var (day, time) = try Self.day()
        func wanted(at now: Int64) -> [AlertRaised] {
            DayAlerts(day: day, time: time, organisation: "local").wanted(at: now).map(\.raised)
        }
        try day.settle(at: time.instant(416), time)
        #expect(wanted(at: time.instant(414)) == [])
        #expect(wanted(at: time.instant(416)).map(\.title) == ["Soon, at 07:00: Morning"])
        try day.settle(at: time.instant(420), time)
        let due = wanted(at: time.instant(420))
        #expect(due.map { $0.said(in: .norwegian).title } == ["Nå: Pusse tennene"])
        #expect(due.map(\.kind) == ["routine.due"] && due.allSatisfy { $0.severity == .info })
        for place in day.toCome {
            try day.mark(place, place.item == 0 ? .done : .skipped, at: time.instant(430))
        }
        #expect(wanted(at: time.instant(430)).map(\.title) == ["Done for today"])
        for place in day.places { day[place].state = .skipped }
        #expect(wanted(at: time.instant(430)) == [])
    }

    /// Adds a doctor at ten, with half an hour to get there, after everything else is done.
    private func addDoctor(to day: inout Day, _ time: DayTime) throws {
        for place in day.toCome { try day.mark(place, .done, at: time.instant(445)) }
        try day.add(Appointment(name: "Doctor", from: 600, until: 660, preparation: 30), time)
    }

    @Test func `an alert comes when it is time to get ready or go, and shortly before`() throws {
        var (day, time) = try Self.day()
        try addDoctor(to: &day, time)
        func wanted(at minutes: UInt32, urgent: [String] = []) -> [StandingAlert] {
            DayAlerts(day: day, time: time, organisation: "local", urgent: urgent)
                .wanted(at: time.instant(minutes))
        }
        func titles(at minutes: UInt32) -> [String] { wanted(at: minutes).map(\.raised.title) }

        #expect(titles(at: 564) == [])
        let soon = "Soon, at 09:30, it is time to get ready or go: Doctor"
        #expect(titles(at: 565) == [soon] && titles(at: 569) == [soon])
        let now = "Time to get ready or go: Doctor"
        #expect(titles(at: 570) == [now] && titles(at: 599) == [now])
        #expect(titles(at: 600) == ["Now: Doctor"])
        let alerts = [wanted(at: 565), wanted(at: 570)].flatMap(\.self)
        #expect(Set(alerts.map(\.key)).count == 1 && Set(alerts.map(\.occasion)).count == 2)
        #expect(alerts.last?.raised.body == "It begins at 10:00.")
        #expect(alerts.allSatisfy { $0.raised.severity == .info })
        #expect(wanted(at: 570, urgent: ["doctor"]).map(\.raised.severity) == [.urgent])
        #expect(day.nextChange(after: time.instant(500), time) == time.instant(565))
        #expect(day.nextChange(after: time.instant(565), time) == time.instant(570))
        #expect(day.nextChange(after: time.instant(570), time) == time.instant(600))

        // Someone who wants no warnings still has to know when to go.
        day.warning = 0
        #expect(titles(at: 569) == [] && titles(at: 570) == [now])
        #expect(day.nextChange(after: time.instant(500), time) == time.instant(570))
    }

    @Test func `an appointment that begins soon is announced even if an action comes before it`()
        throws
    {
        var (day, time) = try Self.day()
        try day.add(Appointment(name: "Bus", from: 427, until: 440), time)
        try day.add(Appointment(name: "Doctor", from: 445, until: 460, preparation: 10), time)
        day.warning = 30
        let now = time.instant(420)
        try day.settle(at: now, time)

        let alerts = DayAlerts(day: day, time: time, organisation: "local").wanted(at: now)

        // Breakfast follows the teeth immediately, so it isn't announced.
        #expect(
            alerts.map(\.raised.title) == [
                "Now: Brush your teeth", "Soon, at 07:07: Bus",
                "Soon, at 07:15, it is time to get ready or go: Doctor",
            ])
    }

    @Test func `what begins just after midnight is announced before it`() throws {
        var (day, time) = try Self.day()
        day.items.removeAll()
        try day.add(Appointment(name: "Flight", from: 30, until: 90, preparation: 60), time)
        let now = time.begin - 35 * DayTime.minute
        #expect(day.nextChange(after: now - 1, time) == now)
        let alerts = DayAlerts(day: day, time: time, organisation: "local").wanted(at: now)
        #expect(alerts.map(\.raised.kind) == ["routine.leave"])
    }
}
