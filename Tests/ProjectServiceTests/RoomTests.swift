import GRDB
import Messages
import Testing

@testable import ProjectService

/// How many mirrors and notes there may be.
struct RoomTests {
    private let store: DatabaseQueue

    init() throws {
        // Log-ins and projects have more than is needed here.
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        store = try DatabaseQueue(configuration: configuration)
        try ProjectStore.migrator.migrate(store)
    }

    /// Adds mirrors with the log-in of an account, and their projects.
    private func add(
        _ count: Int, of account: String, in organisation: String, _ db: Database
    ) throws {
        try RedmineLogInRow(
            logIn: RedmineLogIn(id: account, account: account), organisation: organisation,
            user: 1, sealed: []
        ).save(db)
        for number in 0..<count {
            let id = "\(account) \(number)"
            try db.execute(
                sql: "INSERT OR IGNORE INTO project VALUES (?, ?, ?, '', '', 0, 0, '', 0, x'')",
                arguments: [id, organisation, id])
            try MirrorRow(
                project: id, logIn: account, remote: number, identifier: id, due: 0
            ).save(db)
        }
    }

    private func isRefused(_ requireRoom: () throws -> Void) throws -> Bool {
        do {
            try requireRoom()
            return false
        } catch is Refusal { return true }
    }

    private func isMirrorRefused(
        _ account: String, in organisation: String, _ db: Database
    ) throws -> Bool {
        try isRefused { try MirrorRow.requireRoom(of: account, in: organisation, db) }
    }

    private func isNoteRefused(_ issue: Int, in project: String, _ db: Database) throws -> Bool {
        try isRefused { try NoteSize.requireRoom(for: issue, in: project, db) }
    }

    private func size(_ project: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT bytes FROM noteSize WHERE project = ?", arguments: [project])
    }

    @Test func `an account has at most 100 mirrors, and an organisation 1,000`() throws {
        #expect(MirrorRow.mostOfAccount == 100 && MirrorRow.mostOfOrganisation == 1_000)
        try store.write { db in
            try add(MirrorRow.mostOfAccount - 1, of: "ann", in: "o", db)
            #expect(try !isMirrorRefused("ann", in: "o", db))
            try add(MirrorRow.mostOfAccount, of: "ann", in: "o", db)
            #expect(try isMirrorRefused("ann", in: "o", db))

            try add(MirrorRow.mostOfOrganisation - 101, of: "bob", in: "o", db)
            #expect(try !isMirrorRefused("eve", in: "o", db))
            try add(MirrorRow.mostOfOrganisation - 100, of: "bob", in: "o", db)
            #expect(try isMirrorRefused("eve", in: "o", db))
            #expect(try !isMirrorRefused("eve", in: "p", db))
        }
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

    @Test func `a note is refused when those of the project are too large`() throws {
        try store.write { db in
            try NoteSize.add(NoteSize.most - 1, in: "house", db)
            #expect(try !isNoteRefused(1, in: "house", db))
            try NoteSize.add(1, in: "house", db)
            #expect(try isNoteRefused(1, in: "house", db))
            #expect(try !isNoteRefused(1, in: "shed", db))
        }
    }

    @Test func `a note is refused when its issue has too many entries`() throws {
        try store.write { db in
            let add = """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT INTO journal (project, issue, entry) SELECT 'house', 1, x'' FROM n
                """
            try db.execute(sql: add, arguments: [NoteSize.mostOfIssue - 1])
            #expect(try !isNoteRefused(1, in: "house", db))
            try db.execute(sql: add, arguments: [1])
            #expect(try isNoteRefused(1, in: "house", db))
            #expect(try !isNoteRefused(2, in: "house", db))
        }
    }
}
