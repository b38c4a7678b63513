import GRDB
import Messages
import Testing

@testable import ProjectService

/// How many notes there may be.
struct NoteSizeTests {
    private let store: DatabaseQueue

    init() throws {
        // Projects have more than is needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
        try ProjectStore.migrator.migrate(store)
    }

    private func isRefused(_ issue: Int, in project: String, _ db: Database) throws -> Bool {
        do {
            try NoteSize.requireRoom(for: issue, in: project, db)
            return false
        } catch is Refusal { return true }
    }

    private func size(_ project: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT bytes FROM noteSize WHERE project = ?", arguments: [project])
    }

    @Test func `notes are measured as they are added, changed and removed`() throws {
        try store.write { db in
            let first = try JournalStore.add(
                IssueEntry(by: "ann", note: "blå"), to: 1, of: "house", db)
            try JournalStore.add(IssueEntry(by: "ann", note: "x"), to: 2, of: "house", db)
            try JournalStore.add(IssueEntry(by: "ann"), to: 1, of: "house", db)
            #expect(try size("house", db) == 5)

            let number = Int(clamping: first.number)
            try JournalStore.change(
                number, of: 1, in: "house", to: "black", by: "ann", at: 1, db)
            #expect(try size("house", db) == 6)
            try JournalStore.change(number, of: 1, in: "house", to: "", by: "ann", at: 1, db)
            #expect(try size("house", db) == 1)

            // As in a store of an earlier version.
            try db.execute(sql: "DELETE FROM noteSize")
            try NoteSize.measure(db)
            #expect(try size("house", db) == 1)
        }
    }

    @Test func `a note is refused when those of the project have too much`() throws {
        try store.write { db in
            try NoteSize.add(NoteSize.most - 1, in: "house", db)
            #expect(try !isRefused(1, in: "house", db))
            try NoteSize.add(1, in: "house", db)
            #expect(try isRefused(1, in: "house", db))
            #expect(try !isRefused(1, in: "shed", db))
        }
    }

    @Test func `a note is refused when its issue has too many entries`() throws {
        try store.write { db in
            let add = """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT INTO journal (project, issue, entry) SELECT 'house', 1, x'' FROM n
                """
            try db.execute(sql: add, arguments: [NoteSize.mostOfIssue - 1])
            #expect(try !isRefused(1, in: "house", db))
            try db.execute(sql: add, arguments: [1])
            #expect(try isRefused(1, in: "house", db))
            #expect(try !isRefused(2, in: "house", db))
        }
    }
}
