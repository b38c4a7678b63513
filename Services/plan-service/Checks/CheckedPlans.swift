import AccessRules
import FloorPlan
import Messages
import ServiceRuntime
import Synchronization

/// The plans that were checked last, with their findings: after a change only the affected rooms
/// are checked again. A plan that isn't here is checked as a whole, with the same result.
final class CheckedPlans: Sendable {
    static let shared = CheckedPlans()

    /// The maximum number of plans, and of items in all of them.
    static let mostPlans = 4
    static let mostItems = OpenPlan.mostItems
    /// How long a plan is kept after its last check, in milliseconds: 10 minutes.
    static let life: Int64 = 10 * 60 * 1000

    /// What a plan is checked against, and for whom.
    struct Terms: Hashable, Sendable {
        let standards: [String]
        let tolerance: UInt32
        let chair: PersonChair?
    }

    private struct Entry {
        let terms: Terms
        var inspection: PlanInspection
        /// The number of items changed since the whole plan was inspected.
        var changed = 0
        /// When it was checked last, in milliseconds since 1970.
        var time: Int64

        /// Applies the changes since the last check.
        ///
        /// - Returns: false if the whole plan should be inspected again, which then costs no more
        ///   and discards what the inspection keeps about deleted items.
        mutating func follow(_ drawing: FloorPlan) -> Bool {
            let changes = drawing.changes(since: inspection.plan)
            changed += changes.count
            guard changed <= drawing.count else { return false }
            inspection.apply(changes)
            return true
        }
    }

    private let entries = Mutex(
        BoundedCache<String, Entry>(mostEntries: mostPlans, mostWeight: mostItems))

    /// The ids of the plans kept here, with the one checked last at the end.
    var plans: [String] { entries.withLock { $0.keys } }

    /// The findings in a plan.
    ///
    /// - Parameters:
    ///   - survey: the present plan.
    ///   - now: the time of the check.
    func findings(in survey: PlanSurvey, at now: Int64) throws(Refusal) -> [PlanFinding] {
        let details = survey.details
        let terms = Terms(
            standards: details.standards, tolerance: details.tolerance, chair: try survey.chair(""))
        let plan = survey.plan.id
        if var kept = take(plan), kept.terms == terms, kept.follow(survey.drawing) {
            kept.time = now
            put(kept, of: plan)
            return kept.inspection.findings()
        }
        let inspection = try PlanInspection(survey.drawing, details: details, chair: terms.chair)
        put(Entry(terms: terms, inspection: inspection, time: now), of: plan)
        return inspection.findings()
    }

    /// Removes plans that haven't been checked for a long time.
    func forgetIdle(at now: Int64) {
        // A time in the future means that the clock was set back since.
        entries.withLock { $0.removeAll { !(now - Self.life...now).contains($1.time) } }
    }

    /// Removes a plan.
    func forget(_ plan: String) { _ = take(plan) }

    private func take(_ plan: String) -> Entry? { entries.withLock { $0.take(plan) } }

    private func put(_ entry: Entry, of plan: String) {
        let weight = entry.inspection.plan.count
        entries.withLock { $0.put(entry, for: plan, weight: weight) }
    }
}
