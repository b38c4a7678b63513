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

    /// Deletes the silence with an id.
    ///
    /// - Returns: the feed of its owner; nil if there is no such silence, or its owner never had an
    ///   alert.
    static func delete(_ id: String, _ db: Database) throws -> AlertFeedAddress? {
        let topic = try String.fetchOne(
            db, sql: "DELETE FROM silence WHERE id = ? RETURNING feed", arguments: [id])
        let feed = try Row.fetchOne(
            db, sql: "SELECT organisation, recipient FROM feed WHERE topic = ?",
            arguments: [topic])
        return feed.map {
            AlertFeedAddress(organisation: $0["organisation"], recipient: $0["recipient"])
        }
    }

    /// The open alerts of a feed that a silence has held back, the most severe first and of these
    /// the newest: ``Alert/mostShown``.
    static func heldBack(
        by id: String, of feed: AlertFeedAddress, _ db: Database
    ) throws -> [Alert] {
        // The reason is a part of the packed delivery.
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Alert.columns) FROM alert WHERE feed = ? AND state = 1 AND EXISTS (
                    SELECT 1 FROM delivery
                    WHERE delivery.alert = alert.id AND delivery.feed = alert.feed
                    AND delivery.state = ? AND instr(delivery.delivery, CAST(? AS BLOB)) > 0)
                ORDER BY severity DESC, id DESC LIMIT ?
                """)
        return try Row.fetchAll(
            statement,
            arguments: [
                feed.topic, DeliveryState.skipped.rawValue, DeliveryPlan.silenced(by: id),
                Alert.mostShown,
            ]
        ).map { try Alert.salvaged($0, db) }
    }

    /// When each silence ends, by its id.
    static func ends(_ db: Database) throws -> [(id: String, until: Int64)] {
        try Row.fetchAll(db, sql: "SELECT id, until FROM silence ORDER BY id")
            .map { (id: $0["id"] as String, until: $0["until"] as Int64) }
    }
}
