import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The alerts of shifts as versions up to 0.1 stored them.
enum FormerAlerts {
    /// Moves them to the table of standing alerts, which every service has. What can't be read is
    /// left out: it is raised again if it still applies.
    static func register(in migrator: inout DatabaseMigrator) {
        StandingAlert.registerMove("checklist: standing alerts", in: &migrator) { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT due, since, isAcknowledged, alert FROM shiftAlert")
            try db.execute(sql: "DROP TABLE shiftAlert")
            return rows.compactMap { row -> StandingAlert? in
                guard let raised = AlertRaised.readable(row["alert"]) else { return nil }
                return StandingAlert(
                    kept: raised, occasion: row["due"], since: row["since"],
                    wasAcknowledged: row["isAcknowledged"])
            }
        }
    }
}
