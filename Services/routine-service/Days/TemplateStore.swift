import Foundation
import GRDB
import Messages
import RoutineDay
import ServiceRuntime

extension DayTemplate {
    /// Returns the templates of a person that can be read, by name.
    static func all(of person: String, _ db: Database) throws -> [DayTemplate] {
        try Data.fetchAll(
            db, sql: "SELECT template FROM dayTemplate WHERE person = ? ORDER BY name",
            arguments: [person]
        ).compactMap(DayTemplate.readable)
    }

    /// Returns a person's template with a name.
    static func named(_ name: String, of person: String, _ db: Database) throws -> DayTemplate? {
        try Data.fetchOne(
            db, sql: "SELECT template FROM dayTemplate WHERE person = ? AND name = ?",
            arguments: [person, name.nameKey]
        ).map { try DayTemplate(stored: [UInt8]($0)) }
    }

    /// Saves the template.
    func save(of person: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO dayTemplate (person, name, template) VALUES (?, ?, ?)",
            arguments: [person, name.nameKey, Data(packed())])
    }

    /// Deletes the template.
    func delete(of person: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM dayTemplate WHERE person = ? AND name = ?",
            arguments: [person, name.nameKey])
    }
}
