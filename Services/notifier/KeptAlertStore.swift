import Bus
import GRDB
import Messages
import ServiceRuntime

/// How many alerts a feed has. Beyond a limit, those that were closed first are deleted with their
/// deliveries: someone who raises alerts for others, for example by editing a project, must not be
/// able to fill the store. None is deleted before its end has been delivered, because a siren that
/// sounds for it must be switched off.
enum KeptAlerts {
    /// The maximum number of alerts of a feed, as long as that many are closed.
    static let most = 200_000
    /// How many are deleted at once.
    private static let portion = 100

    private static let sizes = RowSizes(in: "alertSize", of: "feed")

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: how many alerts a feed has") { db in
            try sizes.makeTable(for: ["alert": ["alert"]], db)
            try db.execute(
                sql: "CREATE INDEX closedAlertByFeed ON alert (feed, closed, id) WHERE state <> 1")
        }
        migrator.registerMigration("notifier: closed alerts by source") { db in
            try db.execute(
                sql: "CREATE INDEX closedAlertBySource ON alert (source, closed) WHERE state <> 1")
        }
    }

    /// Deletes some closed alerts of a feed if it has too many, but not the one that is being
    /// saved: nobody has been told yet what has happened to it.
    static func thin(_ feed: String, besides saved: String, _ db: Database) throws {
        guard try sizes.total(of: feed, db).count > most else { return }
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM alert
                    WHERE feed = ? AND state <> 1 AND id <> ? AND NOT EXISTS (
                        SELECT 1 FROM delivery
                        WHERE delivery.alert = alert.id AND delivery.state IN (1, 2))
                    ORDER BY closed, id LIMIT ?
                    """), arguments: [feed, saved, portion])
        for id in ids {
            for condition in ["delivery WHERE alert = ?", "alert WHERE id = ?"] {
                try db.cachedStatement(sql: "DELETE FROM \(condition)").execute(arguments: [id])
            }
        }
    }

    /// How long alerts of rides are kept after they were closed, at most: 30 days in milliseconds.
    /// That is what the privacy policy says that every passenger has accepted.
    static let longestOfRides: Int64 = 30 * 24 * 3600 * 1000

    /// Deletes some of the alerts of rides that were closed before a time, with their mails and
    /// deliveries, and digests, which may name them.
    ///
    /// - Returns: true when there may be more of them.
    static func pruneRides(
        closedBefore time: Int64, most: Int = 1000, _ db: Database
    ) throws -> Bool {
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM alert WHERE source = ? AND state <> 1 AND closed < ?
                UNION ALL
                SELECT id FROM alert
                WHERE source = ? AND state <> 1 AND closed < ? AND key GLOB 'digest/*'
                LIMIT ?
                """,
            arguments: [
                ServiceName.transitAlert.rawValue, time, ServiceName.notifier.rawValue, time, most,
            ])
        try Alert.delete(ids, db)
        return ids.count == most
    }
}
