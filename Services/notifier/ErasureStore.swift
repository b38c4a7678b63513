import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

extension Erasure {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: erasures") { db in
            try db.execute(
                sql: """
                    CREATE TABLE erasure (
                        id TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration(
            "notifier: erasures of alerts", migrate: AlertErasure.makeTable)
    }
}

extension Alert {
    /// The last alert of a person, in the order of the ids; nil if there is none.
    static func last(of address: AlertFeedAddress, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT max(id) FROM alert WHERE feed = ?", arguments: [address.topic])
    }

    /// Deletes alerts, with their mails and deliveries. It keeps deliveries that are under way, and
    /// those of the end that wait, because a siren that sounds for an alert must be switched off.
    /// They have no text, and are deleted when they have ended.
    static func delete(_ ids: [String], _ db: Database) throws {
        for id in ids {
            let waiting = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, delivery FROM delivery WHERE alert = ? AND state = 1"),
                arguments: [id])
            for row in waiting
            where AlertDelivery.readable(row["delivery"] as Data)?.reason != .closed {
                try db.cachedStatement(sql: "DELETE FROM delivery WHERE id = ?")
                    .execute(arguments: [row["id"] as String])
            }
            try db.cachedStatement(sql: "DELETE FROM delivery WHERE alert = ? AND state > 2")
                .execute(arguments: [id])
            // The character after the slash is the digit 0.
            let mails: StatementArguments = [
                ServiceName.notifier.rawValue, "alert/\(id)/", "alert/\(id)0",
            ]
            for table in ["mail", "mailRequest"] {
                try db.cachedStatement(
                    sql: "DELETE FROM \(table) WHERE source = ? AND key >= ? AND key < ?"
                ).execute(arguments: mails)
            }
            try db.cachedStatement(sql: "DELETE FROM alert WHERE id = ?")
                .execute(arguments: [id])
        }
    }

    /// True unless the alert with an id was deleted.
    static func isKept(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM alert WHERE id = ?)"),
            arguments: [id]) ?? false
    }
}

extension AlertNotice {
    /// True if the alert was erased, so that the notice says only that it is over.
    var isErased: Bool { alert?.raised == nil }
}

extension Notice {
    /// Replaces notices of alerts by ones that only keep their places in the feed. Notices that
    /// can't be read are replaced too, because they may be of these alerts.
    ///
    /// - Parameters:
    ///   - alerts: the ids of the alerts.
    ///   - address: the feed.
    ///   - position: only notices after it.
    ///   - last: only notices up to this position.
    ///   - limit: the maximum number of notices that are examined.
    ///   - db: the store.
    /// - Returns: the position of the last notice that was examined if there may be more; else nil.
    static func erase(
        _ alerts: Set<String>, of address: AlertFeedAddress, after position: UInt64,
        through last: UInt64, limit: Int, _ db: Database
    ) throws -> UInt64? {
        guard let any = alerts.first else { return nil }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sequence, time, notice FROM notice
                WHERE feed = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                """,
            arguments: [
                address.topic, Int64(clamping: position), Int64(clamping: last), limit,
            ])
        var (empty, examined, end): ([AlertNotice], Int, UInt64) = ([], 0, position)
        while let row = try rows.next() {
            examined += 1
            end = UInt64(clamping: row["sequence"] as Int64)
            let alert =
                AlertNotice.readable(row["notice"])?.alert
                ?? Alert(id: any, time: row["time"] as Int64)
            guard alerts.contains(alert.id) else { continue }
            empty.append(
                AlertNotice(
                    feedSequence: end, reason: .closed,
                    alert: Alert(
                        id: alert.id, source: alert.source, state: .withdrawn, time: alert.time)))
        }
        for notice in empty {
            try db.cachedStatement(
                sql: "UPDATE notice SET notice = ? WHERE feed = ? AND sequence = ?"
            ).execute(
                arguments: [
                    Data(notice.packed()), address.topic, Int64(clamping: notice.feedSequence),
                ])
        }
        return examined == limit ? end : nil
    }
}
