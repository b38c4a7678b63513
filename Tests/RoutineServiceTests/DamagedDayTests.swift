import Bus
import GRDB
import Messages
import RoutineDay
import ServiceRuntime
import TestStore
import TestSupport
import TestThreads
import Testing

@testable import RoutineService

/// Something that is kept of a person and can't be read, in a real store.
struct DamagedDayTests {
    /// 2027-01-15, 08:00 in UTC, a Friday.
    private static let now: Int64 = 1_800_000_000_000
    private static let today = "2027-01-15"

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .routine, RoutineStore.migrator)
    }

    private func run<R>(at now: Int64 = Self.now, _ body: (Transaction) throws -> R) throws -> R {
        try store.run(at: now, body)
    }

    /// Keeps a routine, and a day with it that is confirmed.
    private func plan(_ date: String = Self.today) throws {
        try run { transaction in
            let pill = RoutineAction(name: "Pill", minutes: 10, priority: 5)
            try Routine(id: "r", name: "Evening", actions: [pill], from: 1_080, until: 1_320)
                .save(of: transaction.principal.account, transaction.db)
            _ = try Days.plan(
                PlanDay(date: date, routines: ["Evening"], timeZone: "UTC"), in: transaction)
            _ = try DayChanges.change(
                ChangeDay(date: date, change: .confirm(true)), in: transaction)
        }
    }

    private func damage(_ what: String, where condition: String = "1") throws {
        try run { try $0.db.execute(sql: "UPDATE \(what) = x'FF' WHERE \(condition)") }
    }

    @Test func `a day that can't be read keeps no other out of a snapshot`() throws {
        for date in ["2027-01-15", "2027-01-16", "2027-01-17"] { try plan(date) }
        try damage("day SET day", where: "date = '2027-01-16'")

        let told = try run { transaction -> [String] in
            var told: [String] = []
            try RoutineService.pass(transaction) { _, subject in told.append(subject) }
            return told
        }

        #expect(told.map { $0.suffix(10) } == ["2027-01-15", "2027-01-17"])
    }

    @Test func `a day that can't be read doesn't keep its person from changing the settings`()
        throws
    {
        for date in ["2027-01-15", "2027-01-16"] { try plan(date) }
        try run { try WeekRhythm(person: $0.principal.account).save($0.db) }
        try damage("day SET day", where: "date = '2027-01-15'")
        try damage("rhythm SET rhythm")

        let settings = try run {
            try People.change(
                ChangeDaySettings(warning: 30, withMeetings: true, withShifts: true), in: $0)
        }

        #expect(settings.warning == 30)
        // The other day follows them.
        let due = try run { transaction in
            try transaction.timerDue(
                DayWatch.watch, subject: "\(transaction.principal.account)/2027-01-16")
        }
        #expect(due == Self.now + (24 + 10) * 3_600_000 - 30 * DayTime.minute)
    }

    @Test func `a day that can't be read is planned again, and what devices sent counts then`()
        throws
    {
        try plan()
        try run { transaction in
            let pill = RoutineAction(name: "Pill", minutes: 10, priority: 5)
            let done = DayOperation(
                id: [UInt8](repeating: 1, count: 16), step: "1.1", time: Self.now, routine: "r",
                name: "Evening", action: pill, what: .done(true))
            _ = try DayRecording.record(
                RecordDay(date: Self.today, operations: [done]), in: transaction)
        }
        try damage("day SET day")
        func replan(anew: Bool) throws -> Day {
            try run {
                try Days.plan(
                    PlanDay(date: Self.today, routines: ["Evening"], anew: anew), in: $0)
            }
        }

        let refusal = #expect(throws: Refusal.self) { try replan(anew: false) }
        #expect(refusal?.message.contains("can't be read; plan it anew with --anew") == true)
        #expect(try replan(anew: true).state == .proposed)

        let day = try run {
            try DayChanges.change(
                ChangeDay(date: Self.today, change: .confirm(true)), in: $0)
        }
        #expect(day.places.map { day[$0].state } == [.done])
    }

    @Test func `an operation that can't be read keeps no other from being recorded`() throws {
        try plan()
        func record(_ number: UInt8) throws -> Day {
            let walk = RoutineAction(name: "Walk \(number)", minutes: 10)
            let done = DayOperation(
                id: [UInt8](repeating: number, count: 16), time: Self.now, action: walk,
                what: .done(true))
            return try run {
                try DayRecording.record(
                    RecordDay(date: Self.today, operations: [done]), in: $0)
            }
        }
        for number in UInt8(1)...3 { _ = try record(number) }
        try damage("dayOperation SET operation", where: "number = 1")

        let day = try record(4)

        #expect(day.items.count == 5)
        let kept = try run { transaction in
            try DayOperationStore.all(
                of: transaction.principal.account, Self.today, in: transaction)
        }
        #expect(kept.map { $0.operation.id.first } == [1, 3, 4])
    }

    @Test func `a routine that can't be read keeps no other out of a day, and can be made again`()
        throws
    {
        try plan()
        try damage("routine SET routine")
        let walk = RoutineAction(name: "Walk", minutes: 10, priority: 3)
        func keep(_ name: String) throws {
            _ = try run {
                try RoutineHandling.keep(
                    KeepRoutine(routine: Routine(name: name, actions: [walk], tags: ["out"])),
                    in: $0)
            }
        }
        try keep("Out")

        let day = try run { try Days.plan(PlanDay(date: "2027-01-16", tags: ["out"]), in: $0) }

        #expect(day.items.map(\.name) == ["Out"])
        try keep("Evening")
        let names = try run { transaction in
            try Routine.every(of: transaction.principal.account, transaction.db).map(\.name)
        }
        #expect(names.sorted() == ["Evening", "Out"])
    }

    @Test func `a person whose settings can't be read still gets alerts, and changes them`()
        throws
    {
        try run { _ = try People.change(ChangeDaySettings(warning: 30, addTold: "kim"), in: $0) }
        try plan()
        try damage("person SET settings")
        let start = Self.now + 10 * 3_600_000
        func wake(at time: Int64) throws -> [String] {
            try run(at: time) { transaction in
                let subject = "\(transaction.principal.account)/\(Self.today)"
                try DayWatch.wake(subject, due: time, in: transaction)
                return try transaction.standingAlerts(of: subject).map(\.raised.kind)
            }
        }

        // As early as the day says; and nobody gets a copy.
        #expect(try wake(at: start - 20 * DayTime.minute) == ["routine.soon"])
        #expect(try wake(at: start) == ["routine.due"])
        let kept = try run { try People.read(ReadDaySettings(), in: $0) }
        #expect(kept.timeZone == "UTC" && kept.warning == 30)
        #expect(kept.told.isEmpty && kept.urgent == ["medicine"])

        // The row stays as it is until the person changes the settings.
        try run { transaction in
            _ = try Days.plan(
                PlanDay(date: "2027-01-16", routines: ["Evening"], timeZone: "UTC"),
                in: transaction)
            let account = transaction.principal.account
            #expect(try PersonRow.ofAccount(account, transaction.db)?.isDamaged == true)
            _ = try People.change(ChangeDaySettings(removeUrgent: "medicine"), in: transaction)
            #expect(try PersonRow.ofAccount(account, transaction.db)?.isDamaged == false)
        }
    }

    @Test func `an alert that can't be read keeps no other of its day from being raised`() throws {
        try plan()
        let start = Self.now + 10 * 3_600_000
        func wake(at time: Int64) throws -> [String] {
            try run(at: time) { transaction in
                let subject = "\(transaction.principal.account)/\(Self.today)"
                try DayWatch.wake(subject, due: time, in: transaction)
                return try transaction.standingAlerts(of: subject).map(\.raised.kind)
            }
        }
        #expect(try wake(at: start - DayTime.minute) == ["routine.soon"])
        try damage("standingAlert SET alert")

        #expect(try wake(at: start) == ["routine.due"])
        let alerts = try run { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM standingAlert") }
        #expect(alerts == 1)
    }
}

