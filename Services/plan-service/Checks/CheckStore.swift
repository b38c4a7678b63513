import Foundation
import GRDB
import Messages
import ServiceRuntime

/// A plan that is still to be checked.
struct CheckOrder: Hashable, Sendable {
    let plan: String
    /// How often a check of it was asked for since it was checked last.
    let asked: Int64

    /// How long after the first change that asks for it a check begins, so that the changes of a
    /// moment are checked together: milliseconds.
    static let patience: Int64 = 300
    /// How often the process may end during a check before the check is given up until the plan
    /// changes: one that it can't survive would end it again and again.
    static let mostInterruptions = 5

    /// Asks for a check of a plan.
    static func add(_ plan: String, at now: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO checkOrder (plan, asked, due, isTaken, interrupted)
                VALUES (?, 1, ?, 0, 0)
                ON CONFLICT DO UPDATE SET asked = asked + 1, interrupted = 0
                """
        ).execute(arguments: [plan, now + patience])
    }

    /// Marks the next one that is due as under way.
    static func take(at now: Int64, _ db: Database) throws -> CheckOrder? {
        // One that is due far off was added before the clock was set back.
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT plan, asked FROM checkOrder
                    WHERE isTaken = 0 AND (due <= ?1 OR due > ?1 + ?2) ORDER BY due LIMIT 1
                    """),
            arguments: [now, patience])
        guard let row else { return nil }
        let order = CheckOrder(plan: row[0], asked: row[1])
        try db.execute(
            sql: "UPDATE checkOrder SET isTaken = 1 WHERE plan = ?", arguments: [order.plan])
        return order
    }

    /// Takes the mark off what was under way when the process was killed.
    static func putBack(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE checkOrder SET isTaken = 0, interrupted = interrupted + 1 WHERE isTaken = 1
                """)
        try db.execute(
            sql: "DELETE FROM checkOrder WHERE interrupted >= ?", arguments: [mostInterruptions])
    }

    /// Deletes it, unless another check was asked for in the meantime.
    func finish(at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM checkOrder WHERE plan = ? AND asked = ?", arguments: [plan, asked])
        try db.execute(
            sql: "UPDATE checkOrder SET isTaken = 0, due = ? WHERE plan = ?",
            arguments: [now + Self.patience, plan])
    }
}

/// What failed in a plan when it was checked last.
enum FailingStore {
    static func all(of plan: String, _ db: Database) throws -> [PlanFinding] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT finding FROM failing WHERE plan = ? ORDER BY id"),
            arguments: [plan]
        ).map { try PlanFinding(stored: [UInt8]($0)) }
    }

    /// Keeps these in the place of what was kept before.
    static func save(_ findings: [PlanFinding], of plan: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM failing WHERE plan = ?", arguments: [plan])
        let statement = try db.cachedStatement(
            sql: "INSERT INTO failing (plan, id, finding) VALUES (?, ?, ?)")
        for finding in findings {
            try statement.execute(arguments: [plan, finding.id, Data(finding.packed())])
        }
    }
}

/// The alerts of plans, as versions up to 0.1 kept them: those that nobody had acknowledged.
enum FormerAlerts {
    /// Moves them to where the alerts of every service stand.
    static func register(in migrator: inout DatabaseMigrator) {
        StandingAlert.registerMove("plan: standing alerts", in: &migrator) { db in
            let alerts = try Data.fetchAll(db, sql: "SELECT alert FROM planAlert")
                .map { try AlertRaised(stored: [UInt8]($0)) }
            try db.execute(sql: "DROP TABLE planAlert")
            return alerts.map {
                StandingAlert($0, since: max(0, $0.expiresAt - FindingAlert.life))
            }
        }
    }
}
