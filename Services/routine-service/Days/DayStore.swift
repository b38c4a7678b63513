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

    /// Calls `body` with each day on or after a date that can be read, for a snapshot.
    static func each(
        from date: String, in transaction: Transaction, _ body: (Day) throws -> Void
    ) throws {
        try eachRow(
            "day",
            "SELECT day, person || '/' || date FROM day WHERE date >= ? ORDER BY date, person",
            [date], in: transaction
        ) { day, _ in try body(day) }
    }

    /// Returns whether a person has a day of a date, even one that can't be read.
    static func exists(_ person: String, _ date: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM day WHERE person = ? AND date = ?)"),
            arguments: [person, date]) ?? false
    }

    /// Returns a person's days from one date through another, in order. A day that can't be read is
    /// left out; its timer reports it.
    static func all(
        of person: String, from: String, until: String, _ db: Database
    ) throws -> [Day] {
        try stored(of: person, from: from, until: until, db).compactMap(Day.readable)
    }

    /// Returns the same days.
    ///
    /// - Throws: an error if one of them can't be read.
    static func every(
        of person: String, from: String, until: String, _ db: Database
    ) throws -> [Day] {
        try stored(of: person, from: from, until: until, db).map { try Day(stored: [UInt8]($0)) }
    }

    private static func stored(
        of person: String, from: String, until: String, _ db: Database
    ) throws -> [Data] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT day FROM day WHERE person = ? AND date >= ? AND date <= ? ORDER BY date
                    """), arguments: [person, from, until])
    }

    /// Returns the last days of a person that can be read, latest first.
    static func last(_ count: Int, of person: String, _ db: Database) throws -> [Day] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: "SELECT day FROM day WHERE person = ? ORDER BY date DESC LIMIT ?"),
            arguments: [person, count]
        ).compactMap(Day.readable)
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
        guard let day = Day.readable(row["day"]) else {
            throw Refusal.conflict(
                "the last change can't be undone, because what was before it can't be read")
        }
        try db.execute(
            sql: "DELETE FROM dayBefore WHERE id = ?", arguments: [row["id"] as Int64])
        return day
    }
}
