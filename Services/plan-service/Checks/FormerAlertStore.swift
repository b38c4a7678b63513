import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The alerts of plans that nobody had acknowledged, as versions up to 0.1 stored them.
enum FormerAlerts {
    /// Moves them to the table of every service's alerts, except those that can't be read.
    static func register(in migrator: inout DatabaseMigrator) {
        StandingAlert.registerMove("plan: standing alerts", in: &migrator) { db in
            let alerts: [AlertRaised] = try Data.fetchAll(db, sql: "SELECT alert FROM planAlert")
                .compactMap(AlertRaised.readable)
            try db.execute(sql: "DROP TABLE planAlert")
            return alerts.map {
                StandingAlert($0, since: max(0, $0.expiresAt - FindingAlert.life))
            }
        }
    }
}
