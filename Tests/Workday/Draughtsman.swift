import Bus
import Messages
import TestSupport

/// Draws plans, each with a bed that is moved again and again, and with more beds. A repeated move
/// shows in the bed's place, and a repeated addition in the number of beds.
final class Draughtsman: Occupation {
    private struct Drawing {
        var id = ""
        var revision: UInt64 = 0
        var moved: Int32 = 0
        var beds = 1
    }

    private enum Step { case create, move, add, delete }

    /// The number of beds at which a plan is finished.
    private static let mostBeds = 20
    /// The maximum number of plans kept.
    private static let mostKept = 20

    let service = ServiceName.plan
    private var drawings: [Drawing] = []
    private var step = Step.create
    private var made = 0

    func next() -> (any ProtobufMessage)? {
        if drawings.count > Self.mostKept {
            step = .delete
            return DeletePlan(plan: drawings[0].id)
        }
        guard let drawing = drawings.last, drawing.beds < Self.mostBeds else {
            step = .create
            made += 1
            return CreatePlan(details: PlanDetails(name: "Home \(made)"), items: [Self.bed(1)])
        }
        step = drawing.revision % 3 == 0 ? .add : .move
        let action: PlanAction.Action =
            step == .move
            ? .move(MoveItems(ids: ["bed-1"], by: PlanPoint(x: 10, y: 0)))
            : .add(AddItems(items: [Self.bed(drawing.beds + 1)]))
        return EditPlan(plan: drawing.id, actions: [PlanAction(action: action)])
    }

    private static func bed(_ number: Int) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: "bed-\(number)", kind: .bed,
                    centre: PlanPoint(x: 0, y: Int32(number) * 5_000), width: 900, depth: 2_000)))
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        if step == .delete {
            _ = try answer.message(PlanDeleted.self)
            drawings.removeFirst()
            return
        }
        if step == .create {
            let plan = try answer.message(Plan.self)
            return drawings.append(Drawing(id: plan.id, revision: plan.revision))
        }
        let edited = try answer.message(PlanEdited.self)
        var drawing = drawings.removeLast()
        drawing.revision += 1
        if step == .move { drawing.moved += 10 } else { drawing.beds += 1 }
        drawings.append(drawing)
        guard edited.plan?.revision == drawing.revision, edited.changed == 1 else {
            throw Complaint("revision \(drawing.revision) of a plan is \(edited)")
        }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let kept = try system.query(.plan, "SELECT id FROM plan").map { $0[0] }
        guard Set(kept) == Set(drawings.map(\.id)) else {
            throw Complaint("\(drawings.count) plans were made, and \(kept.count) are there")
        }
        for drawing in drawings {
            let contents = try client.ask(
                ReadPlan(plan: drawing.id), for: PlanContents.self, deadline: .seconds(3000))
            guard contents.plan?.revision == drawing.revision,
                contents.items.count == drawing.beds,
                case .element(let bed)? = contents.items.first?.item,
                bed.centre == PlanPoint(x: drawing.moved, y: 5_000)
            else { throw Complaint("\(drawing) is \(contents)") }
        }
    }
}