/// Damaged rows in a store that the service itself uses.
@Suite(.waiting) struct DamagedDayServiceTests {
    @Test func `settings that can't be read are reported`() throws {
        let system = try System()
        let service = try system.start("routine-service")
        let client = try system.client(of: .routine)
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        _ = try client.ask(
            PlanDay(date: "tomorrow", appointments: [tea]), for: Day.self, deadline: .seconds(60))
        service.kill()
        try system.edit(
            .routine, "UPDATE person SET settings = x'FF'; UPDATE timer SET due = 0")

        try system.start("routine-service")

        try eventually("it is reported") {
            try system.published(by: .routine).contains {
                try $0.type == SetAside.protobufName
                    && SetAside(unpacking: $0.data).type == "day settings"
            }
        }
    }

    @Test func `a snapshot contains the days that can be read, and reports the others`() throws {
        let system = try System()
        let service = try system.start("routine-service")
        let client = try system.client(of: .routine)
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        _ = try client.ask(
            PlanDay(date: "tomorrow", appointments: [tea]), for: Day.self, deadline: .seconds(60))
        service.kill()
        try system.edit(
            .routine,
            "INSERT INTO day (person, date, day) SELECT 'ada', date, x'FF' FROM day")
        try system.start("routine-service")

        let page = try client.replay(Replay(epoch: 1, limit: 500))

        #expect(page.snapshot)
        let told = try page.events.map { try Envelope(unpacking: $0) }
        let days = told.filter { $0.type == DayChanged.protobufName }
        #expect(days.count == 1)
        #expect(told.leftOut.map { $0.prefix(4) } == ["ada/"])
        let aside = try told.filter { $0.type == SetAside.protobufName }
            .map { try SetAside(unpacking: $0.data) }
        #expect(aside.map(\.type) == ["day"])
        #expect(aside.first?.reason.contains("can't be read") == true)
    }
}
