import GRDB
import Messages
import Testing

@testable import TransitAlertService

/// How long a passenger's destinations are kept.
@Suite struct DestinationStoreTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    private func keep(
        _ stop: String, used: Int64, favourite: Bool = false, _ db: Database
    ) throws {
        try Messages.Destination(
            feed: "city", stopId: stop, name: stop, used: used, journeys: used > 0 ? 3 : 0,
            favourite: favourite
        ).save("ann", db)
    }

    private func prune(most: Int = 10, _ db: Database) throws -> Int {
        try Messages.Destination.prune(usedBefore: 1_000, most: most, db)
    }

    @Test func `old destinations are deleted, and when favourites were last ridden to`() throws {
        try store.write { db in
            try keep("old", used: 999, db)
            try keep("new", used: 1_000, db)
            try keep("home", used: 5, favourite: true, db)
            try keep("work", used: 1_000, favourite: true, db)
            try keep("wish", used: 0, favourite: true, db)

            let changed = try prune(db)
            let again = try prune(db)
            let left = try Messages.Destination.all(of: "ann", db)

            #expect(changed == 2 && again == 0)
            #expect(left.map(\.stopId) == ["new", "work", "home", "wish"])
            #expect(left.map(\.used) == [1_000, 1_000, 0, 0])
            #expect(left.map(\.journeys) == [3, 3, 0, 0])
            #expect(left.map(\.favourite) == [false, true, true, true])
        }
    }

    @Test func `some are deleted at a time, and one that can't be read hides no other`() throws {
        try store.write { db in
            for number in 1...3 { try keep("\(number)", used: Int64(number), db) }
            try keep("home", used: 5, favourite: true, db)
            try db.execute(sql: "UPDATE destination SET destination = x'FF' WHERE stop = 'home'")

            var changed: [Int] = []
            for _ in 1...3 { changed.append(try prune(most: 2, db)) }

            #expect(changed == [3, 1, 0])
            #expect(try Messages.Destination.all(of: "ann", db) == [])
        }
    }
}
