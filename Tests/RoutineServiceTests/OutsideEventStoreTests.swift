import Bus
import GRDB
import LocalTime
import Messages
import TestSupport
import Testing

@testable import RoutineService
@testable import ServiceRuntime

/// How meetings get into many days at once, in a real store.
struct OutsideEventStoreTests {
    private static let day: Int64 = 86_400_000
    /// The morning of 2027-01-15.
    private static let now: Int64 = 1_800_000_000_000

    private let system: System
    private let queue: DatabaseQueue

    init() throws {
        system = try System()
        queue = try DatabaseQueue()
        try Store.migrate(queue, "memory", RoutineStore.migrator, 1)
    }

    private func run<R>(at now: Int64, _ body: (Transaction) throws -> R) throws -> R {
        let configuration = try Bus.Configuration(environment: system.environment())
        return try queue.write { db in
            let turn = Turn(
                service: .routine, ledger: try Ledger(db), timers: Timers(),
                configuration: configuration)
            let id = turn.ids.next(at: now)
            return try body(
                Transaction(
                    db: db, now: now, principal: .machineOwner, id: id, correlation: id,
                    turn: turn))
        }
    }

    /// Plans days that follow each other, each with an appointment, and a meeting in each of them.
    private func plan(days: Int) throws {
        let local = try #require(LocalTime(zone: "UTC"))
        try run(at: Self.now) { transaction in
            let person = transaction.principal.account
            for number in 1...days {
                let begin = (Self.now / Self.day + Int64(number)) * Self.day
                let date = local.reading(at: begin).date
                let tea = Appointment(name: "Tea", from: 600, until: 660)
                _ = try Days.plan(
                    PlanDay(date: date, appointments: [tea], timeZone: "UTC"), in: transaction)
                try DayEvent(
                    kind: .meeting, id: "\(number)", person: person, name: "Talk",
                    start: begin + 12 * 3_600_000, end: begin + 13 * 3_600_000
                ).save(transaction.db)
            }
        }
    }

    /// The number of days with a meeting, and when the others follow.
    private func state() throws -> (days: Int, due: Int64?) {
        try run(at: Self.now) { transaction in
            let person = transaction.principal.account
            let days = try Day.all(
                of: person, from: "2027-01-01", until: "2027-12-31", transaction.db)
            return (
                days.count { day in day.items.contains { !$0.event.isEmpty } },
                try transaction.timerDue(OutsideEvents.timer, subject: person)
            )
        }
    }

    @Test func `meetings get into five days at once, and soon into all others`() throws {
        try plan(days: 12)
        try run(at: Self.now) { transaction in
            _ = try People.change(ChangeDaySettings(withMeetings: true), in: transaction)
        }
        for days in [5, 10] {
            let (found, due) = try state()
            #expect(found == days)
            let next = try #require(due)
            #expect(next > Self.now)
            try run(at: next) { transaction in
                let person = transaction.principal.account
                try transaction.cancelTimer(OutsideEvents.timer, subject: person)
                for handler in OutsideEvents.timers {
                    try handler.handle(person, next, transaction)
                }
            }
        }
        let (all, due) = try state()
        #expect(all == 12 && due == nil)
    }
}
