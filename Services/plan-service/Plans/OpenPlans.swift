import Messages
import Synchronization

/// The plans that were edited last, ready to be edited again. Whoever edits one takes it out and
/// puts it back, so that nothing of it is copied.
///
/// A plan is known by the id of the command that made it as it is, which its row in the store
/// names. What a command that was undone has put here is therefore never used.
final class OpenPlans: Sendable {
    static let shared = OpenPlans()

    /// Most plans, and most things in all of them.
    private static let mostPlans = 8
    private static let mostItems = 2 * OpenPlan.mostItems

    private struct Entry {
        let id: String
        let mark: String
        var open: OpenPlan
    }

    private let entries = Mutex<[Entry]>([])

    /// Takes a plan as its row says it is.
    func take(_ row: PlanRow) -> OpenPlan? {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.id == row.plan.id }) else {
                return nil
            }
            let entry = entries.remove(at: place)
            return entry.mark == row.mark ? entry.open : nil
        }
    }

    /// Puts a plan here as the command of an id has made it.
    func put(_ open: consuming OpenPlan, of plan: String, mark: String) {
        let entry = Entry(id: plan, mark: mark, open: open)
        entries.withLock { entries in
            entries.removeAll { $0.id == plan }
            entries.append(entry)
            while entries.count > Self.mostPlans
                || entries.count > 1
                    && entries.reduce(0, { $0 + $1.open.count }) > Self.mostItems
            { entries.removeFirst() }
        }
    }

    /// Forgets a plan.
    func forget(_ plan: String) {
        entries.withLock { $0.removeAll { $0.id == plan } }
    }
}
