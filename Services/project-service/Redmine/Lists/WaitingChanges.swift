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
    /// The number, if it is known for this state, or else the plan by which it is counted.
    private let known: Int?
    private let plan: MirrorPlan?

    /// Finds out whether the number is known, and reads the project if it isn't.
    init(
        _ row: ProjectRow, _ links: MirrorLinks, _ conflicts: [MirrorConflict],
        notes: [PendingNote], in transaction: Transaction
    ) throws {
        let (project, db) = (row.project.id, transaction.db)
        let state = State(
            mark: row.mark, linksMark: try MirroredStore.mark(of: project, db),
            names: try TermStore.names(of: project, db), conflicts: conflicts, notes: notes)
        (self.project, self.state) = (project, state)
        if let count = Self.count(of: project, state) {
            (known, plan) = (count, nil)
        } else {
            let record = try row.record(transaction)
            (known, plan) = (
                nil, MirrorPlan(record, state.names, links, conflicts, notes: notes)
            )
        }
    }

    /// Whether the number is known, so that the project wasn't read.
    var isKnown: Bool { known != nil }

    /// The number of waiting changes.
    var count: Int {
        guard let plan else { return known ?? 0 }
        if let count = Self.count(of: project, state) { return count }
        let count = plan.count
        Self.keep(count, of: project, state)
        return count
    }

    /// The number for a state; nil if it isn't known.
    private static func count(of project: String, _ state: State) -> Int? {
        guard let known = counts.withLock({ $0[project] }), known.state == state else { return nil }
        return known.count
    }

    /// Records the number for a state in which they were planned.
    static func keep(_ count: Int, of project: String, _ state: State) {
        counts.withLock { $0.put((state, count), for: project) }
    }
}
