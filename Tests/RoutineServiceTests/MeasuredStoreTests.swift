import GRDB
import Messages
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// How measured times are taken over, in a real store.
struct MeasuredStoreTests {
    /// The morning of 2027-01-15.
    private static let now: Int64 = 1_800_000_000_000

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .routine, RoutineStore.migrator)
    }

    /// Keeps an action of 480 minutes that took another time five times, and takes that over.
    ///
    /// - Returns: the minutes of the action afterwards, and why they were refused, if they were.
    private func adopt(minutes: Int64) throws -> (minutes: UInt32?, refusal: String) {
        try store.run(at: Self.now) { transaction -> (minutes: UInt32?, refusal: String) in
            let person = transaction.principal.account
            let hike = RoutineAction(name: "Hike", emoji: "🥾", minutes: 480, priority: 3)
            try OwnAction(id: "hike", action: hike).save(of: person, transaction.db)
            for number in 1...Measure.enough {
                try transaction.db.execute(
                    sql: """
                        INSERT OR REPLACE INTO measure (person, date, step, action, ended, length)
                        VALUES (?, ?, '1.1', ?, ?, ?)
                        """,
                    arguments: [
                        person, "2027-01-0\(number)", hike.measureKey, Self.now + Int64(number),
                        minutes * DayTime.minute,
                    ])
            }
            var refusal = ""
            do {
                _ = try Measures.adopt(AdoptMeasured(action: "Hike"), in: transaction)
            } catch let error as Refusal { refusal = error.message }
            let own = try OwnAction.all(of: person, transaction.db)
            return (own.first?.action?.minutes, refusal)
        }
    }

    @Test func `a measured time is taken over only within the limits of an action`() throws {
        let short = try adopt(minutes: 300)
        #expect(short.minutes == 300)
        #expect(short.refusal == "")
        let long = try adopt(minutes: 600)
        #expect(long.minutes == 480)
        #expect(long.refusal.contains("it took 600 minutes"))
    }

    @Test func `a routine that takes over a measured time has a later time of change`() throws {
        // The clock was set back after the routine was changed.
        let changed = Self.now + 3_600_000
        try store.run(at: Self.now) { transaction in
            let hike = RoutineAction(name: "Hike", emoji: "🥾", minutes: 480, priority: 3)
            try Routine(
                id: "out", name: "Out", actions: [hike], until: 1_440, changed: changed
            ).save(of: transaction.principal.account, transaction.db)
        }

        _ = try adopt(minutes: 300)

        let routine = try store.run(at: Self.now) { transaction in
            try Routine.named("Out", of: transaction.principal.account, transaction.db)
        }
        #expect(routine?.actions.first?.minutes == 300)
        #expect(routine?.changed == changed + 1)
    }
}
