import Foundation
import GRDB
import Messages
import ServiceRuntime

/// A plan that is still to be checked.
struct CheckOrder: Hashable, Sendable {
    let plan: String
    /// The number of checks requested since the last one.
    let asked: Int64

    /// How long after the first change a check begins, in milliseconds, so that changes in quick
    /// succession are checked together.
    static let patience: Int64 = 300
    /// The number of times that the process may end during a check before the check is given up
    /// until the plan changes, because it might end the process again and again.
    static let mostInterruptions = 5

    /// Whether a changed plan has to be checked: there is something to find or to resolve, or a
    /// check of an earlier state may still find something.
    static func isNeeded(for row: PlanRow, _ db: Database) throws -> Bool {
        try !row.details.standards.isEmpty || !FailingStore.all(of: row.plan.id, db).isEmpty
            || isRequested(for: row.plan.id, db)
    }

    /// Whether a check of a plan is waiting or under way.
    private static func isRequested(for plan: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM checkOrder WHERE plan = ?)"),
            arguments: [plan]) ?? false
    }

    /// Requests a check of a plan.
    static func add(_ plan: String, at now: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO checkOrder (plan, asked, due, isTaken, interrupted)
                VALUES (?, 1, ?, 0, 0)
                ON CONFLICT DO UPDATE SET asked = asked + 1, interrupted = 0
                """
        ).execute(arguments: [plan, now + patience])
    }

    /// Marks the next due order as under way.
    static func take(at now: Int64, _ db: Database) throws -> CheckOrder? {
        // An order due in the far future was added before the clock was set back.
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

    /// Unmarks orders that were under way when the process was killed.
    static func putBack(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE checkOrder SET isTaken = 0, interrupted = interrupted + 1 WHERE isTaken = 1
                """)
        try db.execute(
            sql: "DELETE FROM checkOrder WHERE interrupted >= ?", arguments: [mostInterruptions])
    }

    /// Deletes it, unless another check was requested in the meantime.
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

    /// Replaces the stored findings.
    static func save(_ findings: [PlanFinding], of plan: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM failing WHERE plan = ?", arguments: [plan])
        let statement = try db.cachedStatement(
            sql: "INSERT INTO failing (plan, id, finding) VALUES (?, ?, ?)")
        for finding in findings {
            try statement.execute(arguments: [plan, finding.id, Data(finding.packed())])
        }
    }
}
