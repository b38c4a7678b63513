import GRDB
import Messages
import ServiceRuntime

/// The steps in which plans were edited. A step also has the positions of what it changed.
enum StepStore {
    private static let rows = StepRows(of: "plan")

    /// Adds a step: `StepRows.add`.
    ///
    /// - Returns: the number of steps that can then be undone.
    static func add(
        _ step: PlanStep, _ changes: [DrawnChange], to plan: String, _ db: Database
    ) throws -> UInt32 {
        try rows.add(
            step.number, step.packed(), PlanEdited(changes: changes.map(\.change)).packed(),
            beside: ("positions", changes.map { String($0.position) }.joined(separator: ",")),
            to: plan, db)
    }

    /// The changes of a step.
    static func changes(
        of number: UInt64, in plan: String, _ db: Database
    ) throws -> [DrawnChange] {
        let changes = try rows.changes(of: number, in: plan, as: PlanEdited.self, db).changes
        let positions = try String.fetchOne(
            db.cachedStatement(sql: "SELECT positions FROM step WHERE plan = ? AND number = ?"),
            arguments: [plan, Int64(clamping: number)])
        return zip(changes, (positions ?? "").split(separator: ",").compactMap { Int64($0) })
            .map { DrawnChange(change: $0, position: $1) }
    }

    /// The steps before one, newest first.
    static func all(
        of plan: String, before number: UInt64, limit: Int, _ db: Database
    ) throws -> [PlanStep] {
        try rows.all(of: plan, before: number, limit: limit, db)
    }
}
