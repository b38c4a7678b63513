import Foundation
import GRDB
import Messages
import Testing

@testable import RoutineService

/// What is kept of people, in a real store.
struct PersonStoreTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
    }

    private func person(_ account: String, editors: [String], told: [String]) -> PersonRow {
        var settings = DaySettings.usual(of: account)
        (settings.editors, settings.told) = (editors, told)
        return PersonRow(account: account, organisation: "local", settings: settings)
    }

    private func naming(_ carer: String, _ db: Database) throws -> [String] {
        try PersonRow.naming(carer, db)
    }

    @Test func `people are found by those who care for them, not by reading all`() throws {
        try RoutineStore.migrator.migrate(store)
        try store.write { db in
            try person("ada", editors: ["kim", "lou"], told: ["kim"]).save(db)
            try person("bea", editors: [], told: ["kim"]).save(db)
            try person("cia", editors: [], told: []).save(db)
            #expect(try naming("kim", db) == ["ada", "bea"])
            #expect(try naming("lou", db) == ["ada"])
            #expect(try naming("ada", db) == [])

            var row = try #require(try PersonRow.ofAccount("ada", db))
            let hasLeft = row.settings.leave("kim")
            #expect(hasLeft)
            try row.save(db)
            #expect(try naming("kim", db) == ["bea"])
            #expect(try naming("lou", db) == ["ada"])
        }
    }

    @Test func `the carers of an earlier store are found too`() throws {
        try RoutineStore.migrator.migrate(store, upTo: "routine: events of other services")
        let row = person("ada", editors: ["kim"], told: ["lou"])
        try store.write { db in
            try db.execute(
                sql: "INSERT INTO person (account, organisation, settings) VALUES (?, ?, ?)",
                arguments: [row.account, row.organisation, Data(row.settings.packed())])
            // What can't be read doesn't keep the service from starting.
            try db.execute(sql: "INSERT INTO person VALUES ('bea', 'local', x'FF')")
        }
        try RoutineStore.migrator.migrate(store)
        let found = try store.read { db in try ["kim", "lou"].map { try naming($0, db) } }
        #expect(found == [["ada"], ["ada"]])
    }
}
