import Foundation
import GRDB
import Messages
import ServiceRuntime

extension Day {
    /// Returns a person's day of a date.
    static func of(_ person: String, _ date: String, _ db: Database) throws -> Day? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT day FROM day WHERE person = ? AND date = ?"),
            arguments: [person, date]
        ).map { try Day(stored: [UInt8]($0)) }
    }

    /// Returns every day on or after a date, for a new follower.
    static func all(from date: String, _ db: Database) throws -> [Day] {
        try Data.fetchAll(
            db, sql: "SELECT day FROM day WHERE date >= ? ORDER BY date, person", arguments: [date]
        ).map { try Day(stored: [UInt8]($0)) }
    }

    /// Returns a person's days from one date through another, in order.
    static func all(
        of person: String, from: String, until: String, _ db: Database
    ) throws -> [Day] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT day FROM day WHERE person = ? AND date >= ? AND date <= ? ORDER BY date
                    """), arguments: [person, from, until]
        ).map { try Day(stored: [UInt8]($0)) }
    }

    /// Returns the dates of a person's days before a date, latest first.
    static func dates(of person: String, before date: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT date FROM day WHERE person = ? AND date < ? ORDER BY date DESC LIMIT 10
                    """), arguments: [person, date])
    }

    /// Saves the day.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day (person, date, day) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET day = excluded.day
                """
        ).execute(arguments: [person, date, Data(packed())])
    }

    /// The maximum number of changes of a day that can be undone.
    static let mostBefore = 50
    /// The maximum size of the versions of all days of a person in bytes: 32 MiB.
    static let mostBytesBefore = 32 << 20
    /// How many versions are deleted at once when they are larger.
    private static let portion = 20

    /// Keeps the day so that a change can be undone. Only the last versions are kept, of this day
    /// and, when they are large, of all days of the person.
    func keepBefore(within mostBytes: Int = Day.mostBytesBefore, _ db: Database) throws {
        try Self.keepBefore([self], within: mostBytes, db)
    }

    /// The same for each of several changes of a day: the versions before them, oldest first.
    static func keepBefore(
        _ versions: [Day], within mostBytes: Int = Day.mostBytesBefore, _ db: Database
    ) throws {
        guard let (person, date) = versions.first.map({ ($0.person, $0.date) }) else { return }
        for version in versions {
            try db.execute(
                sql: "INSERT INTO dayBefore (person, date, day) VALUES (?, ?, ?)",
                arguments: [person, date, Data(version.packed())])
        }
        try db.execute(
            sql: """
                DELETE FROM dayBefore WHERE person = ?1 AND date = ?2 AND id NOT IN (
                    SELECT id FROM dayBefore WHERE person = ?1 AND date = ?2
                    ORDER BY id DESC LIMIT ?3)
                """, arguments: [person, date, mostBefore])
        while let size = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT sum(length(day)) FROM dayBefore WHERE person = ?"),
            arguments: [person]), size > mostBytes
        {
            try db.execute(
                sql: """
                    DELETE FROM dayBefore WHERE id IN (
                        SELECT id FROM dayBefore WHERE person = ? ORDER BY id LIMIT ?)
                    """, arguments: [person, portion])
        }
    }

    /// Deletes the kept versions of the day, which is over.
    func forgetBefore(_ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM dayBefore WHERE person = ? AND date = ?")
            .execute(arguments: [person, date])
    }

    /// Removes and returns the day before its last change; nil when none is kept.
    static func takeBefore(
        of person: String, _ date: String, _ db: Database
    ) throws -> Day? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT id, day FROM dayBefore WHERE person = ? AND date = ?
                ORDER BY id DESC LIMIT 1
                """, arguments: [person, date])
        guard let row else { return nil }
        try db.execute(
            sql: "DELETE FROM dayBefore WHERE id = ?", arguments: [row["id"] as Int64])
        return try Day(stored: [UInt8](row["day"] as Data))
    }
}
