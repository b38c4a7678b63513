import Foundation
import GRDB
import Messages

/// What happened to issues. Undoing something adds to it, too. Only the oldest changes of a project
/// that has too many are deleted: see ``ChangeSize``.
enum JournalStore {
    /// Adds an entry.
    ///
    /// - Returns: the entry with its number.
    @discardableResult
    static func add(
        _ entry: IssueEntry, to issue: Int, of project: String, _ db: Database
    ) throws -> IssueEntry {
        let packed = entry.packed()
        try db.cachedStatement(
            sql: "INSERT INTO journal (project, issue, entry, isNote) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [project, issue, Data(packed), !entry.note.isEmpty])
        var kept = entry
        kept.number = UInt64(clamping: db.lastInsertedRowID)
        if entry.note.isEmpty {
            try ChangeSize.count(packed.count, in: project, db)
        } else {
            try NoteSize.add(entry.note.utf8.count, in: project, db)
        }
        return kept
    }

    /// The entries of an issue before one, newest first: as many as one message should carry, and
    /// whether there are older ones.
    static func all(
        of issue: Int, in project: String, before number: UInt64, limit: Int, bytes: Int,
        _ db: Database
    ) throws -> (entries: [IssueEntry], more: Bool) {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT number, entry FROM journal
                    WHERE project = ? AND issue = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """),
            arguments: [project, issue, Int64(clamping: number), limit + 1])
        var entries: [IssueEntry] = []
        var size = 0
        while let row = try rows.next() {
            let packed = [UInt8](row[1] as Data)
            size += packed.count
            let isFull = entries.count == limit || size > bytes && !entries.isEmpty
            guard !isFull else { return (entries, true) }
            var entry = try IssueEntry(stored: packed)
            entry.number = UInt64(clamping: row[0] as Int64)
            entries.append(entry)
        }
        return (entries, false)
    }

    /// An entry of a project, and its issue.
    static func entry(
        _ number: Int, in project: String, _ db: Database
    ) throws -> (issue: Int, entry: IssueEntry)? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT issue, entry FROM journal WHERE number = ? AND project = ?"),
            arguments: [number, project]
        ).map { ($0[0], try IssueEntry(stored: [UInt8]($0[1] as Data))) }
    }

    /// The issues of a mirror with notes that the server has too.
    static func issuesWithNotes(mirrored project: String, _ db: Database) throws -> Set<Int> {
        try Int.fetchSet(
            db.cachedStatement(
                sql: """
                    SELECT issue FROM journal JOIN mirrored ON mirrored.number = journal.number
                    WHERE mirrored.project = ? AND kind = ? AND remote > 0
                        AND journal.project = mirrored.project
                    """), arguments: [project, MirrorLinks.Kind.note.rawValue])
    }

    /// The notes of a mirror that the server doesn't have yet: the numbers of their entries, with
    /// those of their issues.
    static func unsentNotes(of project: String, _ db: Database) throws -> [Int: Int] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT journal.number, issue
                    FROM mirrored JOIN journal ON journal.number = mirrored.number
                    WHERE mirrored.project = ? AND kind = ? AND remote = 0
                        AND journal.project = mirrored.project
                    """), arguments: [project, MirrorLinks.Kind.note.rawValue])
        var issues: [Int: Int] = [:]
        for row in rows { issues[row[0] as Int] = row[1] as Int }
        return issues
    }

    /// The numbers of the entries of an issue.
    static func numbers(of issue: Int, in project: String, _ db: Database) throws -> [Int] {
        try Int.fetchAll(
            db.cachedStatement(
                sql: "SELECT number FROM journal WHERE project = ? AND issue = ? ORDER BY number"),
            arguments: [project, issue])
    }

    /// Changes the text of a note that was changed elsewhere, and adds an entry with both texts; an
    /// empty text removes the note.
    static func change(
        _ number: Int, of issue: Int, in project: String, to text: String, by name: String,
        at now: Int64, _ db: Database
    ) throws {
        guard var (_, entry) = try entry(number, in: project, db) else { return }
        let field = JournalField(
            field: "note", before: entry.note.prefix(bytes: 1_000), after: text.prefix(bytes: 1_000)
        )
        try add(
            IssueEntry(time: now, by: name, fields: [field]), to: issue, of: project, db)
        try NoteSize.add(text.utf8.count - entry.note.utf8.count, in: project, db)
        entry.note = text
        if text.isEmpty {
            try db.execute(sql: "DELETE FROM journal WHERE number = ?", arguments: [number])
        } else {
            try db.execute(
                sql: "UPDATE journal SET entry = ? WHERE number = ?",
                arguments: [Data(entry.packed()), number])
        }
    }

    /// The number of the newest entry of all; 0 for none.
    static func newest(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(number) FROM journal")) ?? 0
    }

    /// Whether the dates of an issue were changed since an entry, by anyone but one person.
    static func hasMoved(
        _ issue: Int, in project: String, since number: Int64, but name: String, _ db: Database
    ) throws -> Bool {
        let rows = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT entry FROM journal WHERE project = ? AND issue = ? AND number > ?
                    ORDER BY number DESC LIMIT 200
                    """),
            arguments: [project, issue, number])
        while let row = try rows.next() {
            let entry = try IssueEntry(stored: [UInt8](row))
            let isOwn = entry.by == name && entry.because == 0
            if !isOwn, entry.fields.contains(where: { $0.field == "start" || $0.field == "due" }) {
                return true
            }
        }
        return false
    }
}
