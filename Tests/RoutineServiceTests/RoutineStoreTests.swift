import GRDB
import Messages
import RoutineDay
import Testing

@testable import RoutineService

/// What is kept of routines, in a real store.
struct RoutineStoreTests {
    @Test func `someone who deletes one routine after another keeps the last ones`() throws {
        let store = try DatabaseQueue()
        try RoutineStore.migrator.migrate(store)
        let most = RoutineLimits.deletedRoutines
        try store.write { db in
            for number in 1...most + 10 {
                var routine = Routine(id: "\(number)", name: "Tea")
                routine.deleted = Int64(number)
                try routine.save(of: "ada", db)
            }
            try Routine(id: "present", name: "Tea").save(of: "ada", db)
            try Routine.forget(of: "ada", deletedBefore: 0, db)
            let kept = try Routine.every(of: "ada", db)
            #expect(kept.count == most + 1)
            #expect(kept.map(\.deleted).filter { $0 > 0 }.min() == 11)
        }
    }

    @Test func `earlier versions of a person's days have a size, and the oldest go first`() throws {
        let store = try DatabaseQueue()
        try RoutineStore.migrator.migrate(store)
        try store.write { db in
            let other = Day(person: "bob", date: "2027-01-01")
            try other.keepBefore(db)
            for number in 1...100 {
                let day = Day(
                    person: "ada", date: "2027-01-0\(number % 5)", rhythm: "\(number)",
                    without: [String(repeating: "x", count: 10_000)])
                try day.keepBefore(within: 500_000, db)
            }

            let rows = "SELECT count(*) FROM dayBefore WHERE person = ?"
            let kept = try Int.fetchOne(db, sql: rows, arguments: ["ada"]) ?? 0
            #expect((30...49).contains(kept))
            #expect(try Int.fetchOne(db, sql: rows, arguments: ["bob"]) == 1)
            let newest = try Day.takeBefore(of: "ada", "2027-01-00", db)
            #expect(newest?.rhythm == "100")
        }
    }
}
