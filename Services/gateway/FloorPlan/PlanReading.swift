import Bus
import FloorPlan
import Messages
import Speech

/// A plan as it was when it was read.
struct PlanContentsRead {
    /// Its details.
    let plan: Plan
    /// Its items.
    let drawing: FloorPlan

    /// Reads all parts of a plan.
    init(_ name: String, _ session: Session) throws {
        let (plan, items) = try Session.parts(\Plan.revision) { from in
            let part = try session.askPlan(
                ReadPlan(plan: name, from: from), for: PlanContents.self)
            guard let plan = part.plan else {
                throw Failure(.broken, "the answer has no plan in it")
            }
            return (plan, part.items, part.next)
        }
        self.plan = plan
        drawing = FloorPlan(items)
    }
}

extension Session {
    /// Asks plan-service. If the plan in use no longer exists, the error gives its name.
    func askPlan<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for type: R.Type, repeating: RepeatOptions? = nil,
        deadline: Duration = .seconds(10)
    ) throws -> R {
        do {
            return try ask(
                .plan, message, for: type, repeating: repeating, deadline: deadline)
        } catch ClientError.refused(let refusal) where refusal.isBecause(.planMissing) {
            guard let kept = try keptPlan.chosen(), refusal.subject == kept.id else {
                let meant = try planMeant(by: refusal.subject)
                throw Failure(
                    .refused, refusal.message,
                    advice: meant.map { "did you mean “\($0)”? all: steward plan list" }
                        ?? "see what there is: steward plan list")
            }
            throw Failure(
                .refused, "the plan “\(kept.name)”, which was in use, no longer exists",
                advice: "choose another: steward plan list, then steward plan use NAME")
        }
    }

    /// The name of the only plan that has these words in its details; nil if there are none or
    /// several.
    private func planMeant(by words: String) throws -> String? {
        do {
            let query = ListPlans(text: words, limit: 2)
            let found = try ask(.plan, query, for: Messages.Plans.self).plans
            return found.count == 1 ? found[0].name : nil
        } catch is ClientError {
            // The refusal itself is what the person has to know.
            return nil
        }
    }
}
