import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The tables of data about passengers: settings, destinations and kept positions.
enum TravellerStore {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("transit: travellers") { db in
            try db.execute(
                sql: """
                    CREATE TABLE traveller (
                        owner TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        traveller BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE destination (
                        owner TEXT NOT NULL, feed TEXT NOT NULL, stop TEXT NOT NULL,
                        used INTEGER NOT NULL, isFavourite INTEGER NOT NULL,
                        destination BLOB NOT NULL, PRIMARY KEY (owner, feed, stop)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE keptFix (
                        journey TEXT NOT NULL, number INTEGER NOT NULL, count INTEGER NOT NULL,
                        fixes BLOB NOT NULL, PRIMARY KEY (journey, number)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE rideCount (
                        organisation TEXT NOT NULL, day TEXT NOT NULL, feed TEXT NOT NULL,
                        route TEXT NOT NULL, source TEXT NOT NULL, count BLOB NOT NULL,
                        PRIMARY KEY (organisation, day, feed, route, source)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE rideComment (
                        journey TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL,
                        organisation TEXT NOT NULL, day TEXT NOT NULL, comment BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX commentByDay ON rideComment (organisation, day);
                    CREATE TABLE erasure (
                        id TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    ALTER TABLE journey ADD COLUMN told INTEGER;
                    ALTER TABLE journey ADD COLUMN arrived INTEGER;
                    CREATE INDEX journeyByOwner ON journey (owner, id);
                    """)
        }
    }
}

extension Traveller {
    static func of(_ owner: String, _ db: Database) throws -> Traveller {
        let row = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT traveller FROM traveller WHERE owner = ?"),
            arguments: [owner])
        guard var kept = try row.map({ try Traveller(stored: [UInt8]($0)) }) else {
            return .unknown
        }
        (kept.policy, kept.policyDate) = (PrivacyPolicy.version, PrivacyPolicy.date)
        return kept
    }

    func save(_ owner: Principal, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO traveller (owner, organisation, traveller) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET traveller = excluded.traveller
                """, arguments: [owner.account, owner.organisation, Data(packed())])
    }
}

extension Messages.Destination {
    /// The maximum number kept for a passenger, without favourites, and the maximum number of
    /// favourites.
    static let most = 100
    static let mostFavourites = 50

    /// The destinations of a passenger, the most recent first.
    static func all(of owner: String, _ db: Database) throws -> [Messages.Destination] {
        try Data.fetchAll(
            db,
            sql: """
                SELECT destination FROM destination WHERE owner = ?
                ORDER BY used DESC, feed, stop
                """, arguments: [owner]
        ).map { try Messages.Destination(stored: [UInt8]($0)) }
    }

    static func of(
        _ owner: String, feed: String, stop: String, _ db: Database
    ) throws -> Messages.Destination? {
        try Data.fetchOne(
            db,
            sql: "SELECT destination FROM destination WHERE owner = ? AND feed = ? AND stop = ?",
            arguments: [owner, feed, stop]
        ).map { try Messages.Destination(stored: [UInt8]($0)) }
    }

    /// Inserts or updates its row, and deletes those beyond the maximum.
    func save(_ owner: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO destination
                    (owner, feed, stop, used, isFavourite, destination)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [owner, feed, stopId, used, favourite, Data(packed())])
        try db.execute(
            sql: """
                DELETE FROM destination WHERE owner = ?1 AND isFavourite = 0 AND used <= (
                    SELECT used FROM destination WHERE owner = ?1 AND isFavourite = 0
                    ORDER BY used DESC LIMIT 1 OFFSET ?2)
                """, arguments: [owner, Self.most])
    }

    func delete(_ owner: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM destination WHERE owner = ? AND feed = ? AND stop = ?",
            arguments: [owner, feed, stopId])
    }

    /// Deletes the destinations that aren't favourites, and how often the favourites were ridden
    /// to.
    static func clear(of owner: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM destination WHERE owner = ? AND isFavourite = 0", arguments: [owner])
        for var favourite in try all(of: owner, db) {
            (favourite.used, favourite.journeys) = (0, 0)
            try favourite.save(owner, db)
        }
    }

    static func deleteAll(of owner: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM destination WHERE owner = ?", arguments: [owner])
    }

    /// Makes the index that finds what is old without reading anything else.
    static func makeIndex(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX destinationByUse ON destination (isFavourite, used)")
    }

    /// Deletes some of the destinations that were last ridden to before a time; of favourites only
    /// when and how often they were ridden to. A favourite that can't be read is deleted.
    ///
    /// - Returns: the number of destinations that were deleted or changed; if it is at least the
    ///   maximum, there may be more.
    static func prune(usedBefore time: Int64, most: Int, _ db: Database) throws -> Int {
        try db.execute(
            sql: """
                DELETE FROM destination WHERE (owner, feed, stop) IN (
                    SELECT owner, feed, stop FROM destination
                    WHERE isFavourite = 0 AND used < ? LIMIT ?)
                """, arguments: [time, most])
        let deleted = db.changesCount
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM destination WHERE isFavourite = 1 AND used > 0 AND used < ? LIMIT ?
                """, arguments: [time, most])
        for row in rows {
            let owner: String = row["owner"]
            guard var favourite = readable(row["destination"]) else {
                try Messages.Destination(feed: row["feed"], stopId: row["stop"]).delete(owner, db)
                continue
            }
            (favourite.used, favourite.journeys) = (0, 0)
            try favourite.save(owner, db)
        }
        return deleted + rows.count
    }
}

