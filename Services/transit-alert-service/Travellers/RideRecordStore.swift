import Foundation
import GRDB
import Messages
import ServiceRuntime

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

    /// Some of the numbers of an organisation, newest day first: those that follow a row, or the
    /// first, as many as fit into an answer; and whether more follow.
    static func page(
        of organisation: String, from first: String, to last: String, after: RideCount?,
        _ db: Database
    ) throws -> (counts: [RideCount], isMore: Bool) {
        let rows = try Data.fetchCursor(
            db,
            sql: """
                SELECT count FROM rideCount
                WHERE organisation = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR day < ?4
                    OR (day = ?4 AND (feed, route, source) > (?5, ?6, ?7)))
                ORDER BY day DESC, feed, route, source
                """,
            arguments: [
                organisation, first, last, after?.day, after?.feed, after?.route, after?.source,
            ])
        var page = Page<RideCount>(limit: most)
        while let row = try rows.next() {
            guard page.add(try RideCount(stored: [UInt8](row)), bytes: row.count) else {
                return (page.rows, true)
            }
        }
        return (page.rows, false)
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
        let rows = try Data.fetchCursor(
            db,
            sql: """
                SELECT comment FROM rideComment WHERE organisation = ? AND day BETWEEN ? AND ?
                ORDER BY day DESC, journey DESC LIMIT ?
                """, arguments: [organisation, first, last, most])
        // The answer also has the numbers.
        var page = Page<RideComment>(limit: most, bytes: Page<RideComment>.mostBytes / 2)
        while let row = try rows.next() {
            guard page.add(try RideComment(stored: [UInt8](row)), bytes: row.count) else { break }
        }
        return page.rows
    }

    /// Some of the comments of a passenger, on the newest journey first: on those before a journey,
    /// or the first, as many as fit into an answer.
    static func all(of owner: String, before end: String, _ db: Database) throws -> RideComments {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT journey, comment FROM rideComment
                WHERE owner = ?1 AND (?2 = '' OR journey < ?2) ORDER BY journey DESC
                """, arguments: [owner, end])
        var page = Page<RideComment>(limit: most)
        var last = ""
        while let row = try rows.next() {
            let bytes = row["comment"] as Data
            guard page.add(try RideComment(stored: [UInt8](bytes)), bytes: bytes.count) else {
                return RideComments(comments: page.rows, next: last)
            }
            last = row["journey"]
        }
        return RideComments(comments: page.rows)
    }

    /// Makes the index that finds a passenger's comments without reading any others.
    static func makeIndex(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX commentByOwner ON rideComment (owner, journey)")
    }

    static func deleteAll(of owner: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM rideComment WHERE owner = ?", arguments: [owner])
    }
}
