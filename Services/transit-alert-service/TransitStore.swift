import Foundation
import GRDB
import Messages
import RideTracking
import ServiceRuntime

/// The service's own tables. Timetables are files next to the store that never change; each has a
/// row that names it.
enum TransitStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("transit: feeds and journeys") { db in
            try db.execute(
                sql: """
                    CREATE TABLE feed (
                        name TEXT NOT NULL PRIMARY KEY, file TEXT NOT NULL, feed BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE journey (
                        id TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, file TEXT NOT NULL,
                        isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
                        journey BLOB NOT NULL, ride BLOB, lines TEXT NOT NULL,
                        alerts TEXT NOT NULL,
                        CHECK (isActive = 1 OR ride IS NULL)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX activeJourney ON journey (file) WHERE isActive = 1;
                    """)
        }
        migrator.registerMigration("transit: organisations") { db in
            try db.execute(
                sql: "ALTER TABLE journey ADD COLUMN organisation TEXT NOT NULL DEFAULT ''")
        }
        migrator.registerMigration("transit: when journeys ended") { db in
            try db.execute(
                sql: """
                    ALTER TABLE journey ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX endedJourney ON journey (ended) WHERE isActive = 0;
                    """)
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, journey FROM journey WHERE isActive = 0")
            var ended: [(id: String, time: Int64)] = []
            while let row = try rows.next() {
                let id: String = row["id"]
                // A journey that can't be read is kept as if it had ended when it began, which its
                // id says.
                let time: Int64? = Journey.readable(row["journey"])?.ended
                ended.append((id, time ?? MessageID(id)?.milliseconds ?? 0))
            }
            for journey in ended {
                try db.execute(
                    sql: "UPDATE journey SET ended = ? WHERE id = ?",
                    arguments: [journey.time, journey.id])
            }
        }
        StandingAlert.registerMove("transit: standing alerts", in: &migrator, formerAlerts)
        TravellerStore.register(in: &migrator)
        LandmarkStore.register(in: &migrator)
        TravelTimeStore.register(in: &migrator)
        migrator.registerMigration(
            "transit: journeys under way by passenger", migrate: JourneyLimits.makeIndex)
        migrator.registerMigration(
            "transit: positions are deleted with their journey", migrate: KeptFix.makeTrigger)
        migrator.registerMigration(
            "transit: destinations by their last use", migrate: Messages.Destination.makeIndex)
        migrator.registerMigration(
            "transit: comments by passenger", migrate: RideComment.makeIndex)
        migrator.registerMigration(
            "transit: imports of landmarks", migrate: IncomingLandmarks.addColumn)
        migrator.registerMigration(
            "transit: positions are deleted in stretches", migrate: KeptFix.makeTableOfGone)
        migrator.registerMigration(
            "transit: landmarks are deleted in stretches", migrate: GoneLandmarks.makeTable)
        migrator.registerMigration(
            "transit: travel times are deleted in stretches", migrate: GoneTravelTimes.makeTable)
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] = [
        .all(of: "feed"), .all(of: "landmarkSet"), .all(of: "landmark"),
        .all(of: "goneLandmark"), .none(of: "erasure"), .all(of: "travelTime"),
        .all(of: "goneTravelTime"),
        .rows(of: "keptFix", where: ofOwnJourney), .rows(of: "goneFix", where: ofOwnJourney),
        .rows(
            of: "destination",
            where: "owner IN (SELECT owner FROM traveller WHERE \(Belonging.ofOrganisation))"),
        .rows(of: "traveller"), .rows(of: "rideCount"), .rows(of: "rideComment"),
        .rows(of: "journey"),
        .rows(
            of: "timer",
            where: "kind = '\(JourneyHandling.pruning)' OR subject IN (SELECT id FROM journey)"),
    ]

    private static let ofOwnJourney =
        "journey IN (SELECT id FROM journey WHERE \(Belonging.ofOrganisation))"

    /// Reads the alerts of journeys as versions up to 0.1 kept them, except those that can't be
    /// read, and drops the column.
    @Sendable private static func formerAlerts(_ db: Database) throws -> [StandingAlert] {
        let kept = try String.fetchAll(db, sql: "SELECT alerts FROM journey WHERE isActive = 1")
        try db.execute(sql: "ALTER TABLE journey DROP COLUMN alerts")
        return kept.flatMap(readableAlerts)
            .map { StandingAlert($0, since: max(0, $0.expiresAt - JourneyWatch.alertLife)) }
    }

    private static func readableAlerts(_ text: String) -> [AlertRaised] {
        do {
            return try JSONDecoder().decode([AlertRaised].self, from: Data(text.utf8))
        } catch { return [] }
    }
}

/// A feed and the name of its file.
struct FeedRow {
    let feed: Messages.Feed
    let file: String

    static func all(_ db: Database) throws -> [FeedRow] {
        try Row.fetchAll(db, sql: "SELECT file, feed FROM feed ORDER BY name").map(FeedRow.init)
    }

    static func named(_ name: String, _ db: Database) throws -> FeedRow? {
        try Row.fetchOne(db, sql: "SELECT file, feed FROM feed WHERE name = ?", arguments: [name])
            .map(FeedRow.init)
    }

    static func required(_ name: String, _ db: Database) throws -> FeedRow {
        guard let row = try named(name, db) else {
            throw Refusal.unknownFeed(name, known: try all(db).map(\.feed.name))
        }
        return row
    }

