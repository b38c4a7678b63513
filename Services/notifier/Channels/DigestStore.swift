import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The notifier's table of digests.
extension AlertDigest {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: digests") { db in
            try db.execute(
                sql: """
                    CREATE TABLE digest (
                        feed TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        recipient TEXT NOT NULL, since INTEGER NOT NULL, digest BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("notifier: when there was news of alerts") { db in
            try db.execute(sql: "ALTER TABLE alert ADD COLUMN news INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("notifier: since when digests have listed alerts") { db in
            try db.execute(sql: "ALTER TABLE digest ADD COLUMN listed INTEGER NOT NULL DEFAULT 0")
        }
    }

    /// The digest of a feed's owner. A digest that can't be read is ignored: an alert that is
    /// delivered against a setting is better than none.
    static func of(_ feed: AlertFeedAddress, _ db: Database) throws -> AlertDigest {
        let statement = try db.cachedStatement(sql: "SELECT digest FROM digest WHERE feed = ?")
        return try Data.fetchOne(statement, arguments: [feed.topic]).flatMap(readable)
            ?? AlertDigest()
    }

    /// The digest of a feed with this topic, and since when alerts are collected; nil for none, and
    /// for one that can't be read.
    static func kept(
        _ topic: String, _ db: Database
    ) throws -> (feed: AlertFeedAddress, digest: AlertDigest, since: Int64)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM digest WHERE feed = ?", arguments: [topic])
        guard let row, let digest = readable(row["digest"]) else { return nil }
        let feed = AlertFeedAddress(organisation: row["organisation"], recipient: row["recipient"])
        return (feed, digest, row["since"])
    }

    /// Inserts or updates the digest of a feed's owner.
    func save(_ feed: AlertFeedAddress, since: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO digest (feed, organisation, recipient, since, digest)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET since = excluded.since, digest = excluded.digest
                """,
            arguments: [
                feed.topic, feed.organisation, feed.recipient, since, Data(packed()),
            ])
    }

    /// Collects from now on.
    static func beginAnew(_ topic: String, at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE digest SET since = ? WHERE feed = ?", arguments: [now, topic])
    }

    /// Records since when the alerts in a list were collected.
    static func note(listedSince since: Int64, of feed: AlertFeedAddress, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE digest SET listed = ? WHERE feed = ?", arguments: [since, feed.topic])
    }

    /// Since when the alerts in the last list of a feed were collected; 0, which means all open
    /// ones, if that isn't known.
    static func listedSince(_ feed: AlertFeedAddress, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT listed FROM digest WHERE feed = ?", arguments: [feed.topic]) ?? 0
    }

    /// True if a list waits to be delivered or mailed, or was refused, and arrived nowhere.
    static func isUntold(_ list: Alert, _ db: Database) throws -> Bool {
        let steps = try AlertDelivery.everything(of: list, db).map(\.state)
        return !steps.contains(.sent)
            && steps.contains { [.waiting, .sending, .refused].contains($0) }
    }

    /// Records that there is news of an alert, which is about to be saved, if it is opened again or
    /// becomes more severe: the next digest lists it even if an earlier one did.
    static func noteNews(of alert: Alert, at now: Int64, _ db: Database) throws {
        guard alert.state == .open else { return }
        try db.cachedStatement(
            sql: "UPDATE alert SET news = ? WHERE id = ? AND (state <> 1 OR severity < ?)"
        ).execute(arguments: [now, alert.id, alert.severity.rawValue])
    }

    /// Makes the next digest list an alert again, because a delivery of it that waited was not
    /// made, or a silence held it back.
    static func listAgain(_ alert: String, at now: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE alert SET news = ? WHERE id = ?")
            .execute(arguments: [now, alert])
    }

    /// The alerts of a feed that are open and about which there was news between two times, oldest
    /// first: at most 2,000, the most severe and of these the newest. News is that an alert is
    /// raised, is opened again, or becomes more severe.
    static func news(
        of feed: AlertFeedAddress, since begin: Int64, until end: Int64 = .max, _ db: Database
    ) throws -> [Alert] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Alert.columns) FROM alert
                WHERE feed = ? AND state = 1
                AND coalesce(nullif(news, 0), time) BETWEEN ? AND ?
                ORDER BY severity DESC, id DESC LIMIT 2000
                """)
        return try Row.fetchAll(statement, arguments: [feed.topic, begin, end])
            .map { try Alert.salvaged($0, db) }.sorted { $0.id < $1.id }
    }
}
