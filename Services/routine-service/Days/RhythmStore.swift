import Foundation
import GRDB
import Messages

extension WeekRhythm {
    /// Returns a person's rhythm; an empty one if they have none.
    static func of(_ person: String, _ db: Database) throws -> WeekRhythm {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT rhythm FROM rhythm WHERE person = ?"),
            arguments: [person]
        ).map { try WeekRhythm(stored: [UInt8]($0)) } ?? WeekRhythm(person: person)
    }

    /// Saves the rhythm.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO rhythm (person, rhythm) VALUES (?, ?)",
            arguments: [person, Data(packed())])
    }
}