    init(feed: Messages.Feed, file: String) {
        self.feed = feed
        self.file = file
    }

    private init(_ row: Row) throws {
        feed = try Messages.Feed(stored: [UInt8](row["feed"] as Data))
        file = row["file"]
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO feed (name, file, feed) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET file = excluded.file, feed = excluded.feed
                """,
            arguments: [feed.name, file, Data(feed.packed())])
    }

    static func delete(_ name: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM feed WHERE name = ?", arguments: [name])
    }

    /// The prefixes of the names of feed files in use by a feed, a journey under way, or an import.
    static func usedFiles(_ transaction: Transaction) throws -> [String] {
        try namedFiles(transaction.db) + transaction.jobsUnderWay()
    }

    /// The names of the files of feeds and of journeys under way.
    static func namedFiles(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: "SELECT file FROM feed UNION SELECT file FROM journey WHERE isActive = 1")
    }
}

extension JourneyWatch {
    static func required(_ id: String, owner: String, _ db: Database) throws -> JourneyWatch {
        let typed = try TypedID(id, of: "journey")
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM journey WHERE \(TypedID.condition) AND owner = :owner LIMIT 2")
        return try JourneyWatch(
            typed.only(
                Row.fetchAll(statement, arguments: typed.arguments + ["owner": owner])))
    }

    static func ofID(_ id: String, _ db: Database) throws -> JourneyWatch? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM journey WHERE id = ?"), arguments: [id]
        ).map(JourneyWatch.init)
    }

    /// The newest journeys of a person before one: at most 50, and no more than fit into an answer,
    /// because each has all lines of its stop. A journey that can't be read is left out.
    static func newest(
        owner: String, activeOnly: Bool, before end: String, _ db: Database
    ) throws -> [JourneyWatch] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM journey
                WHERE owner = ?1 AND (?2 = '' OR id < ?2) \(activeOnly ? "AND isActive = 1" : "")
                ORDER BY id DESC
                """,
            arguments: [owner, end])
        var page = Page<JourneyWatch>(limit: 50)
        while let row = try rows.next() {
            guard let watch = readable(row) else { continue }
            guard page.add(watch, bytes: (row["journey"] as Data).count) else { break }
        }
        return page.rows
    }

    /// The ids of the journeys under way.
    static func activeIDs(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM journey WHERE isActive = 1 ORDER BY id")
    }

    /// Whether a journey under way uses a feed file.
    static func isRidden(_ file: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM journey WHERE file = ? AND isActive = 1)",
            arguments: [file]) ?? false
    }

    /// Ends a journey that can't be read, so that it is deleted like others.
    static func abandon(_ id: String, at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE journey SET isActive = 0, ride = NULL, guide = NULL, ended = ? WHERE id = ?
                """, arguments: [now, id])
    }

    static func hasActive(owner: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM journey WHERE owner = ? AND isActive = 1)",
            arguments: [owner]) ?? false
    }

    static func ids(owner: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM journey WHERE owner = ?", arguments: [owner])
    }

    static func deleteAll(of owner: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM journey WHERE owner = ?", arguments: [owner])
    }

    /// The journey of a row; nil if it can't be read.
    private static func readable(_ row: Row) -> JourneyWatch? {
        do { return try JourneyWatch(row) } catch { return nil }
    }

    private init(_ row: Row) throws {
        let decoder = JSONDecoder()
        self.init(
            journey: try Journey(stored: [UInt8](row["journey"] as Data)),
            file: row["file"],
            lines: try decoder.decode([LineChoice].self, from: Data((row["lines"] as String).utf8)),
            ride: try (row["ride"] as Data?).map { try decoder.decode(Ride.self, from: $0) },
            organisation: row["organisation"], told: row["told"], arrived: row["arrived"],
            tour: try (row["guide"] as String?).map {
                try decoder.decode(JourneyWatch.Tour.self, from: Data($0.utf8))
            } ?? JourneyWatch.Tour())
    }

    /// Inserts or updates its row. The positions of an ended journey are deleted.
    func save(_ db: Database) throws {
        let encoder = JSONEncoder()
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO journey
                    (id, owner, file, isActive, journey, ride, lines, organisation, ended, told,
                    arrived, guide)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET isActive = excluded.isActive,
                    journey = excluded.journey, ride = excluded.ride, ended = excluded.ended,
                    told = excluded.told, arrived = excluded.arrived,
                    guide = excluded.guide
                """)
        try statement.execute(
            arguments: [
                journey.id, journey.owner, file, isActive, Data(journey.packed()),
                try isActive ? ride.map(encoder.encode) : nil,
                String(decoding: try encoder.encode(lines), as: UTF8.self), organisation,
                journey.ended, told, arrived,
                try tour.types.isEmpty || !isActive
                    ? nil : String(decoding: encoder.encode(tour), as: UTF8.self),
            ])
    }

    /// Deletes some of the journeys that ended before a time.
    ///
    /// - Returns: true when there may be more.
    static func prune(endedBefore time: Int64, _ db: Database) throws -> Bool {
        let most = 1000
        try db.execute(
            sql: """
                DELETE FROM journey WHERE id IN (
                    SELECT id FROM journey WHERE isActive = 0 AND ended < ? LIMIT ?)
                """, arguments: [time, most])
        return db.changesCount == most
    }
}
