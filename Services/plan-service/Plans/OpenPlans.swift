import Messages
import ServiceRuntime
import Synchronization

/// The plans that were edited last, ready for editing. An edit takes a plan out and puts it back,
/// so that nothing is copied.
///
/// A plan is identified by the id of the command that last changed it, which its row in the store
/// names. So a plan that a rolled back command has put here is never used.
final class OpenPlans: Sendable {
    static let shared = OpenPlans()

    /// The maximum number of plans, and of items in all of them.
    private static let mostPlans = 8
    private static let mostItems = 2 * OpenPlan.mostItems

    private struct Entry {
        let mark: String
        var open: OpenPlan
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostPlans, mostWeight: mostItems))

    /// Takes out a plan if it is in the state that its row names.
    func take(_ row: PlanRow) -> OpenPlan? {
        let entry = entries.withLock { $0.take(row.plan.id) }
        return entry?.mark == row.mark ? entry?.open : nil
    }

    /// Puts back a plan in the state that its row names.
    func put(_ open: consuming OpenPlan, of row: PlanRow) {
        let weight = open.count
        let entry = Entry(mark: row.mark, open: open)
        entries.withLock { $0.put(entry, for: row.plan.id, weight: weight) }
    }

    /// Removes a plan.
    func forget(_ plan: String) { _ = entries.withLock { $0.take(plan) } }
}
