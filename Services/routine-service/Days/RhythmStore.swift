import Foundation
import GRDB
import Messages

extension WeekRhythm {
    /// The rhythm of a person; an empty one for whoever has none.
    static func of(_ person: String, _ db: Database) throws -> WeekRhythm {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT rhythm FROM rhythm WHERE person = ?"),
            arguments: [person]
        ).map { try WeekRhythm(stored: [UInt8]($0)) } ?? WeekRhythm(person: person)
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO rhythm (person, rhythm) VALUES (?, ?)",
            arguments: [person, Data(packed())])
    }
}
