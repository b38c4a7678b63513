import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// The scheduled shifts of the sites.
enum ScheduleRow {
    /// The tables: what is scheduled, and what became of it.
    static let schema = """
        CREATE TABLE scheduledShift (
            id TEXT NOT NULL PRIMARY KEY, site TEXT NOT NULL, shift BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX scheduledShiftBySite ON scheduledShift (site);
        CREATE TABLE scheduledStart (
            site TEXT NOT NULL, siteName TEXT NOT NULL, schedule TEXT NOT NULL,
            date TEXT NOT NULL, due INTEGER NOT NULL, outcome INTEGER NOT NULL,
            manager TEXT NOT NULL, managerName TEXT NOT NULL, shift BLOB NOT NULL,
            start BLOB NOT NULL,
            PRIMARY KEY (site, schedule, date)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX scheduledStartByTime ON scheduledStart (site, due);
        """

    /// Adds the columns that say which decisions are put aside, and since when shifts were
    /// scheduled before the clock was set back.
    static func addDoubts(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE scheduledStart
                    ADD COLUMN isAside INTEGER NOT NULL DEFAULT 0 CHECK (isAside IN (0, 1));
                ALTER TABLE scheduledShift ADD COLUMN formerSince INTEGER NOT NULL DEFAULT 0;
                """)
    }

    /// Makes the table of when each site was last checked.
    static func makeChecks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE scheduleCheck (
                    site TEXT NOT NULL PRIMARY KEY, time INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                """)
    }

    /// Keeps the time at which a site is checked.
    ///
    /// - Returns: when it was checked before; nil if it never was.
    static func check(_ site: String, at now: Int64, _ db: Database) throws -> Int64? {
        let last = try Int64.fetchOne(
            db, sql: "SELECT time FROM scheduleCheck WHERE site = ?", arguments: [site])
        try db.execute(
            sql: "INSERT OR REPLACE INTO scheduleCheck (site, time) VALUES (?, ?)",
            arguments: [site, now])
        return last
    }

    /// The scheduled shifts of a site, in the order in which they were scheduled.
    static func all(at site: String, _ db: Database) throws -> [ScheduledShift] {
        try Data.fetchAll(
            db, sql: "SELECT shift FROM scheduledShift WHERE site = ? ORDER BY id",
            arguments: [site]
        ).map { try ScheduledShift(stored: [UInt8]($0)) }
    }

    /// Calls `body` with the scheduled shifts of all sites, for a snapshot.
    static func each(
        in transaction: Transaction, _ body: (ScheduledShift) throws -> Void
    ) throws {
        try ScheduledShift.eachRow(
            "scheduled shift", "SELECT shift, id FROM scheduledShift ORDER BY site, id",
            in: transaction
        ) { shift, _ in try body(shift) }
    }

    /// The ids of the sites with scheduled shifts.
    static func sites(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT DISTINCT site FROM scheduledShift ORDER BY site")
    }

    /// Since when a shift was scheduled before the clock was set back; 0 if it wasn't.
    static func formerSince(_ shift: ScheduledShift, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT formerSince FROM scheduledShift WHERE id = ?", arguments: [shift.id])
            ?? 0
    }

    static func save(
        _ shift: ScheduledShift, formerSince: Int64 = 0, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO scheduledShift (id, site, shift, formerSince)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [shift.id, shift.site, Data(shift.packed()), formerSince])
    }

    /// Deletes a scheduled shift. What became of it is kept, except for a beginning that waits.
    static func delete(_ shift: ScheduledShift, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM scheduledShift WHERE id = ?", arguments: [shift.id])
        try db.execute(
            sql: "DELETE FROM scheduledStart WHERE site = ? AND schedule = ? AND outcome = ?",
            arguments: [shift.site, shift.id, Int(StartOutcome.waiting.rawValue)])
    }
}

/// What became of a scheduled shift on a day.
struct StartRow {
    /// The scheduled shift, as it was then.
    let shift: ScheduledShift
    /// The name of its site.
    let siteName: String
    var start: ScheduledStart

