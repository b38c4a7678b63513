import Messages
import ServiceRuntime
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
        let mark: String
        var open: OpenPlan
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostPlans, mostWeight: mostItems))

    /// Takes a plan as its row says it is.
    func take(_ row: PlanRow) -> OpenPlan? {
        let entry = entries.withLock { $0.take(row.plan.id) }
        return entry?.mark == row.mark ? entry?.open : nil
    }

    /// Puts a plan here as the command of an id has made it.
    func put(_ open: consuming OpenPlan, of plan: String, mark: String) {
        let weight = open.count
        let entry = Entry(mark: mark, open: open)
        entries.withLock { $0.put(entry, for: plan, weight: weight) }
    }

    /// Drops a plan.
    func forget(_ plan: String) { _ = entries.withLock { $0.take(plan) } }
}
