import Foundation
import GRDB
import Messages
import ProjectLanguage
import ProjectRecord

/// The steps in which projects were edited: what was done, and what takes it back.
enum StepStore {
    /// How many steps of a project can be undone; older ones are deleted.
    static let mostSteps = 1_000
    /// Most bytes of the changes of all steps of a project.
    static let mostBytes = 64 << 20
    /// The bytes are counted when a step has more than this; smaller ones never get there.
    static let largeStep = 48 << 10

    /// Adds a step after the newest one that is not undone. Those undone can't be redone after it
    /// and are deleted, as are the oldest of too many.
    ///
    /// - Returns: how many steps can be undone then.
    static func add(
        _ step: ProjectStep, _ changes: [ProjectChange], to project: String, _ db: Database
    ) throws -> UInt32 {
        let number = Int64(clamping: step.number)
        try db.cachedStatement(sql: "DELETE FROM step WHERE project = ? AND number >= ?")
            .execute(arguments: [project, number])
        let packed = ProjectEdited(changes: changes.map { ThingChange($0) }).packed()
        try db.cachedStatement(
            sql: "INSERT INTO step (project, number, step, changes) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [project, number, Data(step.packed()), Data(packed)])
        try forget(upTo: number - Int64(mostSteps), of: project, db)
        if packed.count > largeStep { try forgetLarge(of: project, db) }
        let oldest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(number) FROM step WHERE project = ?"),
            arguments: [project])
        return UInt32(clamping: number + 1 - (oldest ?? number + 1))
    }

    /// What a step changed.
    static func changes(
        of number: UInt64, in project: String, _ details: ProjectDetails, _ db: Database
    ) throws -> [ProjectChange] {
        let row = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT changes FROM step WHERE project = ? AND number = ?"),
            arguments: [project, Int64(clamping: number)])
        guard let row else {
            throw Refusal(code: .internal, message: "step \(number) of the project is missing")
        }
        // What was packed by this service itself may be larger than a message.
        let packed = [UInt8](row)
        let limits = UnpackLimits(
            maximumSize: packed.count, maximumMemory: max(16 << 20, 40 * packed.count),
            checksFields: false)
        return try ProjectEdited(unpacking: packed, limits: limits).changes
            .map { try $0.change(in: details) }
    }

    /// The steps before one, newest first.
    static func all(
        of project: String, before number: UInt64, limit: Int, _ db: Database
    ) throws -> [ProjectStep] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT step FROM step WHERE project = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """),
            arguments: [project, Int64(clamping: number), limit]
        ).map { try ProjectStep(stored: [UInt8]($0)) }
    }

    private static func forget(upTo number: Int64, of project: String, _ db: Database) throws {
        guard number > 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM step WHERE project = ? AND number <= ?")
            .execute(arguments: [project, number])
    }

    /// The newest step stays, however large it is.
    private static func forgetLarge(of project: String, _ db: Database) throws {
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(number) FROM (
                        SELECT number, sum(length(changes)) OVER (ORDER BY number DESC) AS bytes,
                            max(number) OVER () AS newest FROM step WHERE project = ?)
                    WHERE bytes > ? AND number < newest
                    """),
            arguments: [project, mostBytes])
        if let last { try forget(upTo: last, of: project, db) }
    }
}
