import GRDB

/// The travel times of timetables that were removed: nobody uses them, and they are deleted in
/// stretches, because there may be 200,000.
enum GoneTravelTimes {
    /// Their rows.
    static let rows = GoneRows(
        of: "travelTime", by: "feed", key: "route, origin, destination, band",
        contents: "destination", goneIn: "goneTravelTime", timer: "travelTimes")

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
}
