import RedmineMirror
import ServiceRuntime
import Synchronization

/// What waits to be written to a server. It is counted outside the loop, once for each state of a
/// project, because people who wait for a mirror ask again and again, and counting needs the whole
/// project.
struct WaitingChanges: Sendable {
    /// Everything that the number depends on.
    struct State: Hashable, Sendable {
        let mark: String
        let linksMark: Int64
        let names: MirrorNames
        let conflicts: [MirrorConflict]
        let notes: [PendingNote]
    }

    private static let counts = Mutex(
        BoundedCache<String, (state: State, count: Int)>(mostEntries: 100))

    private let project: String
    private let state: State
    private let plan: MirrorPlan

    /// The notes are those that the server doesn't have yet.
    init(
        of mirror: MirrorRow, _ row: ProjectRow, _ notes: [PendingNote],
        in transaction: Transaction
    ) throws {
        let (project, db) = (mirror.project, transaction.db)
        state = State(
            mark: row.mark, linksMark: try MirroredStore.mark(of: project, db),
            names: try TermStore.names(of: project, db),
            conflicts: try ConflictStore.all(of: project, db), notes: notes)
        plan = MirrorPlan(
            try row.record(transaction), state.names,
            try MirroredStore.links(of: project, db), state.conflicts, notes: notes)
        self.project = project
    }

    /// The number of waiting changes.
    var count: Int {
        if let known = Self.counts.withLock({ $0[project] }), known.state == state {
            return known.count
        }
        let count = plan.count
        Self.keep(count, of: project, state)
        return count
    }

    /// Records the number for a state in which they were planned.
    static func keep(_ count: Int, of project: String, _ state: State) {
        counts.withLock { $0.put((state, count), for: project) }
    }
}
