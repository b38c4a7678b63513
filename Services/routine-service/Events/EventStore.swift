import Foundation
import GRDB

/// The coming events of other services, whether people want them in their days or not: someone who
/// wants them tomorrow doesn't miss what was booked today.
extension DayEvent {
    static let table = """
        CREATE TABLE dayEvent (
            kind TEXT NOT NULL, id TEXT NOT NULL, person TEXT NOT NULL, grouped TEXT NOT NULL,
            name TEXT NOT NULL, start INTEGER NOT NULL, ends INTEGER NOT NULL,
            PRIMARY KEY (kind, id, person)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX dayEventByPerson ON dayEvent (person, ends);
        CREATE INDEX dayEventByEnd ON dayEvent (ends);
        CREATE INDEX dayEventByGroup ON dayEvent (kind, grouped);
        """

    /// The events of a person in a period, in milliseconds since 1970.
    static func all(
        of person: String, in time: Range<Int64>, _ db: Database
    ) throws -> [DayEvent] {
        try fetch(
            "person = ? AND ends > ? AND start < ? ORDER BY start, kind, id",
            [person, time.lowerBound, time.upperBound], db)
    }

    /// An event, once for each person.
    static func all(_ kind: Kind, id: String, _ db: Database) throws -> [DayEvent] {
        try fetch("kind = ? AND id = ?", [kind.rawValue, id], db)
    }

    /// The events of a group: see ``group``.
    static func all(_ kind: Kind, group: String, _ db: Database) throws -> [DayEvent] {
        try fetch("kind = ? AND grouped = ?", [kind.rawValue, group], db)
    }

    /// All events of a kind.
    static func all(_ kind: Kind, _ db: Database) throws -> [DayEvent] {
        try fetch("kind = ?", [kind.rawValue], db)
    }

    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO dayEvent (kind, id, person, grouped, name, start, ends)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [kind.rawValue, id, person, group, name, start, end])
    }

    func delete(_ db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM dayEvent WHERE kind = ? AND id = ? AND person = ?"
        ).execute(arguments: [kind.rawValue, id, person])
    }

    /// Deletes what ended before a time, in milliseconds since 1970.
    static func forget(before time: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM dayEvent WHERE ends < ?")
            .execute(arguments: [time])
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [DayEvent] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT kind, id, person, grouped, name, start, ends FROM dayEvent
                    WHERE \(condition)
                    """), arguments: arguments
        ).compactMap { row in
            Kind(rawValue: row["kind"]).map {
                DayEvent(
                    kind: $0, id: row["id"], person: row["person"], group: row["grouped"],
                    name: row["name"], start: row["start"], end: row["ends"])
            }
        }
    }
}