    /// The number of rows that a site keeps, the newest ones: some years of two shifts a day. It
    /// keeps as many that are put aside, the oldest ones.
    static let most = 4_000

    /// The rows of a site since a time, and those that wait, earliest first; without those that
    /// are put aside, like the next one.
    static func all(at site: String, from time: Int64, _ db: Database) throws -> [StartRow] {
        try fetch(
            db,
            "WHERE site = ? AND isAside = 0 AND (due > ? OR outcome = ?) ORDER BY due, schedule",
            [site, time, Int(StartOutcome.waiting.rawValue)])
    }

    /// The shifts that did not begin, or wait to begin, newest first.
    ///
    /// - Parameters:
    ///   - range: which sites, dates and managers.
    ///   - before: only those due before this time, in milliseconds since 1970; 0 for all.
    ///   - limit: the most rows.
    ///   - db: the store.
    static func missed(
        in range: FigureRange, before: Int64 = 0, limit: Int, _ db: Database
    ) throws -> [StartRow] {
        try fetch(
            db,
            """
            AS f WHERE outcome <> :begun AND isAside = 0 AND \(FigureRange.condition)
            AND (:before = 0 OR due < :before) ORDER BY due DESC, schedule LIMIT :limit
            """,
            try range.arguments() + [
                "begun": Int(StartOutcome.begun.rawValue), "before": before, "limit": limit,
            ])
    }

    /// Puts decisions about later times aside, because the clock was set back: they don't count.
    /// Either it was wrong when they were made, or it is wrong now.
    static func putAside(after time: Int64, at site: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE scheduledStart SET isAside = 1 WHERE site = ? AND due > ? AND isAside = 0",
            arguments: [site, time])
        guard db.changesCount > 0 else { return }
        try db.execute(
            sql: """
                DELETE FROM scheduledStart WHERE site = ?1 AND isAside = 1 AND due >= (
                    SELECT due FROM scheduledStart WHERE site = ?1 AND isAside = 1
                    ORDER BY due LIMIT 1 OFFSET ?2)
                """,
            arguments: [site, most])
    }

    /// Settles the decisions that were put aside and whose times have come. If the clock has run up
    /// to such a time, the decision was made while it was wrong, and is deleted. If it has leapt
    /// past that time, it was set right, and the decision counts again.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - hasLeapt: true if the clock has leapt since the site was last checked.
    ///   - site: the id of the site.
    ///   - db: the store.
    static func settleAside(
        at now: Int64, hasLeapt: Bool, of site: String, _ db: Database
    ) throws {
        let condition = "WHERE site = ? AND isAside = 1 AND due <= ?"
        try db.execute(
            sql: hasLeapt
                ? "UPDATE scheduledStart SET isAside = 0 \(condition)"
                : "DELETE FROM scheduledStart \(condition)",
            arguments: [site, now])
    }

    /// Inserts or replaces the row, and deletes the oldest beyond ``most``.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO scheduledStart
                    (site, siteName, schedule, date, due, outcome, manager, managerName, shift,
                    start)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                shift.site, siteName, shift.id, start.date, start.due,
                Int(start.outcome.rawValue), shift.managerName, FoldedText.name(shift.managerName),
                Data(shift.packed()),
                Data(start.packed()),
            ])
        try db.execute(
            sql: """
                DELETE FROM scheduledStart WHERE site = ?1 AND isAside = 0 AND due < (
                    SELECT due FROM scheduledStart WHERE site = ?1 AND isAside = 0
                    ORDER BY due DESC LIMIT 1 OFFSET ?2)
                """,
            arguments: [shift.site, Self.most - 1])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [StartRow] {
        try Row.fetchAll(
            db, sql: "SELECT shift, siteName, start FROM scheduledStart \(condition)",
            arguments: arguments
        ).map {
            StartRow(
                shift: try ScheduledShift(stored: [UInt8]($0["shift"] as Data)),
                siteName: $0["siteName"],
                start: try ScheduledStart(stored: [UInt8]($0["start"] as Data)))
        }
    }
}
