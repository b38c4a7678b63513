import Messages

/// An index of a plan's items for finding collisions, updated with each change.
package struct Collisions: Sendable {
    private enum Kind {
        case wall, element, room
    }

    /// An obstacle, or the rectangle around a room.
    private struct Body {
        let id: String
        let shape: TurnedRectangle
        let span: Range<UInt32>
        let kind: Kind
    }

    private var bodies: [Body?] = []
    private var numbers: [String: Int] = [:]
    // Kept apart, so that thousands of items in one place don't slow down a search for walls.
    private var walls = SpatialIndex()
    private var elements = SpatialIndex()
    private var rooms = SpatialIndex(cell: 4_000)

    package init(_ plan: FloorPlan) {
        for item in plan.items { put(item) }
    }

    /// Applies a change of the plan.
    package mutating func apply(_ change: ItemChange) {
        if let after = change.after {
            put(after)
        } else if let before = change.before {
            remove(before.id)
        }
    }

    /// The ids of what an item would hit, sorted; only elements and walls can hit something.
    package func hits(of item: PlanItem) -> [String] { search(item).hits.sorted() }

    /// The ids of the solid elements whose bounds meet these, sorted.
    package func elements(near place: Bounds) -> [String] { ids(elements, near: place) }

    /// The ids of the walls whose bounds meet these, sorted.
    package func walls(near place: Bounds) -> [String] { ids(walls, near: place) }

    /// The ids of the rooms whose bounds meet these, sorted.
    func rooms(near place: Bounds) -> [String] { ids(rooms, near: place) }

    private func ids(_ index: SpatialIndex, near place: Bounds) -> [String] {
        var found: [String] = []
        index.forEach(meeting: place) { number in
            if let body = bodies[number] { found.append(body.id) }
        }
        return found.sorted()
    }

    /// The ids of what an element would hit, sorted: elements at the same height and walls.
    package func hits(of element: Element) -> [String] { search(element).hits.sorted() }

    /// The ids of what an item would hit, and the number of items that were near enough to compare.
    func search(_ item: PlanItem) -> (hits: [String], looks: Int) {
        switch item.item {
        case .element(let element): search(element)
        case .wall(let wall):
            // Walls may cross walls.
            search([elements], wall.rectangle) { _ in true }
        default: ([], 0)
        }
    }

    private func search(_ element: Element) -> (hits: [String], looks: Int) {
        guard element.isSolid else { return ([], 0) }
        let span = element.span
        return search([walls, elements], element.rectangle) {
            $0.id != element.id && ($0.kind == .wall || $0.span.overlaps(span))
        }
    }

    private func search(
        _ indices: [SpatialIndex], _ shape: TurnedRectangle, where counts: (Body) -> Bool
    ) -> (hits: [String], looks: Int) {
        var found: [String] = []
        let looks = indices.map { index in
            index.forEach(meeting: shape.bounds) { number in
                guard let body = bodies[number], counts(body), body.shape.overlaps(shape) else {
                    return
                }
                found.append(body.id)
            }
        }
        return (found, looks.reduce(0, +))
    }

    private mutating func put(_ item: PlanItem) {
        let body: Body
        switch item.item {
        case .wall(let wall):
            body = Body(
                id: wall.id, shape: wall.rectangle, span: 0..<UInt32.max, kind: .wall)
        case .element(let element) where element.isSolid:
            body = Body(
                id: element.id, shape: element.rectangle, span: element.span, kind: .element)
        case .room(let room) where !room.corners.isEmpty:
            let bounds = Bounds(room.corners.lazy.map(\.vector))
            body = Body(
                id: room.id,
                shape: TurnedRectangle(
                    centre: bounds.centre, width: bounds.size.x, depth: bounds.size.y, angle: 0),
                span: 0..<UInt32.max, kind: .room)
        default: return remove(item.id)
        }
        let number = numbers[body.id] ?? bodies.count
        if number == bodies.count { bodies.append(nil) }
        numbers[body.id] = number
        bodies[number] = body
        if body.kind != .wall { walls.remove(number) }
        if body.kind != .element { elements.remove(number) }
        if body.kind != .room { rooms.remove(number) }
        switch body.kind {
        case .wall: walls.put(number, at: body.shape.bounds)
        case .element: elements.put(number, at: body.shape.bounds)
        case .room: rooms.put(number, at: body.shape.bounds)
        }
    }

    private mutating func remove(_ id: String) {
        guard let number = numbers[id] else { return }
        bodies[number] = nil
        walls.remove(number)
        elements.remove(number)
        rooms.remove(number)
    }
}

extension Element {
    /// The height up to which what lies on the floor counts as floor, in millimetres.
    static let highestFloor: UInt32 = 20

    /// True unless it is flat on the floor, at most 20 mm high, or is a ramp, so that other items
    /// can be on it. A shower without a known height is a part of the floor.
    package var isSolid: Bool {
        guard kind != .shower || height > 0 else { return false }
        return !(elevation == 0 && (1...Self.highestFloor).contains(height)) && aidRole != .ramp
    }
}

extension Wall {
    /// The wall as a rectangle about its centre line, without extensions at joints.
    package var rectangle: TurnedRectangle {
        let line = line
        return TurnedRectangle(
            centre: (line.start + line.end) * 0.5, width: line.length,
            depth: Double(thickness), angle: line.along.angle)
    }
}
