import CalendarFeeds
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// A calendar that is fetched. Only the times in it are kept.
struct PersonCalendarRow {
    /// What is reported about it, without the identifier of the project and the name of the person.
    var calendar: PersonCalendar
    /// The id of the project.
    let project: String
    /// The address, sealed.
    let sealed: [UInt8]
    var isUnderWay = false
    /// What is known about the file.
    var version = CalendarFetch.Version()
    /// The time until which it isn't fetched, even if somebody asks for it, in milliseconds since
    /// 1970: its server asks to wait, or the service fails while fetching it. 0 if it may be
    /// fetched.
    var earliest: Int64 = 0
    /// The zone in which it was read.
    var zone = ""
    /// Its busy times; nil when they aren't loaded.
    var times: [BusyStretch]?

    /// Writes it; the times only if they are loaded.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO personCalendar
                    (id, project, person, due, earliest, underWay, sealed, tag, modified, zone,
                     calendar, times)
                VALUES (:id, :project, :person, :due, :earliest, :underWay, :sealed, :tag,
                    :modified, :zone, :calendar, ifnull(:times, x''))
                ON CONFLICT (id) DO UPDATE SET
                    due = excluded.due, earliest = excluded.earliest,
                    underWay = excluded.underWay, tag = excluded.tag,
                    modified = excluded.modified, zone = excluded.zone,
                    calendar = excluded.calendar, times = ifnull(:times, times)
                """
        ).execute(arguments: [
            "id": calendar.id, "project": project, "person": calendar.person, "due": calendar.due,
            "earliest": earliest, "underWay": isUnderWay, "sealed": Data(sealed),
            "tag": version.tag, "modified": version.modified, "zone": zone,
            "calendar": Data(calendar.packed()),
            "times": times.map { Data(BusyTimesRead(times: $0).packed()) },
        ])
    }

    /// What the alerts about it are raised about.
    var alertSubject: String { Self.alertSubject(calendar.id, of: project) }

    private static func alertSubject(_ id: String, of project: String) -> String {
        "\(project)/calendar/\(id)"
    }

    /// Deletes a calendar and its address.
    func forget(in transaction: Transaction) throws {
        try Self.forget(calendar.id, of: project, in: transaction)
    }

    /// Deletes the calendars of a project and their addresses, even those that can't be read.
    static func forgetAll(of project: String, in transaction: Transaction) throws {
        let ids = try String.fetchAll(
            transaction.db.cachedStatement(
                sql: "SELECT id FROM personCalendar WHERE project = ? ORDER BY id"),
            arguments: [project])
        for id in ids { try forget(id, of: project, in: transaction) }
    }

    private static func forget(
        _ id: String, of project: String, in transaction: Transaction
    ) throws {
        try transaction.db.execute(
            sql: "DELETE FROM personCalendar WHERE id = ?", arguments: [id])
        try transaction.withdrawAlerts(of: alertSubject(id, of: project))
        // Neither the store nor its log has the address any longer.
        transaction.erase()
    }

    static func ofID(_ id: String, _ db: Database) throws -> PersonCalendarRow? {
        try fetch("id = :id", ["id": id], db).first
    }

    /// The calendars of a project, by person, without their times.
    static func all(of project: String, _ db: Database) throws -> [PersonCalendarRow] {
        try fetch("project = :project ORDER BY person, id", ["project": project], db)
    }

    /// At most two calendars of a project that match an id or its beginning.
    static func matching(
        _ id: TypedID, of project: String, _ db: Database
    ) throws -> [PersonCalendarRow] {
        try fetch(
            "project = :project AND \(TypedID.condition) LIMIT 2",
            ["project": project] + id.arguments, db)
    }

    /// The id of the calendar that is due first.
    static func due(at now: Int64, _ db: Database) throws -> String? {
        func first(_ condition: String, _ time: Int64) throws -> String? {
            try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM personCalendar WHERE underWay = 0 AND due \(condition)
                        ORDER BY due LIMIT 1
                        """), arguments: [time])
        }
        // One that waits longer than a server may ask for was put off before the clock was set
        // back.
        return try first("<= ?", now) ?? first("> ?", now + CalendarWait.longest)
    }

    /// Puts off a calendar that can't be read.
    static func putOff(_ id: String, to due: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE personCalendar SET due = ? WHERE id = ?", arguments: [due, id])
    }

    /// Fetches that a kill interrupted are repeated.
    static func recover(_ db: Database) throws {
        try db.execute(sql: "UPDATE personCalendar SET underWay = 0 WHERE underWay = 1")
    }

    /// Fetches the calendars of a project now, or when their servers allow it.
    static func hurry(_ project: String, at now: Int64, _ db: Database) throws {
        for var row in try all(of: project, db) where !row.isUnderWay {
            // A longer wait began before the clock was set back.
            let isAsked = row.earliest > now && row.earliest - now <= CalendarWait.longest
            row.calendar.due = min(row.calendar.due, isAsked ? row.earliest : now)
            try row.save(db)
        }
    }

    /// The busy times of a calendar.
    static func times(of id: String, _ db: Database) throws -> [BusyStretch] {
        guard
            let bytes = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT times FROM personCalendar WHERE id = ?"),
                arguments: [id])
        else { return [] }
        return try BusyTimesRead(stored: [UInt8](bytes)).times
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [PersonCalendarRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT project, sealed, earliest, underWay, tag, modified, zone, calendar
                    FROM personCalendar WHERE \(condition)
                    """), arguments: arguments
        ).map { row in
            var calendar = PersonCalendarRow(
                calendar: try PersonCalendar(stored: [UInt8](row["calendar"] as Data)),
                project: row["project"], sealed: [UInt8](row["sealed"] as Data),
                isUnderWay: row["underWay"],
                version: CalendarFetch.Version(tag: row["tag"], modified: row["modified"]))
            (calendar.zone, calendar.earliest) = (row["zone"], row["earliest"])
            return calendar
        }
    }
}

extension ProjectStore {
    static let personCalendars = """
        CREATE TABLE personCalendar (
            id TEXT NOT NULL UNIQUE, project TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
            person INTEGER NOT NULL, due INTEGER NOT NULL, underWay INTEGER NOT NULL,
            sealed BLOB NOT NULL, tag TEXT NOT NULL, modified TEXT NOT NULL, zone TEXT NOT NULL,
            calendar BLOB NOT NULL, times BLOB NOT NULL
        ) STRICT;
        CREATE INDEX personCalendarByProject ON personCalendar (project, person);
        CREATE INDEX personCalendarByDue ON personCalendar (underWay, due);
        """
}
