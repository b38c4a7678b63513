import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The alerts of shifts as versions up to 0.1 stored them.
enum FormerAlerts {
    /// Moves them to the table of standing alerts, which every service has.
    static func register(in migrator: inout DatabaseMigrator) {
        StandingAlert.registerMove("checklist: standing alerts", in: &migrator) { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT due, since, isAcknowledged, alert FROM shiftAlert")
            try db.execute(sql: "DROP TABLE shiftAlert")
            return try rows.map { row in
                StandingAlert(
                    kept: try AlertRaised(stored: [UInt8](row["alert"] as Data)),
                    occasion: row["due"], since: row["since"],
                    wasAcknowledged: row["isAcknowledged"])
            }
        }
    }
}
