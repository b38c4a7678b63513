import Foundation
import GRDB
import Messages

/// The table of standing alerts, which every store has.
extension StandingAlert {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: standing alerts", migrate: makeTable)
    }

    /// Registers a migration that moves alerts from a table of an earlier version of the service
    /// into this one.
    ///
    /// - Parameters:
    ///   - name: the migration's name.
    ///   - migrator: the migrator with which to register it.
    ///   - read: reads the alerts of that table and drops it.
    public static func registerMove(
        _ name: String, in migrator: inout DatabaseMigrator,
        _ read: @escaping @Sendable (Database) throws -> [StandingAlert]
    ) {
        migrator.registerMigration(name) { db in
            // A service's own migrations come before those of the runtime.
            try makeTable(db)
            for alert in try read(db) { try alert.save(db) }
        }
    }

    @Sendable private static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS standingAlert (
                    key TEXT NOT NULL PRIMARY KEY, subject TEXT NOT NULL,
                    occasion INTEGER NOT NULL, since INTEGER NOT NULL,
                    acknowledgedBy TEXT, acknowledged INTEGER, alert BLOB NOT NULL,
                    CHECK ((acknowledgedBy IS NULL) = (acknowledged IS NULL))
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX IF NOT EXISTS standingAlertBySubject ON standingAlert (subject);
                """)
    }

    /// Returns nil for an alert that can't be read too, so that it is raised again.
    static func ofKey(_ key: String, _ db: Database) throws -> StandingAlert? {
        try rows(db, "WHERE key = ?", [key]).compactMap(readable).first
    }

    /// Returns the alerts of a subject that can be read.
    static func all(of subject: String, _ db: Database) throws -> [StandingAlert] {
        try rows(db, "WHERE subject = ? ORDER BY key", [subject]).compactMap(readable)
    }

    /// Returns the subject of the alert with a key, even of one that can't be read; nil if there is
    /// none.
    static func subject(of key: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT subject FROM standingAlert WHERE key = ?"),
            arguments: [key])
    }

    static func keys(of subject: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT key FROM standingAlert WHERE subject = ? ORDER BY key"),
            arguments: [subject])
    }

    /// Every alert, by key.
    ///
    /// - Throws: an error if one of them can't be read.
    static func all(_ db: Database) throws -> [StandingAlert] {
        try rows(db, "ORDER BY key", []).map(standing)
    }

    /// Passes the alerts that nobody has acknowledged and that have not expired to a snapshot. An
    /// alert that can't be read is left out, so that it holds up no other.
    ///
    /// - Parameters:
    ///   - time: returns the time by which an alert that was raised at a given time expires.
    ///   - db: the store.
    ///   - leaveOut: called with the key of each alert that can't be read.
    ///   - receiver: receives them.
    static func pass(
        by time: (_ since: Int64) -> Int64, _ db: Database,
        leavingOut leaveOut: (_ key: String) throws -> Void,
        to receiver: SnapshotReceiver
    ) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, since, alert FROM standingAlert WHERE acknowledged IS NULL
                ORDER BY key
                """)
        while let row = try rows.next() {
            guard let raised = AlertRaised.readable(row["alert"]) else {
                try leaveOut(row["key"])
                continue
            }
            guard raised.expiresAt == 0 || raised.expiresAt > time(row["since"]) else { continue }
            try receiver(raised, raised.subject)
        }
    }

    /// Inserts or replaces its row.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO standingAlert
                    (key, subject, occasion, since, acknowledgedBy, acknowledged, alert)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(
            arguments: [
                key, raised.subject, occasion, since, acknowledgement?.account,
                acknowledgement?.time, Data(raised.packed()),
            ])
    }

    func delete(_ db: Database) throws { try Self.delete(key, db) }

    static func delete(_ key: String, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM standingAlert WHERE key = ?")
            .execute(arguments: [key])
    }

    private static func rows(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Row] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT occasion, since, acknowledgedBy, acknowledged, alert
                FROM standingAlert \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments)
    }

    private static func standing(_ row: Row) throws -> StandingAlert {
        var alert = StandingAlert(
            try AlertRaised(stored: [UInt8](row["alert"] as Data)),
            occasion: row["occasion"], since: row["since"])
        if let time = row["acknowledged"] as Int64? {
            alert.acknowledgement = Acknowledgement(account: row["acknowledgedBy"], time: time)
        }
        return alert
    }

    private static func readable(_ row: Row) -> StandingAlert? {
        do { return try standing(row) } catch { return nil }
    }
}