/// The positions of a journey that its passenger wants to keep.
enum KeptFix {
    /// The maximum number kept for one journey: twelve hours with one every two seconds.
    static let most = 21_600
    /// The maximum number sent at a time.
    static let page = 4_000

    /// Adds positions to a journey of a passenger, up to the maximum, and none if positions of too
    /// many other journeys are kept.
    static func add(
        _ fixes: [Fix], to journey: String, of owner: String, _ db: Database
    ) throws {
        let (number, count) = try state(journey, db)
        guard count < most,
            try number > 0 || JourneyLimits.hasRoomForPositions(of: owner, db)
        else { return }
        let some = Array(fixes.prefix(most - count))
        try db.execute(
            sql: "INSERT INTO keptFix (journey, number, count, fixes) VALUES (?, ?, ?, ?)",
            arguments: [journey, number, some.count, Data(KeptPositions(fixes: some).packed())])
    }

    private static func state(
        _ journey: String, _ db: Database
    ) throws -> (next: Int, count: Int) {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT coalesce(max(number) + 1, 0), coalesce(sum(count), 0)
                FROM keptFix WHERE journey = ?
                """, arguments: [journey])
        return (row?[0] as Int? ?? 0, row?[1] as Int? ?? 0)
    }

    /// Some of the positions, after the first `skipped`; none if they were given up.
    static func read(
        _ journey: String, after skipped: Int, _ db: Database
    ) throws -> KeptPositions {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT count, fixes FROM keptFix WHERE journey = ?1
                AND NOT EXISTS (SELECT 1 FROM goneFix WHERE journey = ?1) ORDER BY number
                """, arguments: [journey])
        var left = skipped
        var found: [Fix] = []
        while let row = try rows.next(), found.count <= page {
            let count: Int = row["count"]
            if left >= count {
                left -= count
                continue
            }
            let batch = try KeptPositions(stored: [UInt8](row["fixes"] as Data))
            found += batch.fixes.dropFirst(left)
            left = 0
        }
        return KeptPositions(fixes: Array(found.prefix(page)), more: found.count > page)
    }

    /// Gives up the positions of a passenger's journeys under way.
    static func giveUpUnderWay(of owner: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO goneFix (journey)
                SELECT id FROM journey WHERE owner = ? AND isActive = 1
                """, arguments: [owner])
    }

    /// The positions that were given up. A passenger may have four million rows of them.
    static let gone = GoneRows(
        of: "keptFix", by: "journey", key: "number", contents: "fixes", goneIn: "goneFix",
        timer: "positions", arePrivate: true)

    /// Makes the table of the journeys whose positions are given up, and the trigger that gives up
    /// those of a journey that is deleted.
    static func makeTableOfGone(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE goneFix (journey TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID, STRICT;
                DROP TRIGGER keptFixOfJourney;
                CREATE TRIGGER keptFixOfJourney AFTER DELETE ON journey
                WHEN EXISTS (SELECT 1 FROM keptFix WHERE journey = OLD.id) BEGIN
                    INSERT OR IGNORE INTO goneFix (journey) VALUES (OLD.id);
                END;
                """)
    }

    /// Makes the trigger that deletes positions with their journey.
    static func makeTrigger(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TRIGGER keptFixOfJourney AFTER DELETE ON journey BEGIN
                    DELETE FROM keptFix WHERE journey = OLD.id;
                END;
                DELETE FROM keptFix WHERE journey NOT IN (SELECT id FROM journey);
                """)
    }
}
