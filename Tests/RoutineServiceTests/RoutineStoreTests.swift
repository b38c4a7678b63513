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
}
