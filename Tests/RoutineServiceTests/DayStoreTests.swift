import Messages
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// Days that are planned, changed and planned again, in a real store.
struct DayStoreTests {
    /// 2027-01-15, 08:00 in UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .routine, RoutineStore.migrator)
    }

    private func run<R>(at now: Int64 = Self.now, _ body: (Transaction) throws -> R) throws -> R {
        try store.run(at: now, body)
    }

    private func plan(_ command: PlanDay, at now: Int64 = Self.now) throws -> Day {
        try run(at: now) { try Days.plan(command, in: $0) }
    }

    private func change(
        _ date: String, _ change: ChangeDay.Change, at now: Int64 = Self.now
    ) throws -> Day {
        try run(at: now) {
            try DayChanges.change(ChangeDay(date: date, change: change), in: $0)
        }
    }

    private func settings(_ command: ChangeDaySettings, at now: Int64 = Self.now) throws {
        _ = try run(at: now) { try People.change(command, in: $0) }
    }

    /// A routine with actions of ten minutes each.
    private func keep(_ name: String, _ actions: [String], in window: Range<UInt32>) throws {
        let actions = actions.map { RoutineAction(name: $0, minutes: 10, priority: 4) }
        let routine = Routine(
            id: name, name: name, actions: actions, from: window.lowerBound,
            until: window.upperBound)
        try run { try routine.save(of: $0.principal.account, $0.db) }
    }

    @Test func `undoing a replan in another zone brings back the times of the first`() throws {
        let date = "2027-01-15"
        try keep("Evening", ["Medicine"], in: 1_080..<1_320)
        let first = try plan(PlanDay(date: date, routines: ["Evening"], timeZone: "Europe/Oslo"))
        let confirmed = try change(date, .confirm(true))
        try settings(ChangeDaySettings(timeZone: "America/New_York"))
        let second = try plan(PlanDay(date: date, routines: ["Evening"], anew: true))
        #expect(second.items[0].steps[0].start == first.items[0].steps[0].start + 6 * Self.hour)

        let undone = try change(date, .undo(true))

        #expect(undone.timeZone == "Europe/Oslo")
        #expect(undone.items == confirmed.items && undone.state == .confirmed)
        // It is watched by its own clock as well: the next alert is five minutes before its time.
        let due = try run {
            try $0.timerDue(DayWatch.watch, subject: "\(undone.person)/\(date)")
        }
        #expect(due == first.items[0].steps[0].start - 5 * DayTime.minute)
    }

    @Test func `a change of the warning applies to days that are already planned`() throws {
        let dates = ["2027-01-15", "2027-01-25"]
        try keep("Evening", ["Medicine"], in: 1_080..<1_320)
        var starts: [Int64] = []
        for date in dates {
            _ = try plan(PlanDay(date: date, routines: ["Evening"], timeZone: "UTC"))
            starts.append(try change(date, .confirm(true)).items[0].steps[0].start)
        }
        let owner = try run { $0.principal.account }
        func due() throws -> [Int64?] {
            try dates.map { date in
                try run { try $0.timerDue(DayWatch.watch, subject: "\(owner)/\(date)") }
            }
        }
        func alerts(at now: Int64) throws -> [String] {
            try run(at: now) { transaction in
                let subject = "\(owner)/\(dates[0])"
                try DayWatch.wake(subject, due: now, in: transaction)
                return try transaction.standingAlerts(of: subject).map(\.raised.kind)
            }
        }
        for warning in [UInt32(30), 0] {
            try settings(ChangeDaySettings(warning: warning))
            #expect(try due() == starts.map { $0 - Int64(warning) * DayTime.minute })
        }
        #expect(try alerts(at: starts[0] - DayTime.minute) == [])
        try settings(ChangeDaySettings(warning: 15), at: starts[0] - 10 * DayTime.minute)
        #expect(try alerts(at: starts[0] - DayTime.minute) == ["routine.soon"])
    }

    @Test func `a day in which as much was done as it can keep isn't planned again`() throws {
        let date = "2027-01-15"
        try keep("Evening", ["Medicine"], in: 1_080..<1_320)
        _ = try plan(PlanDay(date: date, routines: ["Evening"], timeZone: "UTC"))
        _ = try change(date, .confirm(true))
        try run { transaction in
            let entries = (1...DayRecording.most).map { number in
                let place = [UInt8(number / 256), UInt8(number % 256)]
                return DayJournal.Entry(
                    DayOperation(
                        id: place + [UInt8](repeating: 0, count: 14), what: .skipped(true)),
                    effect: .none, isUndone: false)
            }
            try DayOperationStore.save(
                entries, of: transaction.principal.account, date, transaction.db)
        }
        let again = PlanDay(date: date, routines: ["Evening"], anew: true)
        #expect(try plan(again).state == .proposed)

        _ = try change(date, .confirm(true))
        _ = try change(date, .done("1.1"))
        let refusal = #expect(throws: Refusal.self) { try plan(again) }
        #expect(refusal?.code == .conflict)
    }

    @Test func `a proposal that was changed since it was seen isn't confirmed`() throws {
        let date = "2027-01-15"
        try keep("Evening", ["Medicine"], in: 1_080..<1_320)
        try keep("Late", ["Read"], in: 1_080..<1_320)
        let seen = try plan(PlanDay(date: date, routines: ["Evening"], timeZone: "UTC"))
        let changed = try change(date, .addRoutine("Late"))
        func confirm(_ revision: UInt64) throws -> Day {
            let command = ChangeDay(
                date: date, change: .confirm(true), expectedRevision: revision)
            return try run { try DayChanges.change(command, in: $0) }
        }

        let refusal = #expect(throws: Refusal.self) { _ = try confirm(seen.revision) }

        #expect(refusal?.isBecause(.changedSince) == true)
        #expect(try run { try $0.day(date, of: $0.person("", toChange: false)) } == changed)
        #expect(try confirm(changed.revision).state == .confirmed)
    }

    @Test func `the number of an item that was removed from a day isn't reused`() throws {
        let date = "2027-01-16"
        for (name, hour) in [("Morning", UInt32(8)), ("Out", 12), ("Pills", 18)] {
            try keep(name, [name], in: (hour * 60)..<(hour * 60 + 120))
        }
        let day = try plan(PlanDay(date: date, routines: ["Morning", "Out"], timeZone: "UTC"))
        #expect(day.items.map(\.id) == ["1", "2"])
        #expect(try change(date, .remove("2")).items.map(\.name) == ["Morning"])

        let added = try change(date, .addRoutine("Pills"))

        #expect(added.items.map(\.id) == ["1", "3"])
        // Somebody else has read the day when 2 was still in it.
        let refusal = #expect(throws: Refusal.self) { try change(date, .remove("2")) }
        #expect(refusal?.code == .notFound)
        // Nor does the number of what was added and taken back.
        #expect(try change(date, .undo(true)).items.map(\.id) == ["1"])
        #expect(try change(date, .addRoutine("Out")).items.map(\.id) == ["1", "4"])
    }
}
