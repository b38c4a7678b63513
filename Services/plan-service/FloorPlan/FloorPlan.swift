import Messages

/// A floor plan: its items. It changes only by ``apply(_:)``, so that every change can be undone.
/// Two plans are equal if they have the same items.
package struct FloorPlan: Sendable {
    package private(set) var walls: [String: Wall] = [:]
    package private(set) var openings: [String: Opening] = [:]
    package private(set) var rooms: [String: Room] = [:]
    package private(set) var elements: [String: Element] = [:]
    /// The place of each item in the drawing order: the larger, the later. Removed items keep their
    /// places, so that undo puts them back there.
    private var places: [String: Int64] = [:]
    private(set) var lastPlace: Int64 = 0
    private var openingsOfWall: [String: Set<String>] = [:]
    private var wallsAtCorner: [PlanPoint: Set<String>] = [:]

    package init() {}

    /// A plan with these items, in the order in which they were drawn.
    package init(_ items: [PlanItem]) {
        for item in items { apply(ItemChange(after: item)) }
    }

    /// A plan with these items, each at its place in the drawing order.
    package init(drawn items: some Sequence<(place: Int64, item: PlanItem)>) {
        for (place, item) in items { apply(ItemChange(after: item), at: place) }
    }

    /// The ids of all items, oldest first.
    package var order: [String] {
        let present = [
            Array(walls.keys), Array(openings.keys), Array(rooms.keys), Array(elements.keys),
        ].joined()
        return present.map { (place: places[$0] ?? 0, id: $0) }
            .sorted { ($0.place, $0.id) < ($1.place, $1.id) }.map(\.id)
    }

    /// All items, oldest first.
    package var items: [PlanItem] { order.compactMap(item) }

    /// The number of items.
    package var count: Int { walls.count + openings.count + rooms.count + elements.count }

    /// The place of an item in the drawing order: the larger, the later. Removed items keep their
    /// places.
    package func place(of id: String) -> Int64? { places[id] }

    /// The rooms whose use is unknown, by name: rules that depend on the use skip them.
    package var roomsWithoutUse: [Room] {
        rooms.values.filter { $0.use == .unspecified }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    package func item(_ id: String) -> PlanItem? {
        if let element = elements[id] { return PlanItem(item: .element(element)) }
        if let wall = walls[id] { return PlanItem(item: .wall(wall)) }
        if let opening = openings[id] { return PlanItem(item: .opening(opening)) }
        if let room = rooms[id] { return PlanItem(item: .room(room)) }
        return nil
    }

    /// The openings of a wall, from its start.
    package func openings(in wall: String) -> [Opening] {
        (openingsOfWall[wall] ?? []).compactMap { openings[$0] }
            .sorted { ($0.offset, $0.id) < ($1.offset, $1.id) }
    }

    /// The walls that have a corner at a place, by id.
    package func walls(at corner: PlanPoint) -> [Wall] {
        (wallsAtCorner[corner] ?? []).sorted().compactMap { walls[$0] }
    }

    /// Makes a change. A change followed by its ``ItemChange/reversed`` leaves the plan as it was,
    /// in the same order: an item that comes back gets the place that it had.
    ///
    /// A plan that was loaded from the store doesn't know the places of items removed earlier. To
    /// undo such a change, pass its `place`, which was ``place(of:)`` when the change was made.
    package mutating func apply(_ change: ItemChange, at place: Int64? = nil) {
        let id = change.id
        forget(id)
        switch change.after?.item {
        case .wall(let wall):
            walls[id] = wall
            wallsAtCorner[wall.from, default: []].insert(id)
            wallsAtCorner[wall.to, default: []].insert(id)
        case .opening(let opening):
            openings[id] = opening
            openingsOfWall[opening.wall, default: []].insert(id)
        case .room(let room): rooms[id] = room
        case .element(let element): elements[id] = element
        case nil: return
        }
        let kept = place ?? places[id] ?? lastPlace + 1
        places[id] = kept
        lastPlace = max(lastPlace, kept)
    }

    /// Forgets the places of items that are gone for good.
    mutating func forgetPlaces(of ids: some Sequence<String>) {
        for id in ids where item(id) == nil { places[id] = nil }
    }

    private mutating func forget(_ id: String) {
        if let wall = walls.removeValue(forKey: id) {
            for corner in [wall.from, wall.to] {
                wallsAtCorner[corner]?.remove(id)
                if wallsAtCorner[corner]?.isEmpty == true { wallsAtCorner[corner] = nil }
            }
        }
        if let opening = openings.removeValue(forKey: id) {
            openingsOfWall[opening.wall]?.remove(id)
        }
        rooms[id] = nil
        elements[id] = nil
    }
}

extension FloorPlan {
    /// The changes that turn another plan into this one: removals first, then walls, then the rest,
    /// so that a door or window always has its wall.
    package func changes(since other: FloorPlan) -> [ItemChange] {
        func gone<Thing>(_ kind: KeyPath<FloorPlan, [String: Thing]>) -> [ItemChange] {
            let left = self[keyPath: kind]
            return other[keyPath: kind].keys.filter { left[$0] == nil }
                .map { ItemChange(before: other.item($0)) }
        }
        func changed<Thing: Equatable>(
            _ kind: KeyPath<FloorPlan, [String: Thing]>
        ) -> [ItemChange] {
            let old = other[keyPath: kind]
            return self[keyPath: kind].compactMap { id, thing in
                guard old[id] != thing else { return nil }
                return ItemChange(before: old[id] == nil ? nil : other.item(id), after: item(id))
            }
        }
        return gone(\.openings) + gone(\.walls) + gone(\.rooms) + gone(\.elements)
            + changed(\.walls) + changed(\.openings) + changed(\.rooms) + changed(\.elements)
    }
}

extension FloorPlan: Equatable {
    package static func == (a: FloorPlan, b: FloorPlan) -> Bool {
        a.walls == b.walls && a.openings == b.openings && a.rooms == b.rooms
            && a.elements == b.elements
    }
}

extension ItemChange {
    /// The id of what it changes.
    package var id: String { after?.id ?? before?.id ?? "" }

    /// The change that undoes this one.
    package var reversed: ItemChange { ItemChange(before: after, after: before) }
}

extension [ItemChange] {
    /// The changes that undo these, last first.
    package var reversed: [ItemChange] { reversed().map(\.reversed) }
}
