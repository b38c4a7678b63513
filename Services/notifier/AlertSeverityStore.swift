import Foundation
import GRDB
import Messages
import ServiceRuntime

/// How severe alerts are, by which the most severe ones of a feed are found among many.
enum AlertSeverity {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: how severe alerts are") { db in
            try db.execute(sql: "ALTER TABLE alert ADD COLUMN severity INTEGER NOT NULL DEFAULT 0")
            let rows = try Row.fetchCursor(db, sql: "SELECT id, alert FROM alert WHERE state = 1")
            var open: [(id: String, severity: Severity)] = []
            while let row = try rows.next() {
                // An alert that can't be read is urgent: see ``Alert/salvaged(_:_:)``.
                let severity = Alert.readable(row["alert"] as Data)?.severity ?? .urgent
                open.append((row["id"] as String, severity))
            }
            for alert in open {
                try db.execute(
                    sql: "UPDATE alert SET severity = ? WHERE id = ?",
                    arguments: [alert.severity.rawValue, alert.id])
            }
            try db.execute(
                sql: """
                    CREATE INDEX openAlertBySeverity ON alert (feed, severity, id) WHERE state = 1
                    """)
        }
    }
}
