import AidCatalogue
import FloorPlan
import Messages
import PlanSpeech
import Speech
import Texts

/// A plan on which edits are tried, by the same rules as in the service. Nothing is saved.
struct PlanRehearsal {
    private var editor: PlanEditor
    private var reader: ActionReader
    private let find: (PlaceItem) throws -> PlanItem

    /// A rehearsal that begins with the contents of a plan.
    ///
    /// - Parameters:
    ///   - reserved: the id of the plan's chair.
    ///   - find: returns the item to place, as the library or the catalogue keeps it.
    init(
        _ drawing: FloorPlan, reserved: String, find: @escaping (PlaceItem) throws -> PlanItem
    ) {
        editor = PlanEditor(drawing)
        self.find = find
        reader = ActionReader(reserved: reserved, find: find)
    }

    /// The actions of a command for the present plan.
    func actions(of command: any PlanEditCommand) throws -> [PlanAction] {
        let drawing = editor.plan
        return try command.actions(PlanAtHand({ drawing }, placing: find))
    }

    /// Applies edits.
    ///
    /// - Throws: the service's refusal.
    mutating func make(_ actions: [PlanAction], force: Bool) throws {
        _ = try editor.make(actions.count, force: force) {
            try reader.complete(actions[$0], in: $1)
        }
    }
}

extension Session {
    /// The item to place, from the library or the catalogue.
    func placeable(_ place: PlaceItem) throws -> PlanItem {
        guard !place.product else {
            let product = try askPlan(ReadProduct(product: place.name), for: Product.self)
            let element = try product.element(id: "", centre: PlanPoint(), angle: 0)
            return PlanItem(item: .element(element.withShortLabel))
        }
        let library = try askPlan(ListLibrary(), for: Library.self)
        // The service compares names in the same way.
        let name = FoldedText.name(place.name)
        guard let item = library.items.first(where: { FoldedText.name($0.label) == name })?.item
        else {
            throw Failure(
                .refused, "there is no “\(place.name.printable)” in the library",
                advice: "see what is kept: steward plan library list")
        }
        return item
    }
}
