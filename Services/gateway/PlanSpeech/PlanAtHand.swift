import FloorPlan
import Messages
import Speech

/// The plan that an edit is about. It is read only when it is needed.
package final class PlanAtHand {
    private let load: () throws -> FloorPlan
    private let find: ((PlaceItem) throws -> PlanItem)?
    private var known: FloorPlan?

    /// A plan for an edit.
    ///
    /// - Parameters:
    ///   - load: reads it.
    ///   - find: returns an item to place, as the library or the catalogue keeps it.
    package init(
        _ load: @escaping () throws -> FloorPlan,
        placing find: ((PlaceItem) throws -> PlanItem)? = nil
    ) {
        self.load = load
        self.find = find
    }

    /// Its items.
    package func drawing() throws -> FloorPlan {
        if let known { return known }
        let drawing = try load()
        known = drawing
        return drawing
    }

    /// An item to place, as the library or the catalogue keeps it.
    package func placeable(_ place: PlaceItem) throws -> PlanItem {
        guard let find else {
            throw Failure(.broken, "“\(place.name.printable)” can't be found here")
        }
        return try find(place)
    }

    /// The item that a person means: by its id, or by its label or kind if only one item has it.
    ///
    /// - Throws: ``Failure`` that names the items that may be meant, or the nearest names.
    package func item(_ typed: String) throws -> PlanItem {
        let drawing = try drawing()
        if let item = drawing.item(typed) { return item }
        let wanted = typed.lowercased()
        let items = drawing.items
        // Things without a label have an empty one, and each label begins with an empty text.
        guard !typed.allSatisfy(\.isWhitespace) else {
            throw Failure(
                .refused, "nothing in the plan was named",
                advice: "give an id or a label; see steward plan show")
        }
        let tests: [(PlanItem) -> Bool] = [
            { $0.id.lowercased() == wanted }, { $0.label.lowercased() == wanted },
            { $0.kindName == wanted }, { $0.label.lowercased().hasPrefix(wanted) },
        ]
        for test in tests {
            let found = items.filter(test)
            if found.count == 1 { return found[0] }
            guard found.isEmpty else {
                throw Failure(
                    .refused, "“\(typed.printable)” may be any of \(found.count) things",
                    advice: "give the id: " + Self.list(found))
            }
        }
        let near = items.map { ($0, Self.distance(wanted, to: $0)) }
            .filter { Choice.isNear($0.1, wanted) }.sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
        throw Failure(
            .refused, "there is no “\(typed.printable)” in the plan",
            advice: items.isEmpty
                ? "nothing is in it yet; see steward plan --help"
                : near.isEmpty
                    ? "see what is in it: steward plan show"
                    : "the nearest \(near.count == 1 ? "is" : "are") \(Self.list(near)); "
                        + "all: steward plan show")
    }

    /// A wall by its id or label.
    package func wall(_ typed: String) throws -> Wall {
        let item = try item(typed)
        guard case .wall(let wall) = item.item else { throw Self.wrong(item, "wall", "walls") }
        return wall
    }

    /// An element by its id or label.
    package func element(_ typed: String) throws -> Element {
        let item = try item(typed)
        guard case .element(let element) = item.item else {
            throw Self.wrong(item, "thing that stands in the plan", "things")
        }
        return element
    }

    /// A door, window or passage by its id or label.
    package func opening(_ typed: String) throws -> Opening {
        let item = try item(typed)
        guard case .opening(let opening) = item.item else {
            throw Self.wrong(item, "door or window", "openings")
        }
        return opening
    }

    /// The ids of several items.
    package func ids(_ typed: [String]) throws -> [String] { try typed.map { try item($0).id } }

    /// The coordinates of a place.
    package func point(_ place: PlaceInPlan) throws -> PlanPoint {
        switch place {
        case .point(let point): return point
        case .corner(let typed, let isEnd):
            let wall = try wall(typed)
            return isEnd ? wall.to : wall.from
        }
    }

    /// The end of the wall that was drawn last, where the next one begins.
    package func lastEnd() throws -> PlanPoint {
        let drawing = try drawing()
        guard let wall = drawing.order.reversed().lazy.compactMap({ drawing.walls[$0] }).first
        else {
            throw Failure(
                .usage, "there is no wall yet from which this one could go on",
                advice: "say where it begins: --from 0,0")
        }
        return wall.to
    }

    private static func wrong(_ item: PlanItem, _ what: String, _ all: String) -> Failure {
        Failure(
            .refused, "\(item.id) is \(item.aKind), not a \(what)",
            advice: "see the \(all): steward plan show")
    }

    private static func list(_ items: [PlanItem]) -> String {
        let names = items.prefix(5).map { item in
            item.id + (item.label.isEmpty ? "" : " “\(item.label.printable)”")
        }
        return names.joined(separator: ", ") + (items.count > 5 ? ", …" : "")
    }

    private static func distance(_ wanted: String, to item: PlanItem) -> Int {
        let names = [item.id, item.label].filter { !$0.isEmpty }
        return names.map { Choice.distance($0.lowercased(), wanted) }.min() ?? wanted.count
    }
}

extension FloorPlan {
    /// The wheelchairs in it, in the order in which they were drawn.
    package var wheelchairs: [Element] {
        order.compactMap { elements[$0] }.filter { $0.kind == .wheelchair }
    }
}
