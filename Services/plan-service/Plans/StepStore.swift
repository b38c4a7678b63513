import Foundation
import GRDB
import Messages

/// The steps in which plans were edited: what was done, and what undoes it.
enum StepStore {
    /// The maximum number of steps of a plan that can be undone; older ones are deleted.
    static let mostSteps = 1_000
    /// The maximum size of the changes of all steps of a plan, bytes.
    static let mostBytes = 64 << 20
    /// The size of a step, bytes, from which the total is computed; smaller steps never reach the
    /// maximum.
    static let largeStep = 48 << 10

    /// Adds a step after the newest one that is not undone. Undone steps can't be redone after it
    /// and are deleted, as are the oldest if there are too many.
    ///
    /// - Returns: the number of steps that can then be undone.
    static func add(
        _ step: PlanStep, _ changes: [DrawnChange], to plan: String, _ db: Database
    ) throws -> UInt32 {
        let number = Int64(clamping: step.number)
        try db.cachedStatement(sql: "DELETE FROM step WHERE plan = ? AND number >= ?")
            .execute(arguments: [plan, number])
        let packed = PlanEdited(changes: changes.map(\.change)).packed()
        try db.cachedStatement(
            sql: "INSERT INTO step (plan, number, step, positions, changes) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                plan, number, Data(step.packed()),
                changes.map { String($0.position) }.joined(separator: ","), Data(packed),
            ])
        try forget(upTo: number - Int64(mostSteps), of: plan, db)
        if packed.count > largeStep { try forgetLarge(of: plan, db) }
        let oldest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(number) FROM step WHERE plan = ?"),
            arguments: [plan])
        return UInt32(clamping: number + 1 - (oldest ?? number + 1))
    }

    /// The changes of a step.
    static func changes(
        of number: UInt64, in plan: String, _ db: Database
    ) throws -> [DrawnChange] {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT positions, changes FROM step WHERE plan = ? AND number = ?"),
            arguments: [plan, Int64(clamping: number)])
        guard let row else {
            throw Refusal(code: .internal, message: "step \(number) of the plan is missing")
        }
        let positions = (row[0] as String).split(separator: ",").compactMap { Int64($0) }
        // Changes packed by this service itself may be larger than a message.
        let packed = [UInt8](row[1] as Data)
        let limits = UnpackLimits(
            maximumSize: packed.count, maximumMemory: max(16 << 20, 40 * packed.count),
            checksFields: false)
        let changes = try PlanEdited(unpacking: packed, limits: limits).changes
        return zip(changes, positions).map { DrawnChange(change: $0, position: $1) }
    }

    /// The steps before one, newest first.
    static func all(
        of plan: String, before number: UInt64, limit: Int, _ db: Database
    ) throws -> [PlanStep] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT step FROM step WHERE plan = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """),
            arguments: [plan, Int64(clamping: number), limit]
        ).map { try PlanStep(stored: [UInt8]($0)) }
    }

    private static func forget(upTo number: Int64, of plan: String, _ db: Database) throws {
        guard number > 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM step WHERE plan = ? AND number <= ?")
            .execute(arguments: [plan, number])
    }

    /// The newest step stays, however large it is.
    private static func forgetLarge(of plan: String, _ db: Database) throws {
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(number) FROM (
                        SELECT number, sum(length(changes)) OVER (ORDER BY number DESC) AS bytes,
                            max(number) OVER () AS newest FROM step WHERE plan = ?)
                    WHERE bytes > ? AND number < newest
                    """),
            arguments: [plan, mostBytes])
        if let last { try forget(upTo: last, of: plan, db) }
    }
}
