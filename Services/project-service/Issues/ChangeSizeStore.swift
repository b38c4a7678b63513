import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The size of a project's journals without the notes. Beyond a limit, the oldest changes are
/// deleted, so that a project can be edited for years and its latest changes stay known.
enum ChangeSize {
    /// The maximum size of the changes in the journals of a project in bytes: 256 MiB.
    static let most = 256 << 20
    /// How many changes are deleted at once.
    private static let portion = 200

    /// Makes the table, and marks the notes in the journal.
    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE changeSize (
                    project TEXT NOT NULL PRIMARY KEY REFERENCES project ON DELETE CASCADE,
                    bytes INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                ALTER TABLE journal ADD COLUMN isNote INTEGER NOT NULL DEFAULT 0;
                """)
        let rows = try Row.fetchCursor(db, sql: "SELECT number, project, entry FROM journal")
        var notes: [Int64] = []
        var sizes: [String: Int] = [:]
        while let row = try rows.next() {
            let packed: Data = row["entry"]
            // An entry that can't be read may be a note.
            if IssueEntry.readable(packed)?.note.isEmpty == true {
                let project: String = row["project"]
                sizes[project, default: 0] += packed.count + PartSizes.overhead
            } else {
                notes.append(row["number"])
            }
        }
        for number in notes {
            try db.execute(
                sql: "UPDATE journal SET isNote = 1 WHERE number = ?", arguments: [number])
        }
        for (project, size) in sizes { _ = try add(size, in: project, db) }
        try db.execute(
            sql: "CREATE INDEX journalOfChanges ON journal (project, number) WHERE isNote = 0")
    }

    /// Counts a change that was added to a journal. If the changes of the project are then too
    /// large, deletes the oldest: at least four times as much as was added, but not all that an
    /// earlier version may have left, because everyone else waits meanwhile.
    static func count(_ bytes: Int, in project: String, _ db: Database) throws {
        let added = bytes + PartSizes.overhead
        var (size, freed) = (try add(added, in: project, db), 0)
        while size > most, freed < 4 * added {
            let portion = try forgetOldest(of: project, db)
            guard portion > 0 else { return }
            size = try add(-portion, in: project, db)
            freed += portion
        }
    }

    /// - Returns: the size of the changes afterwards.
    private static func add(_ bytes: Int, in project: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO changeSize (project, bytes) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes RETURNING bytes
                    """), arguments: [project, bytes]) ?? 0
    }

    /// - Returns: how many bytes that frees.
    private static func forgetOldest(of project: String, _ db: Database) throws -> Int {
        let oldest = """
            number IN (
                SELECT number FROM journal WHERE project = ? AND isNote = 0 ORDER BY number LIMIT ?)
            """
        let freed = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT sum(length(entry) + \(PartSizes.overhead)) FROM journal WHERE \(oldest)
                    """), arguments: [project, portion])
        try db.cachedStatement(sql: "DELETE FROM journal WHERE \(oldest)")
            .execute(arguments: [project, portion])
        return freed ?? 0
    }
}
