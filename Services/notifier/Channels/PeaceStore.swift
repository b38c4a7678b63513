import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The notifier's table of quiet hours.
extension QuietHours {
    /// The quiet hours of a feed's owner: none if they can't be read, so that no alert is lost.
    static func of(_ feed: AlertFeedAddress, _ db: Database) throws -> QuietHours {
        let statement = try db.cachedStatement(sql: "SELECT hours FROM quiet WHERE feed = ?")
        return try Data.fetchOne(statement, arguments: [feed.topic]).flatMap(readable)
            ?? QuietHours()
    }

    /// Saves the quiet hours of a feed's owner.
    func save(_ feed: AlertFeedAddress, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO quiet (feed, hours) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET hours = excluded.hours
                """, arguments: [feed.topic, Data(packed())])
    }
}

/// The notifier's table of silences.
extension Silence {
    /// The silences of a feed's owner that have not ended, the first to end first. A silence that
    /// can't be read silences nothing.
    static func all(of feed: AlertFeedAddress, at now: Int64, _ db: Database) throws -> [Silence] {
        let statement = try db.cachedStatement(
            sql: "SELECT silence FROM silence WHERE feed = ? AND until > ? ORDER BY until, id")
        return try Data.fetchAll(statement, arguments: [feed.topic, now]).compactMap(readable)
    }

    /// Inserts the silence.
    func save(_ feed: AlertFeedAddress, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO silence (id, feed, until, silence) VALUES (?, ?, ?, ?)",
            arguments: [id, feed.topic, until, Data(packed())])
    }

    /// Deletes the silence.
    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM silence WHERE id = ?", arguments: [id])
    }

    /// Deletes those that ended before a time.
    static func prune(endedBefore time: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM silence WHERE until < ?", arguments: [time])
    }

    /// Deletes those that were begun while the clock was ahead, so that they aren't in force when
    /// that time comes again.
    static func prune(begunAfter now: Int64, _ db: Database) throws {
        for id in try String.fetchAll(db, sql: "SELECT id FROM silence")
        where MessageID(id)?.isAhead(of: now) == true {
            try db.execute(sql: "DELETE FROM silence WHERE id = ?", arguments: [id])
        }
    }
}
