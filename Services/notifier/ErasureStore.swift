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
    }
}

extension Alert {
    /// The ids of all alerts of a source for a person, and of the digests, which may name them.
    static func ids(
        from source: String, of address: AlertFeedAddress, _ db: Database
    ) throws -> [String] {
        try String.fetchAll(
            db,
            sql: "SELECT id FROM alert WHERE feed = ? AND (source = ? OR source = ? AND key = ?)",
            arguments: [
                address.topic, source, ServiceName.notifier.rawValue, AlertDigest.key(of: address),
            ])
    }

    /// Deletes alerts, with their mails and deliveries. It keeps deliveries that are under way, and
    /// those of the end that wait, because a siren that sounds for an alert must be switched off.
    /// They have no text, and are deleted when they have ended.
    static func delete(_ ids: [String], _ db: Database) throws {
        for id in ids {
            let waiting = try Row.fetchAll(
                db, sql: "SELECT id, delivery FROM delivery WHERE alert = ? AND state = 1",
                arguments: [id])
            for row in waiting
            where AlertDelivery.readable(row["delivery"] as Data)?.reason != .closed {
                try db.execute(
                    sql: "DELETE FROM delivery WHERE id = ?", arguments: [row["id"] as String])
            }
            try db.execute(
                sql: "DELETE FROM delivery WHERE alert = ? AND state > 2", arguments: [id])
            let mails: StatementArguments = [ServiceName.notifier.rawValue, "alert/\(id)/*"]
            for table in ["mail", "mailRequest"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE source = ? AND key GLOB ?", arguments: mails)
            }
            try db.execute(sql: "DELETE FROM alert WHERE id = ?", arguments: [id])
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
    static func erase(_ alerts: [String], of address: AlertFeedAddress, _ db: Database) throws {
        let erased = Set(alerts)
        guard let first = alerts.first else { return }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT sequence, time, notice FROM notice WHERE feed = ?",
            arguments: [address.topic])
        var empty: [AlertNotice] = []
        while let row = try rows.next() {
            let alert =
                AlertNotice.readable(row["notice"])?.alert
                ?? Alert(id: first, time: row["time"] as Int64)
            guard erased.contains(alert.id) else { continue }
            empty.append(
                AlertNotice(
                    feedSequence: UInt64(clamping: row["sequence"] as Int64), reason: .closed,
                    alert: Alert(
                        id: alert.id, source: alert.source, state: .withdrawn, time: alert.time)))
        }
        for notice in empty {
            try db.execute(
                sql: "UPDATE notice SET notice = ? WHERE feed = ? AND sequence = ?",
                arguments: [
                    Data(notice.packed()), address.topic, Int64(clamping: notice.feedSequence),
                ])
        }
    }
}
