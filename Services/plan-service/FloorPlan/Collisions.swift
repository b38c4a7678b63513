import Messages

/// What stands where in a plan, ready to say what a thing hits: kept up to date change by change.
package struct Collisions: Sendable {
    /// One thing that something can hit.
    private struct Body {
        let id: String
        let shape: TurnedRectangle
        let span: Range<UInt32>
        let isWall: Bool
    }

    private var bodies: [Body?] = []
    private var numbers: [String: Int] = [:]
    private var index = SpatialIndex()

    package init(_ plan: FloorPlan) {
        for item in plan.items { put(item) }
    }

    /// Takes up a change of the plan.
    package mutating func apply(_ change: ItemChange) {
        if let after = change.after {
            put(after)
        } else if let before = change.before {
            remove(before.id)
        }
    }

    /// The ids of what a thing would hit, sorted; only elements and walls hit something.
    package func hits(of item: PlanItem) -> [String] {
        switch item.item {
        case .element(let element): hits(of: element)
        case .wall(let wall): hits(of: wall)
        default: []
        }
    }

    /// The ids of the solid elements whose bounds meet these, sorted.
    package func elements(near place: Bounds) -> [String] { bodies(near: place, walls: false) }

    /// The ids of the walls whose bounds meet these, sorted.
    package func walls(near place: Bounds) -> [String] { bodies(near: place, walls: true) }

    private func bodies(near place: Bounds, walls: Bool) -> [String] {
        var found: [String] = []
        index.forEach(meeting: place) { number in
            if let body = bodies[number], body.isWall == walls { found.append(body.id) }
        }
        return found.sorted()
    }

    /// The ids of what an element would hit, sorted: elements at the same height and walls.
    package func hits(of element: Element) -> [String] {
        guard element.isSolid else { return [] }
        let (shape, span) = (element.rectangle, element.span)
        var found: [String] = []
        index.forEach(meeting: shape.bounds) { number in
            guard let body = bodies[number], body.id != element.id,
                body.isWall || body.span.overlaps(span), body.shape.overlaps(shape)
            else { return }
            found.append(body.id)
        }
        return found.sorted()
    }

    /// The ids of the elements that a wall would hit, sorted. Walls may cross walls.
    package func hits(of wall: Wall) -> [String] {
        let shape = wall.rectangle
        var found: [String] = []
        index.forEach(meeting: shape.bounds) { number in
            guard let body = bodies[number], !body.isWall, body.shape.overlaps(shape) else {
                return
            }
            found.append(body.id)
        }
        return found.sorted()
    }

    private mutating func put(_ item: PlanItem) {
        let body: Body
        switch item.item {
        case .wall(let wall):
            body = Body(
                id: wall.id, shape: wall.rectangle, span: 0..<UInt32.max, isWall: true)
        case .element(let element) where element.isSolid:
            body = Body(
                id: element.id, shape: element.rectangle, span: element.span, isWall: false)
        default: return remove(item.id)
        }
        let number = numbers[body.id] ?? bodies.count
        if number == bodies.count { bodies.append(nil) }
        numbers[body.id] = number
        bodies[number] = body
        index.put(number, at: body.shape.bounds)
    }

    private mutating func remove(_ id: String) {
        guard let number = numbers[id] else { return }
        bodies[number] = nil
        index.remove(number)
    }
}

extension Element {
    /// True for what something else can't stand on: all but what is flat on the floor, such as a
    /// shower area.
    package var isSolid: Bool {
        kind != .shower && !(elevation == 0 && (1...20).contains(height))
    }
}

extension Wall {
    /// The wall as a rectangle about its centre line, without what joins add at its ends.
    package var rectangle: TurnedRectangle {
        let line = line
        return TurnedRectangle(
            centre: (line.start + line.end) * 0.5, width: line.length,
            depth: Double(thickness), angle: line.along.angle)
    }
}
