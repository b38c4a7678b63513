import Foundation
import GRDB
import Messages

/// What happened to issues. It is only ever added to, also when something is taken back.
enum JournalStore {
    /// Adds an entry.
    ///
    /// - Returns: the entry with its number.
    @discardableResult
    static func add(
        _ entry: IssueEntry, to issue: Int, of project: String, _ db: Database
    ) throws -> IssueEntry {
        try db.cachedStatement(
            sql: "INSERT INTO journal (project, issue, entry) VALUES (?, ?, ?)"
        ).execute(arguments: [project, issue, Data(entry.packed())])
        var entry = entry
        entry.number = UInt64(clamping: db.lastInsertedRowID)
        return entry
    }

    /// The entries of an issue before one, newest first: as much as a message should have.
    static func all(
        of issue: Int, in project: String, before number: UInt64, limit: Int, bytes: Int,
        _ db: Database
    ) throws -> [IssueEntry] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT number, entry FROM journal
                    WHERE project = ? AND issue = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """),
            arguments: [project, issue, Int64(clamping: number), limit])
        var entries: [IssueEntry] = []
        var size = 0
        while let row = try rows.next() {
            let packed = [UInt8](row[1] as Data)
            size += packed.count
            if size > bytes, !entries.isEmpty { break }
            var entry = try IssueEntry(stored: packed)
            entry.number = UInt64(clamping: row[0] as Int64)
            entries.append(entry)
        }
        return entries
    }
}
