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
        var read: Plan?
        var items: [PlanItem] = []
        var from: UInt32 = 0
        repeat {
            let part = try session.askPlan(
                ReadPlan(plan: name, from: from), for: PlanContents.self)
            guard part.plan != nil else {
                throw Failure(.broken, "the answer has no plan in it")
            }
            if from > 0, part.plan?.revision != read?.revision {
                // Someone changed it meanwhile, so the parts don't fit together.
                (items, from, read) = ([], 0, nil)
                continue
            }
            items += part.items
            (read, from) = (part.plan, part.next)
        } while from > 0 || read == nil
        plan = read ?? Plan()
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
                throw Failure(
                    .refused, refusal.message, advice: "see what there is: steward plan list")
            }
            throw Failure(
                .refused, "the plan “\(kept.name)”, which was in use, no longer exists",
                advice: "choose another: steward plan list, then steward plan use NAME")
        }
    }
}
