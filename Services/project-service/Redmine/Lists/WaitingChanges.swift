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

    /// What is known for a state of a project.
    struct Found: Hashable, Sendable {
        /// The number of changes that wait.
        let count: Int
        /// What the server doesn't get, in words.
        let unsent: [String]
    }

    private static let counts = Mutex(
        BoundedCache<String, (state: State, found: Found)>(mostEntries: 100))

    private let project: String
    private let state: State
    /// What is known for this state, or else the plan by which it is found out.
    private let known: Found?
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
        if let found = Self.found(of: project, state) {
            (known, plan) = (found, nil)
        } else {
            let record = try row.record(transaction)
            (known, plan) = (
                nil, MirrorPlan(record, state.names, links, conflicts, notes: notes)
            )
        }
    }

    /// Whether the number is known, so that the project wasn't read.
    var isKnown: Bool { known != nil }

    /// What waits, and what the server doesn't get.
    var found: Found {
        guard let plan else { return known ?? Found(count: 0, unsent: []) }
        if let found = Self.found(of: project, state) { return found }
        let found = Found(count: plan.count, unsent: plan.unknownAssignees)
        Self.keep(found, of: project, state)
        return found
    }

    /// What is known for a state; nil if nothing is.
    private static func found(of project: String, _ state: State) -> Found? {
        guard let known = counts.withLock({ $0[project] }), known.state == state else { return nil }
        return known.found
    }

    /// Records what was found out when a state was planned.
    static func keep(_ found: Found, of project: String, _ state: State) {
        counts.withLock { $0.put((state, found), for: project) }
    }
}
