import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The total size of the notes of a project, and whether there is room for more.
enum NoteSize {
    /// The number of entries of an issue from which no more notes are added.
    static let mostOfIssue = 10_000
    /// The maximum size of the notes of a project in bytes: 512 MiB.
    static let most = 512 << 20

    static let table = """
        CREATE TABLE noteSize (
            project TEXT NOT NULL PRIMARY KEY REFERENCES project ON DELETE CASCADE,
            bytes INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    /// Adds up the notes that are there and can be read.
    static func measure(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT project, entry FROM journal")
        var sizes: [String: Int] = [:]
        while let row = try rows.next() {
            guard let entry = IssueEntry.readable(row["entry"]) else { continue }
            let project: String = row["project"]
            sizes[project, default: 0] += entry.note.utf8.count
        }
        for (project, size) in sizes { try add(size, in: project, db) }
    }

    /// Counts bytes that were added, or removed if there are less than 0.
    static func add(_ bytes: Int, in project: String, _ db: Database) throws {
        guard bytes != 0 else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO noteSize (project, bytes) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes
                """
        ).execute(arguments: [project, bytes])
    }

    /// True if the notes of a project have reached the maximum size.
    static func isFull(_ project: String, _ db: Database) throws -> Bool {
        let bytes = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT bytes FROM noteSize WHERE project = ?"),
            arguments: [project])
        return bytes ?? 0 >= most
    }

    /// Refuses another note of an issue when there is no room for it.
    static func requireRoom(for issue: Int, in project: String, _ db: Database) throws {
        guard try !isFull(project, db) else {
            throw Refusal.conflict(
                "the notes of the project have \(most >> 20) MiB, and no more can be added")
        }
        let isLong = try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT * FROM journal WHERE project = ? AND issue = ? LIMIT 1 OFFSET ?)
                    """), arguments: [project, issue, mostOfIssue - 1])
        guard isLong != true else {
            throw Refusal.conflict(
                "#\(issue) has \(mostOfIssue) changes and notes; add a note to another issue")
        }
    }
}
