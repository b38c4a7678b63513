import Messages

/// A floor plan: what is in it. It changes by ``apply(_:)`` alone, so that every change can be
/// taken back. Two plans are equal when the same things are in them.
package struct FloorPlan: Sendable {
    package private(set) var walls: [String: Wall] = [:]
    package private(set) var openings: [String: Opening] = [:]
    package private(set) var rooms: [String: Room] = [:]
    package private(set) var elements: [String: Element] = [:]
    /// When each thing was drawn: the larger, the later.
    private var drawn: [String: Int] = [:]
    private var lastDrawn = 0
    private var openingsOfWall: [String: Set<String>] = [:]
    private var wallsAtCorner: [PlanPoint: Set<String>] = [:]

    package init() {}

    /// A plan with these things.
    package init(_ items: [PlanItem]) {
        for item in items { apply(ItemChange(after: item)) }
    }

    /// The ids of all that is in it, oldest first.
    package var order: [String] {
        drawn.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Everything in it, oldest first.
    package var items: [PlanItem] { order.compactMap(item) }

    package func item(_ id: String) -> PlanItem? {
        if let element = elements[id] { return PlanItem(item: .element(element)) }
        if let wall = walls[id] { return PlanItem(item: .wall(wall)) }
        if let opening = openings[id] { return PlanItem(item: .opening(opening)) }
        if let room = rooms[id] { return PlanItem(item: .room(room)) }
        return nil
    }

    /// The openings of a wall, from its start on.
    package func openings(in wall: String) -> [Opening] {
        (openingsOfWall[wall] ?? []).compactMap { openings[$0] }
            .sorted { ($0.offset, $0.id) < ($1.offset, $1.id) }
    }

    /// The walls that have a corner at a place, by id.
    package func walls(at corner: PlanPoint) -> [Wall] {
        (wallsAtCorner[corner] ?? []).sorted().compactMap { walls[$0] }
    }

    /// Makes a change. A change and its ``ItemChange/reversed`` leave the plan as it was, but for
    /// the order: what was removed comes back as the latest.
    package mutating func apply(_ change: ItemChange) {
        let id = change.after?.id ?? change.before?.id ?? ""
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
        case nil:
            drawn[id] = nil
            return
        }
        guard drawn[id] == nil else { return }
        lastDrawn += 1
        drawn[id] = lastDrawn
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

extension FloorPlan: Equatable {
    package static func == (a: FloorPlan, b: FloorPlan) -> Bool {
        a.walls == b.walls && a.openings == b.openings && a.rooms == b.rooms
            && a.elements == b.elements
    }
}

extension ItemChange {
    /// The change that takes this one back.
    package var reversed: ItemChange { ItemChange(before: after, after: before) }
}

extension [ItemChange] {
    /// The changes that take these back, the last first.
    package var reversed: [ItemChange] { reversed().map(\.reversed) }
}
