import Foundation
import GRDB
import RideTracking
import ServiceRuntime

/// The table of travel times learned from rides: sums by timetable, line, pair of stops and time of
/// day.
enum TravelTimeStore {
    /// The maximum number of rows. Beyond it no new pairs are learned until old ones are deleted.
    static let most = 200_000
    /// How long a row is kept after the last ride that it was learned from: 400 days in
    /// milliseconds.
    static let retention: Int64 = 400 * 24 * 3600 * 1000

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("transit: learned travel times") { db in
            try db.execute(
                sql: """
                    CREATE TABLE travelTime (
                        feed TEXT NOT NULL, route TEXT NOT NULL, origin TEXT NOT NULL,
                        destination TEXT NOT NULL, band INTEGER NOT NULL, rides REAL NOT NULL,
                        seconds REAL NOT NULL, dwells REAL NOT NULL, dwell REAL NOT NULL,
                        taught INTEGER NOT NULL,
                        PRIMARY KEY (feed, route, origin, destination, band)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX travelTimeByAge ON travelTime (feed, taught);
                    """)
        }
    }

    /// Adds the times that a ride took.
    static func learn(
        _ observations: [TravelTimes.Observation], along stops: [String], of route: String,
        feed: String, in band: TravelTimes.Band, at now: Int64, _ db: Database
    ) throws {
        guard try !GoneTravelTimes.has(feed, db) else { return }
        var room = most - (try Int.fetchOne(db, sql: "SELECT count(*) FROM travelTime") ?? 0)
        for observation in observations where observation.isCredible(on: stops) {
            let pair = TravelTimes.Pair(
                route: route, from: stops[observation.call], to: stops[observation.call + 1])
            let known = try tally(pair, feed: feed, in: band, db)
            if known == nil { room -= 1 }
            guard known != nil || room >= 0 else { continue }
            var tally = known ?? TravelTimes.Tally()
            tally.add(observation)
            try save(tally, pair, feed: feed, in: band, at: now, db)
        }
    }

    private static func tally(
        _ pair: TravelTimes.Pair, feed: String, in band: TravelTimes.Band, _ db: Database
    ) throws -> TravelTimes.Tally? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT * FROM travelTime
                    WHERE feed = ? AND route = ? AND origin = ? AND destination = ? AND band = ?
                    """),
            arguments: [feed, pair.route, pair.from, pair.to, band.rawValue]
        ).map(TravelTimes.Tally.init)
    }

    private static func save(
        _ tally: TravelTimes.Tally, _ pair: TravelTimes.Pair, feed: String,
        in band: TravelTimes.Band, at now: Int64, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO travelTime
                    (feed, route, origin, destination, band, rides, seconds, dwells, dwell, taught)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(
            arguments: [
                feed, pair.route, pair.from, pair.to, band.rawValue, tally.rides, tally.seconds,
                tally.dwells, tally.dwell, now,
            ])
    }

    /// What is known about a line's trip from each of these stops to the next.
    static func lessons(
        for stops: [String], of route: String, feed: String, in band: TravelTimes.Band,
        _ db: Database
    ) throws -> [Lesson?] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT * FROM travelTime
                WHERE feed = ? AND route = ? AND origin = ? AND destination = ?
                """)
        var times = TravelTimes()
        guard try !GoneTravelTimes.has(feed, db) else {
            return times.lessons(for: stops, of: route, in: band)
        }
        for (from, to) in zip(stops, stops.dropFirst()) {
            let pair = TravelTimes.Pair(route: route, from: from, to: to)
            for row in try Row.fetchAll(statement, arguments: [feed, route, from, to]) {
                guard let band = TravelTimes.Band(rawValue: row["band"]) else { continue }
                times.set(TravelTimes.Tally(row), for: pair, in: band)
            }
        }
        return times.lessons(for: stops, of: route, in: band)
    }

    /// When something was last learned about a timetable's lines, in milliseconds since 1970; nil
    /// for never.
    static func lastTaught(_ feed: String, _ db: Database) throws -> Int64? {
        guard try !GoneTravelTimes.has(feed, db) else { return nil }
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(taught) FROM travelTime WHERE feed = ?"),
            arguments: [feed])
    }

    /// The number of learned pairs of stops, for each timetable that has some.
    static func counts(_ db: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT feed, count(*) AS pairs FROM (
                    SELECT DISTINCT feed, route, origin, destination FROM travelTime
                    WHERE feed NOT IN (SELECT feed FROM goneTravelTime))
                GROUP BY feed
                """)
        return Dictionary(
            rows.map { ($0["feed"] as String, $0["pairs"] as Int) }, uniquingKeysWith: +)
    }

    /// Deletes some of what hasn't been learned again since a time.
    ///
    /// - Returns: true when there may be more.
    static func prune(taughtBefore time: Int64, _ db: Database) throws -> Bool {
        let most = GoneRows.mostRows
        try db.execute(
            sql: """
                DELETE FROM travelTime WHERE (feed, route, origin, destination, band) IN (
                    SELECT feed, route, origin, destination, band FROM travelTime
                    WHERE feed IN (SELECT DISTINCT feed FROM travelTime) AND taught < ? LIMIT ?)
                """, arguments: [time, most])
        return db.changesCount >= most
    }
}

extension TravelTimes.Tally {
    fileprivate init(_ row: Row) {
        self.init(
            rides: row["rides"], seconds: row["seconds"], dwells: row["dwells"],
            dwell: row["dwell"])
    }
}
