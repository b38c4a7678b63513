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
}
