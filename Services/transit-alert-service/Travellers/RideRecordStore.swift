import Foundation
import GRDB
import Messages

/// The numbers of journeys, by organisation, day, line and source.
extension RideCount {
    /// How long they are kept: two years, in days.
    static let retentionDays = 730
    /// The maximum number sent at a time.
    private static let most = 5_000

    /// The row in which an ended journey counts.
    static func of(_ watch: JourneyWatch, _ db: Database) throws -> RideCount {
        let journey = watch.journey
        let key = RideCount(
            day: journey.endDay, feed: journey.feed, route: journey.route, source: journey.source)
        let row = try Data.fetchOne(
            db,
            sql: """
                SELECT count FROM rideCount
                WHERE organisation = ? AND day = ? AND feed = ? AND route = ? AND source = ?
                """, arguments: [watch.organisation, key.day, key.feed, key.route, key.source])
        return try row.map { try RideCount(stored: [UInt8]($0)) } ?? key
    }

    func save(_ organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO rideCount (organisation, day, feed, route, source, count)
                VALUES (?, ?, ?, ?, ?, ?)
                """, arguments: [organisation, day, feed, route, source, Data(packed())])
    }

    static func all(
        of organisation: String, from first: String, to last: String, _ db: Database
    ) throws -> [RideCount] {
        try Data.fetchAll(
            db,
            sql: """
                SELECT count FROM rideCount WHERE organisation = ? AND day BETWEEN ? AND ?
                ORDER BY day DESC, feed, route, source LIMIT ?
                """, arguments: [organisation, first, last, most]
        ).map { try RideCount(stored: [UInt8]($0)) }
    }

    static func prune(before day: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM rideCount WHERE day < ?", arguments: [day])
        try db.execute(sql: "DELETE FROM rideComment WHERE day < ?", arguments: [day])
    }
}

/// What passengers say.
extension RideComment {
    /// The maximum number sent at a time.
    private static let most = 100

    /// Inserts or replaces its row; one without words is deleted.
    func save(of watch: JourneyWatch, _ db: Database) throws {
        guard !comment.isEmpty else {
            return try db.execute(
                sql: "DELETE FROM rideComment WHERE journey = ?", arguments: [watch.journey.id])
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO rideComment (journey, owner, organisation, day, comment)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                watch.journey.id, watch.journey.owner, watch.organisation, day, Data(packed()),
            ])
    }

    static func newest(
        of organisation: String, from first: String, to last: String, _ db: Database
    ) throws -> [RideComment] {
        try Data.fetchAll(
            db,
            sql: """
                SELECT comment FROM rideComment WHERE organisation = ? AND day BETWEEN ? AND ?
                ORDER BY day DESC, journey DESC LIMIT ?
                """, arguments: [organisation, first, last, most]
        ).map { try RideComment(stored: [UInt8]($0)) }
    }

    static func deleteAll(of owner: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM rideComment WHERE owner = ?", arguments: [owner])
    }
}
