import Foundation
import GRDB
import Messages
import ShiftLog
import Texts

extension ArchiveRecord {
    /// The records of a site after a position, as they are stored: at most `limit`, and about a
    /// page in bytes.
    static func all(
        of site: String, after sequence: UInt64, limit: Int, _ db: Database
    ) throws -> [ArchiveRecord] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT sequence, body, hash FROM operation WHERE site = ? AND sequence > ?
                    ORDER BY sequence LIMIT ?
                    """), arguments: [site, Int64(clamping: sequence), limit])
        var records: [ArchiveRecord] = []
        var bytes = 0
        while let row = try rows.next() {
            let record = ArchiveRecord(
                sequence: UInt64(clamping: row["sequence"] as Int64),
                operation: [UInt8](row["body"] as Data), hash: [UInt8](row["hash"] as Data))
            bytes += record.operation.count + 48
            if bytes > ShiftOperation.pageBytes, !records.isEmpty { break }
            records.append(record)
        }
        return records
    }
}

/// The seed of the key that signs how far an archive reaches. It is made once.
enum ArchiveSeed {
    /// Makes the seed if there is none.
    static func make(_ db: Database) throws {
        var random = SystemRandomNumberGenerator()
        let seed = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try db.execute(
            sql: "INSERT OR IGNORE INTO archiveKey (id, seed) VALUES (1, ?)",
            arguments: [Data(seed)])
    }

    /// The key made from the seed.
    static func key(_ db: Database) throws -> ArchiveKey {
        let seed = try Data.fetchOne(db, sql: "SELECT seed FROM archiveKey")
        guard let key = ArchiveKey(seed: [UInt8](seed ?? Data())) else {
            throw Refusal(code: .internal, message: "the key of the archive is damaged")
        }
        return key
    }
}

extension ArchiveEnd {
    /// The maximum number of records that are deleted at once.
    static let mostForgotten = 2000

    /// The ends of the archives of all sites.
    static func all(_ db: Database) throws -> [ArchiveEnd] {
        try String.fetchAll(db, sql: "SELECT site FROM archive ORDER BY site").map {
            try of($0, db)
        }
    }

    /// Deletes the oldest records, up to the first that is newer than a time, belongs to a shift
    /// that had not ended then, or is missing. The hash of the last one stays, so that the rest can
    /// still be verified.
    ///
    /// - Returns: false when there may be more to delete.
    mutating func forget(before time: Int64, _ db: Database) throws -> Bool {
        // No more are examined than may be deleted: years of records may be too old.
        let bound = min(sequence, beginsAfter + UInt64(Self.mostForgotten))
        let kept = try Int64.fetchOne(
            db,
            sql: """
                SELECT sequence FROM operation LEFT JOIN shift ON shift.id = operation.shift
                WHERE operation.site = ?1 AND sequence <= ?3 AND NOT ifnull(
                    operation.time < ?2 AND shift.ended > 0 AND shift.ended < ?2, FALSE)
                ORDER BY sequence LIMIT 1
                """,
            arguments: [site, time, Int64(clamping: bound)])
        let end = kept.map { UInt64(clamping: $0 - 1) } ?? bound
        guard end > beginsAfter else { return true }
        beginsWith =
            try Data.fetchOne(
                db, sql: "SELECT hash FROM operation WHERE site = ? AND sequence = ?",
                arguments: [site, Int64(clamping: end)]
            ).map { [UInt8]($0) } ?? hash
        beginsAfter = end
        try save(db)
        try db.execute(
            sql: "DELETE FROM operation WHERE site = ? AND sequence <= ?",
            arguments: [site, Int64(clamping: end)])
        try forgetShifts(before: time, db)
        return kept != nil || end == sequence
    }

    /// Deletes the shifts without records.
    private func forgetShifts(before time: Int64, _ db: Database) throws {
        let gone = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM shift WHERE site = ? AND ended > 0 AND ended < ?
                AND NOT EXISTS (SELECT 1 FROM operation WHERE operation.shift = shift.id)
                """,
            arguments: [site, time])
        let tables = [
            "device", "refusedOperation", "shiftFigures", "listFigures",
            "todoLead", "mailOrder",
        ]
        for id in gone {
            try ShiftText.forget(id, db)
            try PhotoStore.forget(id, db)
            for table in tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE shift = ?", arguments: [id])
            }
            try db.execute(sql: "DELETE FROM shift WHERE id = ?", arguments: [id])
        }
    }
}

/// The to-dos that people have added at a site.
enum RememberedTodo {
    /// The maximum number at a site.
    static let most = 1_000

    /// Counts the to-dos of a shift, and deletes the least recently used beyond ``most``.
    static func keep(_ todos: [AddTodo], at site: String, time: Int64, _ db: Database) throws {
        for todo in todos {
            try db.execute(
                sql: """
                    INSERT INTO rememberedTodo (site, title, uses, last, todo)
                    VALUES (?, ?, 1, ?, ?)
                    ON CONFLICT DO UPDATE SET uses = uses + 1, last = excluded.last,
                        todo = excluded.todo
                    """,
                arguments: [site, FoldedText.name(todo.title), time, Data(todo.packed())])
        }
        try db.execute(
            sql: """
                DELETE FROM rememberedTodo WHERE site = ?1 AND title IN (
                    SELECT title FROM rememberedTodo WHERE site = ?1
                    ORDER BY last DESC, uses DESC, title LIMIT -1 OFFSET ?2)
                """, arguments: [site, most])
    }

    /// The to-dos with a text in their title, most used first, at most 200.
    static func all(at site: String, containing text: String, _ db: Database) throws -> [AddTodo] {
        try Data.fetchAll(
            db,
            sql: """
                SELECT todo FROM rememberedTodo WHERE site = ? AND instr(title, ?) > 0
                ORDER BY uses DESC, last DESC, title LIMIT 200
                """,
            arguments: [site, FoldedText.name(text)]
        ).map { try AddTodo(stored: [UInt8]($0)) }
    }
}
