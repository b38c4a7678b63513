import Foundation
import GRDB
import Messages
import Testing

@testable import WebService

/// How long the log-in of a display is kept without use.
struct DisplayRestTests {
    private static let day: Int64 = 24 * 3_600_000
    private static let used: Int64 = 1_795_000_000_000
    private static let display = BrowserLogIn(
        cookie: [UInt8](repeating: 7, count: 32), session: "s", began: used, used: used)

    private func count(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM logIn")
    }

    @Test func `a display that isn't used for 100 days is deleted, and no other`() throws {
        let store = try DatabaseQueue()
        try LogInStore.migrator.migrate(store)
        try store.write { db in
            var display = Self.display
            #expect(display.ends == .max)
            try display.save(db)
            display.used += 60 * Self.day
            try display.save(db)

            #expect(try !BrowserLogIn.prune(at: display.used + 99 * Self.day, db))
            #expect(try count(db) == 1)
            #expect(try !BrowserLogIn.prune(at: display.used + 100 * Self.day, db))
            #expect(try count(db) == 0)
        }
    }

    @Test func `log-ins of an earlier version get an end, although one can't be read`() throws {
        let store = try DatabaseQueue()
        try LogInStore.migrator.migrate(store, upTo: "web: log-ins")
        try store.write { db in
            for (cookie, logIn) in [
                (Data(Self.display.cookie), Data(Self.display.packed())),
                (Data([1]), Data([0xFF])),
            ] {
                try db.execute(
                    sql: "INSERT INTO logIn (cookie, session, ends, logIn) VALUES (?, 's', ?, ?)",
                    arguments: [cookie, Int64.max, logIn])
            }
        }

        try LogInStore.migrator.migrate(store)

        try store.write { (db: Database) throws in
            #expect(try !BrowserLogIn.prune(at: Self.used + 99 * Self.day, db))
            #expect(try count(db) == 2)
            #expect(try !BrowserLogIn.prune(at: Self.used + 100 * Self.day, db))
            #expect(try Data.fetchAll(db, sql: "SELECT cookie FROM logIn") == [Data([1])])
        }
    }
}
