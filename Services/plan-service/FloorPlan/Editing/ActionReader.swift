import Messages

/// Completes people's actions: chooses missing ids, and looks up things in the library and the
/// catalogue.
package struct ActionReader {
    /// The maximum number of actions in one edit.
    package static let mostActions = 1_000

    /// An id that isn't given out: undo may restore the plan's chair.
    let reserved: String
    /// The thing to place, as it is stored.
    let find: (PlaceItem) throws -> PlanItem
    private var ids = FreeIDs()

    package init(reserved: String, find: @escaping (PlaceItem) throws -> PlanItem) {
        self.reserved = reserved
        self.find = find
    }

    /// The completed action: an id for each new thing, and the thing itself instead of what it
    /// names.
    package mutating func complete(_ action: PlanAction, in plan: FloorPlan) throws -> PlanAction {
        switch action.action {
        case .add(let add): return .add(try named(add.items, in: plan))
        case .drawRoom(let drawing): return .drawRoom(try named(drawing, in: plan))
        case .copy(let copy): return .copy(copy.id, as: try newID(of: copy, in: plan), by: copy.by)
        case .replace(let item):
            try item.validateTexts()
            return action
        case .place(let place):
            let item = try find(place).placed(at: place.centre, turned: place.angle)
            return .add(try named([item.named(place.id)], in: plan))
        default: return action
        }
    }

    /// The things, each with an id.
    package mutating func named(_ items: [PlanItem], in plan: FloorPlan) throws(Refusal)
        -> [PlanItem]
    {
        guard items.contains(where: \.id.isEmpty) else {
            for item in items { try item.validateTexts() }
            return items
        }
        let taken = Set(items.map(\.id)).union([reserved])
        var named: [PlanItem] = []
        for var item in items {
            if item.id.isEmpty {
                let id = ids.next(item.kindWord) { taken.contains($0) || plan.item($0) != nil }
                item = item.named(id)
            }
            try item.validateTexts()
            named.append(item)
        }
        return named
    }

    private mutating func named(
        _ drawing: DrawRoom, in plan: FloorPlan
    ) throws(Refusal) -> DrawRoom {
        var named = drawing
        guard drawing.sides.count < 200 else {
            throw .invalid("a room has at most 200 sides; give at most 199, without the last")
        }
        if drawing.room.id.isEmpty {
            // Its walls get ids made from its id.
            named.room.id = ids.next("room") { id in
                plan.item(id) != nil
                    || (1...drawing.sides.count + 1).contains {
                        plan.item("\(id)-wall-\($0)") != nil
                    }
            }
        }
        try PlanItem(item: .room(named.room)).validateTexts()
        if drawing.wallThickness != nil { try validate(namesake: named.room.id) }
        return named
    }

    /// Refuses an id if the ids made from it would be too long.
    private func validate(namesake id: String) throws(Refusal) {
        try validateText(
            id, "an id after which walls or doors are named", 1...PlanItem.longestID - 20)
    }

    private mutating func newID(
        of copy: CopyItem, in plan: FloorPlan
    ) throws(Refusal) -> String {
        guard copy.newId.isEmpty else {
            try validateText(copy.newId, "an id", 1...PlanItem.longestID)
            if plan.walls[copy.id] != nil { try validate(namesake: copy.newId) }
            return copy.newId
        }
        guard let item = plan.item(copy.id) else { throw .notFound("the plan has no \(copy.id)") }
        // The doors of a copied wall get ids made from its id.
        let openings = plan.openings(in: copy.id).count
        return ids.next(item.kindWord) { id in
            id == reserved || plan.item(id) != nil
                || (0..<openings).contains { plan.item("\(id)-\($0 + 1)") != nil }
        }
    }
}

/// Free ids in a plan: the kind and the next number.
private struct FreeIDs {
    private var last: [String: Int] = [:]

    /// The next free id of a kind.
    mutating func next(_ kind: String, isTaken: (String) -> Bool) -> String {
        var number = last[kind, default: 0]
        repeat { number += 1 } while isTaken("\(kind)-\(number)")
        last[kind] = number
        return "\(kind)-\(number)"
    }
}

extension PlanItem {
    /// The kind, as ids begin with it.
    package var kindWord: String {
        switch item {
        case .wall: "wall"
        case .opening(let opening):
            switch opening.kind {
            case .window: "window"
            case .passage: "passage"
            default: "door"
            }
        case .room: "room"
        case .element(let element):
            switch element.kind {
            case .kitchenBench: "bench"
            case .unspecified, .unrecognized: "element"
            default: element.kind.description
            }
        case nil: "thing"
        }
    }

    /// The same with a different id.
    package func named(_ id: String) -> PlanItem {
        switch item {
        case .wall(var wall):
            wall.id = id
            return PlanItem(item: .wall(wall))
        case .opening(var opening):
            opening.id = id
            return PlanItem(item: .opening(opening))
        case .room(var room):
            room.id = id
            return PlanItem(item: .room(room))
        case .element(var element):
            element.id = id
            return PlanItem(item: .element(element))
        case nil: return self
        }
    }

    /// The maximum number of characters of an id.
    package static let longestID = 100
    /// The maximum number of characters of a label.
    package static let longestLabel = 100

    /// Refuses texts that no page or terminal could show as they are.
    package func validateTexts() throws(Refusal) {
        try validateText(
            id, "the id of \(kindWord == "thing" ? "a thing" : kindWord)", 1...Self.longestID)
        switch item {
        case .wall(let wall): try validate(wall.label)
        case .opening(let opening): try validate(opening.label)
        case .room(let room): try validate(room.name)
        case .element(let element):
            try validate(element.label)
            try validate(element.custom)
            try validate(element.aidClass)
            guard let product = element.product else { return }
            for text in [product.id, product.number, product.isoCode] { try validate(text) }
            try validateText(product.name, "the product of \(id)", 0...300)
            try validateText(product.maker, "the maker of \(id)", 0...300)
        case nil: throw .invalid("a thing without a kind can't be drawn")
        }
    }

    private func validate(_ text: String) throws(Refusal) {
        try validateText(text, "a label of \(id)", 0...Self.longestLabel)
    }
}
