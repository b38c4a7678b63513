import Foundation
import GRDB
import Messages
import RoutineDay
import ServiceRuntime

extension OwnAction {
    /// The key by which the action is found.
    var key: String {
        (action?.name.isEmpty == false ? action?.name : action?.emoji)?.nameKey ?? ""
    }

    /// Returns the actions of a person that can be read, by name.
    static func all(of person: String, _ db: Database) throws -> [OwnAction] {
        try fetch(db, "WHERE person = ? ORDER BY name", [person])
    }

    /// Returns all actions of a person.
    ///
    /// - Throws: an error if one of them can't be read.
    static func every(of person: String, _ db: Database) throws -> [OwnAction] {
        try stored(db, "WHERE person = ?", [person]).map { try OwnAction(stored: [UInt8]($0)) }
    }

    /// Returns a person's action with a name or an id; nil if it can't be read, so that the person
    /// can make it again.
    static func named(_ name: String, of person: String, _ db: Database) throws -> OwnAction? {
        try fetch(
            db, "WHERE person = ?1 AND (name = ?2 OR id = ?3)", [person, name.nameKey, name]
        ).first
    }

    /// Saves the action.
    func save(of person: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO ownAction (id, person, name, action) VALUES (?, ?, ?, ?)",
            arguments: [id, person, key, Data(packed())])
    }

    /// Deletes the action.
    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM ownAction WHERE id = ?", arguments: [id])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [OwnAction] {
        try stored(db, condition, arguments).compactMap(OwnAction.readable)
    }

    private static func stored(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Data] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT action FROM ownAction \(condition)"),
            arguments: arguments)
    }
}
