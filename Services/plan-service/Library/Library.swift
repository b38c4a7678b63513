import AidCatalogue
import FloorPlan
import Messages
import ServiceRuntime

/// The handlers for organisations' own items, kept to be used again.
enum LibraryHandling {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .member),
            .command(remove, .member),
            .query(list, .member),
        ]
    }

    /// The maximum size of a library, in bytes, so that it fits into one message.
    static let mostBytes = 800_000

    static func keep(_ command: KeepInLibrary, in transaction: Transaction) throws -> LibraryItem {
        var item = try command.item.tidied()
        item.changed = transaction.now
        item.changedBy = transaction.principal.name
        let organisation = transaction.principal.organisation
        let others = try LibraryStore.bytes(
            of: organisation, without: item.label, transaction.db)
        guard others + item.packed().count <= mostBytes else {
            throw Refusal.conflict("the library is full; remove something from it first")
        }
        try LibraryStore.save(item, of: organisation, transaction.db)
        return item
    }

    static func remove(
        _ command: RemoveFromLibrary, in transaction: Transaction
    ) throws -> LibraryItem {
        let organisation = transaction.principal.organisation
        guard
            let item = try LibraryStore.item(command.label, of: organisation, transaction.db)
        else { throw Refusal.notInLibrary(command.label) }
        try LibraryStore.delete(command.label, of: organisation, transaction.db)
        return item
    }

    static func list(
        _ query: ListLibrary, in transaction: Transaction
    ) throws -> Messages.Library {
        Messages.Library(
            items: try LibraryStore.all(
                of: transaction.principal.organisation, with: query.text, transaction.db))
    }

    /// The item to place in a plan of an organisation, with its centre at the origin: an item of
    /// the library, or a product of the catalogue in its present state.
    static func find(
        _ place: PlaceItem, for organisation: String, in transaction: Transaction
    ) throws -> PlanItem {
        guard !place.product else {
            let row = try ProductRow.required(place.name, of: organisation, transaction.db)
            let element = try row.product.element(id: "", centre: PlanPoint(), angle: 0)
            return PlanItem(item: .element(element.withShortLabel))
        }
        guard
            let kept = try LibraryStore.item(place.name, of: organisation, transaction.db)
        else { throw Refusal.notInLibrary(place.name) }
        return kept.item
    }
}

extension Refusal {
    /// The refusal if there is no such item in the library of the sender's organisation.
    fileprivate static func notInLibrary(_ label: String) -> Refusal {
        .notFound("there is no “\(label.prefix(100))” in the library")
    }
}
