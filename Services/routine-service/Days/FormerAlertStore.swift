import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The alerts of days as versions up to 0.1 stored them.
enum FormerAlerts {
    /// Moves them to the table of standing alerts, which every service has. What can't be read is
    /// left out: it is raised again if it still applies.
    static func register(in migrator: inout DatabaseMigrator) {
        StandingAlert.registerMove("routine: standing alerts", in: &migrator) { db in
            let alerts: [AlertRaised] = try Data.fetchAll(db, sql: "SELECT alert FROM dayAlert")
                .compactMap(AlertRaised.readable)
            try db.execute(sql: "DROP TABLE dayAlert")
            // It wasn't stored how long they have stood, and nobody could acknowledge them here.
            return alerts.map { StandingAlert($0, since: 0) }
        }
    }
}
