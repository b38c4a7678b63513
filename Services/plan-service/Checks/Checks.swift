import FloorPlan
import Messages
import ServiceRuntime

/// Checks whether plans are accessible, on request and after each change. The work is done outside
/// the loop.
enum Checks {
    static var handlers: [MessageHandler] {
        [
            .slow(
                isSecret: true,
                prepare: { (query: CheckPlan, transaction) in
                    (try survey(query.plan, transaction), query)
                }, work: { survey, query in try PlanSurvey.limited { try survey.check(query) } },
                finish: { _, answer, _ in answer }, .member),
            .slow(
                isSecret: true,
                prepare: { (query: ReachPlan, transaction) in
                    (try survey(query.plan, transaction), query)
                }, work: { survey, query in try PlanSurvey.limited { try survey.reached(query) } },
                finish: { _, answer, _ in answer }, .member),
        ]
    }
    static var errands: [ErrandHandler] {
        [
            .init(
                "checks", atOnce: 1, take: take, name: \.order.plan, work: work, finish: finish,
                giveUp: { try finish($0, .failure(Refusal.conflict($1)), in: $2) })
        ]
    }
    static var events: [EventHandler] { [.acknowledgements()] }

    /// Restarts the checks that a crash interrupted.
    static func prepare(_ transaction: Transaction) throws {
        try CheckOrder.putBack(transaction.db)
    }

    private static func survey(
        _ plan: String, _ transaction: Transaction
    ) throws -> PlanSurvey {
        let row = try transaction.plan(plan)
        return PlanSurvey(plan: row.plan, drawing: try row.open(transaction).plan)
    }

    // MARK: After each change

    /// Requests a check of a changed plan if it needs one.
    static func order(_ row: PlanRow, in transaction: Transaction) throws {
        guard try CheckOrder.isNeeded(for: row, transaction.db) else { return }
        try CheckOrder.add(row.plan.id, at: transaction.now, transaction.db)
    }

    /// A check under way.
    private struct Taken: Sendable {
        let order: CheckOrder
        let survey: PlanSurvey
        let time: Int64
    }

    private static func take(_ transaction: Transaction) throws -> Taken? {
        guard let order = try CheckOrder.take(at: transaction.now, transaction.db) else {
            return nil
        }
        return try transaction.sparingOthers("checks") {
            guard let row = try PlanRow.ofID(order.plan, transaction.db) else { return nil }
            let survey = PlanSurvey(plan: row.plan, drawing: try row.open(transaction).plan)
            return Taken(order: order, survey: survey, time: transaction.now)
        } putAside: { _ in
            try order.finish(at: transaction.now, transaction.db)
        }
    }

    private static func work(_ taken: Taken) -> Result<[PlanFinding], any Error> {
        let result = Result {
            try PlanSurvey.limited { try taken.survey.failing(among: .shared, at: taken.time) }
        }
        // An inspection left half done can't be continued.
        if case .failure = result { CheckedPlans.shared.forget(taken.survey.plan.id) }
        return result
    }

    private static func finish(
        _ taken: Taken, _ result: Result<[PlanFinding], any Error>, in transaction: Transaction
    ) throws {
        let (id, db) = (taken.order.plan, transaction.db)
        try taken.order.finish(at: transaction.now, db)
        // A plan that can't be checked, for example because a standard no longer exists, keeps its
        // findings until it changes; a plan that was deleted in the meantime has none.
        guard let row = try PlanRow.ofID(id, db), case .success(let now) = result else { return }
        let alert = FindingAlert(before: try FailingStore.all(of: id, db), now: now)
        guard !alert.isEmpty else { return }
        try FailingStore.save(now, of: id, db)
        try transaction.publish(alert.event(of: taken.survey.plan), subject: id)
        if now.isEmpty { return try transaction.withdrawAlerts(of: id) }
        guard !alert.new.isEmpty else { return }
        let raised = alert.raised(
            of: row.plan, to: row.changer, in: row.changerOrganisation, at: transaction.now)
        let standing = StandingAlert(raised, occasion: transaction.now, since: transaction.now)
        try transaction.settle([standing], of: id)
    }

    /// Publishes what fails in a plan, for a snapshot.
    static func pass(
        _ plan: Plan, _ transaction: Transaction, to receiver: SnapshotReceiver
    ) throws {
        let failing = try transaction.readable("finding", of: plan.id) {
            try FailingStore.all(of: plan.id, transaction.db)
        }
        guard let failing, !failing.isEmpty else { return }
        try receiver(FindingAlert(before: [], now: failing).event(of: plan), plan.id)
    }
}
