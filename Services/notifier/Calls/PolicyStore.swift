import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The notifier's table of policies.
extension EscalationPolicy {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: policies and maintenance") { db in
            try db.execute(
                sql: """
                    CREATE TABLE policy (
                        organisation TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
                        kind TEXT NOT NULL, key TEXT NOT NULL, policy BLOB NOT NULL,
                        PRIMARY KEY (organisation, name)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX policyByKind ON policy (organisation, kind);
                    CREATE TABLE maintenance (
                        id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        until INTEGER NOT NULL, maintenance BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX maintenanceByEnd ON maintenance (organisation, until);
                    """)
        }
        migrator.registerMigration("notifier: sites and severities of policies") { db in
            try db.execute(
                sql: """
                    ALTER TABLE policy ADD COLUMN site TEXT NOT NULL DEFAULT '';
                    ALTER TABLE policy ADD COLUMN least INTEGER NOT NULL DEFAULT 0;
                    DROP INDEX policyByKind;
                    """)
            for row in try Row.fetchAll(db, sql: "SELECT organisation, name, policy FROM policy") {
                guard let policy = readable(row["policy"]) else { continue }
                try db.execute(
                    sql: """
                        UPDATE policy SET site = ?, least = ? WHERE organisation = ? AND name = ?
                        """,
                    arguments: [
                        policy.site, place(of: policy.from), row["organisation"] as String,
                        row["name"] as String,
                    ])
            }
            try db.execute(
                sql: """
                    CREATE INDEX policyByFilter ON policy (
                        organisation, site, kind, source, least, key)
                    """)
        }
    }

    /// The first policy of an organisation that escalates an alert; nil for none. The index finds
    /// it, and no other is unpacked.
    static func first(
        for raised: AlertRaised, from source: String, of organisation: String, _ db: Database
    ) throws -> EscalationPolicy? {
        guard raised.needsAcknowledgement, !personal.contains(source) else { return nil }
        // The signs + keep SQLite from reading all of them in the order of their names.
        let statement = try db.cachedStatement(
            sql: """
                SELECT name FROM policy
                WHERE organisation = :organisation AND site IN ('', :site)
                AND kind IN ('', :kind) AND source IN ('', :source) AND least <= :severity
                AND substr(:key, 1, length(key)) = key AND +name > :last ORDER BY +name LIMIT 1
                """)
        var last = ""
        while let name = try String.fetchOne(
            statement,
            arguments: [
                "organisation": organisation, "site": raised.site, "kind": raised.kind,
                "source": source, "severity": place(of: raised.severity),
                "key": raised.key, "last": last,
            ])
        {
            if let policy = try named(name, of: organisation, db),
                policy.escalates(raised, from: source)
            {
                return policy
            }
            last = name
        }
        return nil
    }

    /// The policy of an organisation with a name; nil for none.
    static func named(
        _ name: String, of organisation: String, _ db: Database
    ) throws -> EscalationPolicy? {
        try fetch(db, "WHERE organisation = ? AND name = ?", [organisation, name]).first
    }

    /// How many policies an organisation has.
    static func count(of organisation: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM policy WHERE organisation = ?",
            arguments: [organisation]) ?? 0
    }

    /// Inserts or updates its row.
    func save(_ organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO policy (organisation, name, source, kind, key, site, least, policy)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET source = excluded.source, kind = excluded.kind,
                    key = excluded.key, site = excluded.site, least = excluded.least,
                    policy = excluded.policy
                """,
            arguments: [
                organisation, name, source, kind, key, site, Self.place(of: from), Data(packed()),
            ])
    }

    /// The policies of an organisation, by name: those after a name; empty for all.
    static func all(
        of organisation: String, after name: String = "", _ db: Database
    ) throws -> [EscalationPolicy] {
        try fetch(db, "WHERE organisation = ? AND name > ? ORDER BY name", [organisation, name])
    }

    /// Deletes its row.
    func delete(_ organisation: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM policy WHERE organisation = ? AND name = ?",
            arguments: [organisation, name])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [EscalationPolicy] {
        let statement = try db.cachedStatement(sql: "SELECT policy FROM policy \(condition)")
        return try Data.fetchAll(statement, arguments: arguments).compactMap(readable)
    }
}

/// The notifier's table of maintenance.
extension MaintenanceWindow {
    /// The window of an organisation for which an alert waits longest; nil when it needn't wait, or
    /// can't.
    static func holding(
        _ alert: Alert, of organisation: String, at now: Int64, _ db: Database
    ) throws -> MaintenanceWindow? {
        let raised = alert.raised ?? AlertRaised()
        let last = try all(of: organisation, at: now, db)
            .last { $0.holds(raised, alert.severity, from: alert.source, at: now) }
        guard let last, alert.canWait(until: last.until, at: now) else { return nil }
        return last
    }

    /// The windows of an organisation that have not ended, the first to end first.
    static func all(
        of organisation: String, at now: Int64, _ db: Database
    ) throws -> [MaintenanceWindow] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT maintenance FROM maintenance WHERE organisation = ? AND until > ?
                ORDER BY until, id
                """)
        return try Data.fetchAll(statement, arguments: [organisation, now]).compactMap(readable)
    }

    /// Deletes those that ended before a time.
    static func prune(endedBefore time: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM maintenance WHERE until < ?", arguments: [time])
    }

    /// Deletes those that were begun while the clock was ahead, so that they aren't in force when
    /// that time comes again.
    static func prune(begunAfter now: Int64, _ db: Database) throws {
        for id in try String.fetchAll(db, sql: "SELECT id FROM maintenance")
        where MessageID(id)?.isAhead(of: now) == true {
            try db.execute(sql: "DELETE FROM maintenance WHERE id = ?", arguments: [id])
        }
    }

    /// Inserts the window.
    func save(_ organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO maintenance (id, organisation, until, maintenance)
                VALUES (?, ?, ?, ?)
                """, arguments: [id, organisation, until, Data(packed())])
    }

    /// Deletes the window.
    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM maintenance WHERE id = ?", arguments: [id])
    }
}
