import Foundation
import GRDB
import Messages
import Testing

@testable import ProjectService

/// How many changes the journals of a project have.
struct ChangeSizeTests {
    private let store: DatabaseQueue

    init() throws {
        // Projects have more than is needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
    }

    private func numbers(_ condition: String, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT number FROM journal WHERE \(condition) ORDER BY number")
    }

    private func size(_ project: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT bytes FROM changeSize WHERE project = ?", arguments: [project])
    }

    @Test func `the oldest changes of a project are deleted when too large, but no notes`() throws {
        try ProjectStore.migrator.migrate(store)
        try store.write { db in
            func add(_ note: String = "", to project: String = "house") throws {
                try JournalStore.add(IssueEntry(by: "ann", note: note), to: 1, of: project, db)
            }
            try add("The first note.")
            try add(to: "shed")
            for _ in 1...300 { try add() }
            try add("The last note.")
            let notes = try numbers("isNote = 1", db)
            let changes = try numbers("project = 'house' AND isNote = 0", db)
            let one = try #require(try size("shed", db))
            #expect(try size("house", db) == 300 * one)

            let set = "UPDATE changeSize SET bytes = ? WHERE project = 'house'"
            try db.execute(sql: set, arguments: [ChangeSize.most - one])
            try add()
            #expect(try size("house", db) == ChangeSize.most)
            #expect(try numbers("project = 'house' AND isNote = 0", db).first == changes.first)
            try add()

            #expect(try size("house", db) == ChangeSize.most - 199 * one)
            let left = try numbers("project = 'house' AND isNote = 0", db)
            #expect(Array(left.prefix(100)) == Array(changes.suffix(100)))
            #expect(left.count == 102)
            #expect(try numbers("isNote = 1", db) == notes)
            #expect(try numbers("project = 'shed'", db).count == 1)
        }
    }

    @Test func `what an earlier version left is deleted little by little`() throws {
        try ProjectStore.migrator.migrate(store)
        try store.write { db in
            func add() throws {
                try JournalStore.add(IssueEntry(by: "ann"), to: 1, of: "house", db)
            }
            for _ in 1...600 { try add() }
            try db.execute(sql: "UPDATE changeSize SET bytes = ?", arguments: [3 * ChangeSize.most])

            try add()
            #expect(try numbers("isNote = 0", db).count == 401)
            try add()
            #expect(try numbers("isNote = 0", db).count == 202)
        }
    }

    @Test func `changes of an earlier version are measured, and notes are recognised`() throws {
        try ProjectStore.migrator.migrate(store, upTo: "project: how much its notes have")
        try store.write { db in
            for note in ["", "x", ""] {
                try db.execute(
                    sql: "INSERT INTO journal (project, issue, entry) VALUES ('house', 1, ?)",
                    arguments: [Data(IssueEntry(by: "ann", note: note).packed())])
            }
            try db.execute(
                sql: "INSERT INTO journal (project, issue, entry) VALUES ('house', 1, x'FF')")
        }

        try ProjectStore.migrator.migrate(store)

        try store.write { db in
            #expect(try numbers("isNote = 1", db) == [2, 4])
            let before = try #require(try size("house", db))
            try JournalStore.add(IssueEntry(by: "ann"), to: 1, of: "house", db)
            #expect(try size("house", db) == before / 2 * 3)
        }
    }
}
