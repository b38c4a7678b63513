import ProjectRecord
import ServiceRuntime
import Synchronization

/// The projects that were read or edited last, with everything in them.
///
/// A project is identified by the id of the command that last changed it, which its row in the
/// store names. So what a rolled-back command has put here is never used.
final class OpenProjects: Sendable {
    static let shared = OpenProjects()

    /// The maximum number of projects, and of things in all of them.
    private static let mostProjects = 500
    private static let mostItems = 50_000

    private struct Entry {
        let mark: String
        let record: ProjectRecord
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostProjects, mostWeight: mostItems))

    /// A project in the state that its row names.
    func record(of row: ProjectRow) -> ProjectRecord? {
        let entry = entries.withLock { $0[row.project.id] }
        return entry?.mark == row.mark ? entry?.record : nil
    }

    /// Puts a project here as the command with an id has left it.
    func put(_ record: ProjectRecord, of project: String, mark: String) {
        let weight =
            record.issues.count + record.relations.count + record.members.count
            + record.entries.count
            + record.baselines.values.reduce(0) { $0 + $1.baseline.spans.count }
        let entry = Entry(mark: mark, record: record)
        entries.withLock { $0.put(entry, for: project, weight: weight) }
    }

    /// Drops a project.
    func forget(_ project: String) { _ = entries.withLock { $0.take(project) } }
}
