import Foundation
import GRDB
import Messages
import RoutineDay
import ServiceRuntime

extension Routine {
    private static let present = "WHERE person = ? AND deleted = 0 AND name > ? ORDER BY name"

    /// Returns the routines of a person that aren't deleted and can be read, by name: those after a
    /// name; empty for all.
    static func all(
        of person: String, after name: String = "", _ db: Database
    ) throws -> [Routine] {
        try fetch(db, present, [person, name.nameKey])
    }

    /// Returns the routines from which days are planned. One that can't be read is reported,
    /// because days lack it.
    static func all(of person: String, in transaction: Transaction) throws -> [Routine] {
        try stored(transaction.db, present, [person, ""]).compactMap { row in
            try transaction.readable("routine") { try Routine(stored: [UInt8](row)) }
        }
    }

    /// The routines of a person, including deleted ones that can be restored.
    ///
    /// - Throws: an error if one of them can't be read.
    static func every(of person: String, _ db: Database) throws -> [Routine] {
        try stored(db, "WHERE person = ?", [person]).map { try Routine(stored: [UInt8]($0)) }
    }

    /// Returns a person's routine with a name or an id that isn't deleted; nil if it can't be read,
    /// so that the person can make it again.
    static func named(_ name: String, of person: String, _ db: Database) throws -> Routine? {
        try fetch(
            db, "WHERE person = ?1 AND deleted = 0 AND (name = ?2 OR id = ?3)",
            [person, name.nameKey, name]
        ).first
    }

    /// Returns a person's deleted routine; of several, the one deleted last.
    ///
    /// - Parameters:
    ///   - name: its name or its id; empty for any.
    ///   - person: the account of the person.
    ///   - db: the database.
    static func deleted(_ name: String, of person: String, _ db: Database) throws -> Routine? {
        try fetch(
            db,
            """
            WHERE person = ?1 AND deleted > 0 AND (?3 = '' OR name = ?2 OR id = ?3)
            ORDER BY deleted DESC, id DESC
            """, [person, name.nameKey, name]
        ).first
    }

    /// Saves the routine.
    func save(of person: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO routine (id, person, name, deleted, routine)
                VALUES (?, ?, ?, ?, ?)
                """, arguments: [id, person, name.nameKey, deleted, Data(packed())])
    }

    /// Deletes for good a person's routines that were deleted before a time, and the oldest beyond
    /// the number that can be kept.
    static func forget(of person: String, deletedBefore time: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM routine WHERE person = ?1 AND deleted > 0 AND id NOT IN (
                    SELECT id FROM routine WHERE person = ?1 AND deleted > 0
                    ORDER BY deleted DESC, id DESC LIMIT ?2)
                """, arguments: [person, RoutineLimits.deletedRoutines])
        try db.execute(
            sql: "DELETE FROM routine WHERE person = ? AND deleted > 0 AND deleted < ?",
            arguments: [person, time])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Routine] {
        try stored(db, condition, arguments).compactMap(Routine.readable)
    }

    private static func stored(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Data] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT routine FROM routine \(condition)"),
            arguments: arguments)
    }
}
