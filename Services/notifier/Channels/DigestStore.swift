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
    }

    /// The digest of a feed's owner. One that can't be read is ignored: an alert that is delivered
    /// against a setting is better than none.
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
}
