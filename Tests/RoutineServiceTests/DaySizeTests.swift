import GRDB
import Messages
import RoutineDay
import Testing

@testable import RoutineService

/// How much the days of a person have.
struct DaySizeTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try RoutineStore.migrator.migrate(store)
    }

    private func dates(of person: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT date FROM day WHERE person = ? ORDER BY date", arguments: [person])
    }

    private func size(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT bytes FROM daySize WHERE person = 'ada'")
    }

    /// Why there is no room for another day; empty if there is.
    private func refused(_ person: String, _ db: Database) throws -> String {
        do {
            try DaySize.makeRoom(for: person, deletingBefore: "2026-06-01", db)
            return ""
        } catch let refusal as Refusal { return refusal.reason }
    }

    @Test func `days are measured as they are saved, with what devices have recorded`() throws {
        try store.write { db in
            var day = Day(person: "ada", date: "2027-01-01")
            try day.save(db)
            let first = try #require(try size(db))
            day.rhythm = "Work"
            try day.save(db)
            #expect(try size(db) == first + 6)

            let entry = DayJournal.Entry(
                DayOperation(id: [UInt8](repeating: 1, count: 16)), effect: .none, isUndone: false)
            try DayOperationStore.save([entry], of: "ada", day.date, db)
            let second = try #require(try size(db))
            #expect(second > first + 100)
            try DayOperationStore.save([entry], of: "ada", day.date, db)
            #expect(try size(db) == second)
        }
    }

    @Test func `when days are too large, old ones are deleted, then no more are planned`() throws {
        try store.write { db in
            for number in 10...50 {
                try Day(person: "ada", date: "20\(number)-01-01").save(db)
            }
            try Day(person: "bob", date: "2010-01-01").save(db)
            let full = "UPDATE daySize SET bytes = ? WHERE person = 'ada'"
            try db.execute(sql: full, arguments: [DaySize.most - 1])
            #expect(try refused("ada", db) == "")
            #expect(try dates(of: "ada", db).count == 41)

            try db.execute(sql: full, arguments: [DaySize.most])
            #expect(try refused("ada", db) == "")
            #expect(try dates(of: "ada", db).count == 24)
            #expect(try dates(of: "ada", db).first == "2027-01-01")

            try db.execute(sql: full, arguments: [DaySize.most])
            #expect(try refused("ada", db) == "day.large")
            #expect(try dates(of: "ada", db).count == 24)
            #expect(try refused("bob", db) == "")
            #expect(try dates(of: "bob", db).count == 1)
        }
    }
}
