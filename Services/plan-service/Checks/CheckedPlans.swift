import AccessRules
import FloorPlan
import Messages
import ServiceRuntime
import Synchronization

/// The plans that were checked last, as they were looked at: of one that has changed only the rooms
/// that were touched are looked at again. What isn't here is looked at as a whole, with the same
/// result.
final class CheckedPlans: Sendable {
    static let shared = CheckedPlans()

    /// Most plans, and most things in all of them.
    static let mostPlans = 4
    static let mostItems = OpenPlan.mostItems
    /// How long a plan that isn't checked is held: 10 minutes in milliseconds.
    static let life: Int64 = 10 * 60 * 1000

    /// By what a plan is judged.
    struct Terms: Hashable, Sendable {
        let standards: [String]
        let tolerance: UInt32
        let chair: PersonChair?
    }

    private struct Entry {
        let terms: Terms
        var inspection: PlanInspection
        /// How many things have changed since the whole plan was inspected.
        var changed = 0
        /// When it was checked last.
        var time: Int64

        /// Applies what has changed since the last check.
        ///
        /// - Returns: false when a look at the whole is due, which costs no more then and forgets
        ///   what the inspection has kept of things that are gone.
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

    /// The ids of the plans that are here, the one checked last at the end.
    var plans: [String] { entries.withLock { $0.keys } }

    /// What is found in a plan.
    ///
    /// - Parameters:
    ///   - survey: the plan as it is.
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

    /// Drops the plans that weren't checked for long.
    func forgetIdle(at now: Int64) {
        // One of the future was checked before the clock was set back.
        entries.withLock { $0.removeAll { !(now - Self.life...now).contains($1.time) } }
    }

    /// Drops a plan.
    func forget(_ plan: String) { _ = take(plan) }

    private func take(_ plan: String) -> Entry? { entries.withLock { $0.take(plan) } }

    private func put(_ entry: Entry, of plan: String) {
        let weight = entry.inspection.plan.count
        entries.withLock { $0.put(entry, for: plan, weight: weight) }
    }
}
