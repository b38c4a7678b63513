import Messages

/// A plan that is being edited. Each edit is made as a whole or refused and leaves nothing behind.
package struct PlanEditor: Sendable {
    package private(set) var plan: FloorPlan
    private var collisions: Collisions
    /// What the edit under way has changed so far.
    private var gesture: [ItemChange] = []

    package init(_ plan: FloorPlan) {
        self.plan = plan
        collisions = Collisions(plan)
    }

    /// What an edit did.
    package struct Outcome: Sendable {
        /// One change for each thing; reversed they take the edit back.
        package let changes: [ItemChange]
        /// What a person should know although it is allowed.
        package let warnings: [String]
    }

    /// Makes an edit.
    /// - Parameter force: Things may stand in each other afterwards.
    /// - Throws: what it breaks or hits, and the cure; nothing is changed then.
    package mutating func make(
        _ edit: PlanEdit, force: Bool = false
    ) throws(Refusal) -> Outcome {
        gesture = []
        do {
            try carryOut(edit)
            let changes = merged(gesture)
            for change in changes {
                if let item = change.after { try plan.check(item) }
            }
            // What was there before may stay: a plan with collisions can still be edited.
            if !force { try refuseNewCollisions(changes) }
            return Outcome(changes: changes, warnings: swings(over: changes))
        } catch {
            apply(gesture.reversed)
            throw error
        }
    }

    /// Makes changes that were made before, or takes them back.
    package mutating func apply(_ changes: [ItemChange]) {
        for change in changes {
            plan.apply(change)
            collisions.apply(change)
        }
    }

    /// Puts a thing in its place, as part of the edit under way.
    mutating func put(_ item: PlanItem) {
        change(ItemChange(before: plan.item(item.id), after: item))
    }

    mutating func remove(_ id: String) {
        if let item = plan.item(id) { change(ItemChange(before: item)) }
    }

    private mutating func change(_ change: ItemChange) {
        guard change.before != change.after else { return }
        gesture.append(change)
        apply([change])
    }

    /// One change for each thing, in the order of the first; what ends as it began is no change.
    private func merged(_ gesture: [ItemChange]) -> [ItemChange] {
        var merged: [ItemChange] = []
        var places: [String: Int] = [:]
        for change in gesture {
            let id = change.after?.id ?? change.before?.id ?? ""
            if let place = places[id] {
                merged[place].after = change.after
            } else {
                places[id] = merged.count
                merged.append(change)
            }
        }
        return merged.filter { $0.before != $0.after }
    }

    private func refuseNewCollisions(_ changes: [ItemChange]) throws(Refusal) {
        var before = collisions
        var isCurrent = true
        for change in changes {
            guard let after = change.after else { continue }
            let hits = collisions.hits(of: after)
            guard !hits.isEmpty else { continue }
            if isCurrent {
                for change in changes.reversed { before.apply(change) }
                isCurrent = false
            }
            let known = change.before.map { before.hits(of: $0) } ?? []
            guard let hit = hits.first(where: { !known.contains($0) }),
                let other = plan.item(hit)
            else { continue }
            throw .conflict(after.collision(with: other))
        }
    }
}

extension PlanItem {
    /// What stands on the floor here: an element, or a wall.
    var outline: ConvexPolygon? {
        switch item {
        case .element(let element): element.outline
        case .wall(let wall): wall.rectangle.outline
        default: nil
        }
    }

    /// Says that this one would stand in the other, and how it gets out.
    fileprivate func collision(with other: PlanItem) -> String {
        guard let outline, let hit = other.outline, let overlap = Overlap(outline, hit) else {
            return "\(words) would hit \(other.words)"
        }
        let way = overlap.direction * overlap.depth
        let (x, y) = (Self.away(way.x), Self.away(way.y))
        return "\(words) would stand \(Int(overlap.depth.rounded(.up))) mm in \(other.words); "
            + "moved by (\(x), \(y)) mm it doesn't, or force it"
    }

    /// A millimetre too far rather than too short.
    private static func away(_ way: Double) -> Int {
        abs(way) < 1e-6 ? 0 : Int(way.rounded(.awayFromZero))
    }
}

extension PlanEditor {
    /// Doors that open against an element: allowed, but worth a word.
    private func swings(over changes: [ItemChange]) -> [String] {
        var warnings: Set<String> = []
        for change in changes {
            switch change.after?.item {
            case .element(let element) where element.isSolid:
                for opening in plan.openings.values { warn(opening, element, &warnings) }
            case .opening(let opening): warn(opening, &warnings)
            case .wall(let wall):
                for opening in plan.openings(in: wall.id) { warn(opening, &warnings) }
            default: break
            }
        }
        return warnings.sorted()
    }

    private func warn(_ opening: Opening, _ warnings: inout Set<String>) {
        guard let swing = plan.walls[opening.wall]?.swing(of: opening) else { return }
        for id in collisions.elements(near: swing.bounds) {
            if let element = plan.elements[id] { warn(opening, element, &warnings) }
        }
    }

    private func warn(_ opening: Opening, _ element: Element, _ warnings: inout Set<String>) {
        guard let swing = plan.walls[opening.wall]?.swing(of: opening),
            element.elevation < max(opening.height, 2_000),
            Overlap(ConvexPolygon(hullOf: swing.corners), element.outline) != nil
        else { return }
        let (door, thing) = (
            PlanItem(item: .opening(opening)).words, PlanItem(item: .element(element)).words
        )
        warnings.insert("\(door) opens against \(thing)")
    }
}

extension PlanEditor {
    /// The ids of what a thing hits, sorted.
    package func hits(of item: PlanItem) -> [String] { collisions.hits(of: item) }
}
