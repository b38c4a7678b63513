import GRDB
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// The steps in which projects were edited.
enum StepStore {
    private static let rows = StepRows(of: "project")

    /// Adds a step: `StepRows.add`.
    ///
    /// - Returns: the number of steps that can then be undone.
    static func add(
        _ step: ProjectStep, _ changes: [ProjectChange], to project: String, _ db: Database
    ) throws -> UInt32 {
        let edited = ProjectEdited(changes: changes.map { ThingChange($0) })
        return try rows.add(step.number, step.packed(), edited.packed(), to: project, db)
    }

    /// The changes of a step.
    static func changes(
        of number: UInt64, in project: String, _ details: ProjectDetails, _ db: Database
    ) throws -> [ProjectChange] {
        try rows.changes(of: number, in: project, as: ProjectEdited.self, db).changes
            .map { try $0.change(in: details) }
    }

    /// The name of the person who made a step; nil if the step is missing.
    static func author(
        of number: UInt64, in project: String, _ db: Database
    ) throws -> String? {
        try all(of: project, before: number + 1, limit: 1, db).first { $0.number == number }?.by
    }

    /// The steps before one, newest first.
    static func all(
        of project: String, before number: UInt64, limit: Int, _ db: Database
    ) throws -> [ProjectStep] {
        try rows.all(of: project, before: number, limit: limit, db)
    }
}
