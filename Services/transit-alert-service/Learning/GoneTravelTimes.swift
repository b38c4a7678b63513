import GRDB
import ServiceRuntime

/// The travel times of timetables that were removed: nobody uses them, and they are deleted in
/// stretches, because there may be 200,000.
enum GoneTravelTimes {
    /// The maximum number of rows that are deleted in a stretch.
    static let mostRows = 2_000
    private static let sweeping = "travelTimes"
    /// How long the deletion rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    /// The timer that deletes what was given up.
    static var timer: TimerHandler {
        TimerHandler(sweeping) { _, _, transaction in try sweep(in: transaction) }
    }

    /// Makes the table of the timetables whose travel times are given up.
    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE goneTravelTime (
                    feed TEXT NOT NULL PRIMARY KEY
                ) WITHOUT ROWID, STRICT;
                """)
    }

    /// Gives up the travel times of a timetable.
    static func add(_ feed: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO goneTravelTime (feed) VALUES (?)", arguments: [feed])
    }

    /// Whether travel times of a timetable are still being deleted. If a new one has its name,
    /// nothing is learned about it meanwhile.
    static func has(_ feed: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM goneTravelTime WHERE feed = ?)"),
            arguments: [feed]) ?? false
    }

    /// Deletes the next of the travel times that were given up, and sets the timer if there are
    /// more.
    static func sweep(in transaction: Transaction) throws {
        guard try sweep(transaction.db) else { return }
        try transaction.setTimer(sweeping, subject: "", due: transaction.now + pause)
    }

    /// Deletes the next of the travel times that were given up.
    ///
    /// - Returns: true when more are left.
    static func sweep(_ db: Database) throws -> Bool {
        var rowsLeft = mostRows
        while let feed = try String.fetchOne(
            db.cachedStatement(sql: "SELECT feed FROM goneTravelTime LIMIT 1"))
        {
            try db.execute(
                sql: """
                    DELETE FROM travelTime WHERE (feed, route, origin, destination, band) IN (
                        SELECT feed, route, origin, destination, band FROM travelTime
                        WHERE feed = ? LIMIT ?)
                    """, arguments: [feed, rowsLeft])
            rowsLeft -= db.changesCount
            guard rowsLeft > 0 else { return true }
            // A timetable without travel times costs something, too.
            rowsLeft -= 1
            try db.execute(sql: "DELETE FROM goneTravelTime WHERE feed = ?", arguments: [feed])
        }
        return false
    }
}
