import Messages

/// A plan that is being edited. Each edit is made as a whole or refused and leaves nothing behind.
///
/// An editor is a value, but a copy of one that is then edited costs a copy of all that is in the
/// plan: some milliseconds at 10,000 things. Who may have to throw an edit away, because what comes
/// after it fails, does so with `apply(outcome.changes.reversed)`, which costs what the edit did.
/// That brings removed things back at their place in the order of drawing too.
package struct PlanEditor: Sendable {
    package private(set) var plan: FloorPlan
    private(set) var collisions: Collisions
    private var gesture = Gesture()

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
        try make([edit], force: force)
    }

    /// Makes several edits one after another as one gesture: all of them or none. What they come
    /// to is checked, not what is there in between, so two things can change places.
    /// - Parameter force: Things may stand in each other afterwards.
    /// - Throws: what they break or hit, and the cure; nothing is changed then.
    package mutating func make(
        _ edits: [PlanEdit], force: Bool = false
    ) throws(Refusal) -> Outcome {
        let last = begin()
        do {
            for edit in edits { try carryOut(edit) }
            return try finish(force: force)
        } catch {
            takeBack(to: last)
            throw error
        }
    }

    /// Makes edits as above, each of which is known only when those before it are made.
    /// - Parameter edit: gives the edit of a number, from 0 on, in the plan as it stands then.
    /// - Throws: as above, with the number of the edit that can't be made, from 1 on; and what
    ///   `edit` throws.
    package mutating func make(
        _ count: Int, force: Bool = false, _ edit: (Int, FloorPlan) throws -> PlanEdit
    ) throws -> Outcome {
        let last = begin()
        do {
            for number in 0..<count {
                do { try carryOut(try edit(number, plan)) } catch let refusal as Refusal {
                    guard count > 1 else { throw refusal }
                    throw Refusal(
                        code: refusal.code, message: "action \(number + 1): \(refusal.message)")
                }
            }
            return try finish(force: force)
        } catch {
            takeBack(to: last)
            throw error
        }
    }

    private mutating func begin() -> Int64 {
        gesture = Gesture()
        return plan.lastPlace
    }

    /// Checks what the gesture has come to.
    private mutating func finish(force: Bool) throws(Refusal) -> Outcome {
        try checkGesture()
        let changes = gesture.changes
        // What was there before may stay: a plan with collisions can still be edited.
        if !force { try refuseNewCollisions(changes) }
        return Outcome(changes: changes, warnings: swings(over: changes))
    }

    /// Takes the gesture back. What was refused was never there.
    private mutating func takeBack(to last: Int64) {
        apply(gesture.changes.reversed)
        plan.forgetPlaces(of: gesture.changes.map(\.id).filter { plan.place(of: $0) ?? 0 > last })
    }

    /// Makes changes that were made before, or takes them back.
    /// - Parameter places: by id, where in the order of drawing what was removed comes back, for a
    ///   plan that was made anew since then.
    package mutating func apply(_ changes: [ItemChange], at places: [String: Int64] = [:]) {
        for change in changes {
            plan.apply(change, at: places[change.id])
            collisions.apply(change)
        }
    }

    /// Checks everything that the edit under way has changed.
    func checkGesture() throws(Refusal) {
        for change in gesture.changes {
            if let item = change.after { try plan.check(item) }
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
        gesture.add(change)
        apply([change])
    }

    private mutating func refuseNewCollisions(_ changes: [ItemChange]) throws(Refusal) {
        let now = changes.map { change in change.after.map { collisions.hits(of: $0) } ?? [] }
        guard now.contains(where: { !$0.isEmpty }) else { return }
        // Taken back for a moment rather than copied, which would cost as much as the plan is
        // large.
        for change in changes.reversed { collisions.apply(change) }
        let known = changes.map { change in change.before.map { collisions.hits(of: $0) } ?? [] }
        for change in changes { collisions.apply(change) }
        for (change, (hits, known)) in zip(changes, zip(now, known)) {
            guard let after = change.after, let hit = hits.first(where: { !known.contains($0) }),
                let other = plan.item(hit)
            else { continue }
            throw .conflict(after.collision(with: other))
        }
    }
}

/// What an edit under way has changed so far.
private struct Gesture {
    /// One change for each thing, in the order of the first.
    private var merged: [ItemChange] = []
    private var numbers: [String: Int] = [:]

    /// What ends as it began is no change.
    var changes: [ItemChange] { merged.filter { $0.before != $0.after } }

    mutating func add(_ change: ItemChange) {
        if let number = numbers[change.id] {
            merged[number].after = change.after
        } else {
            numbers[change.id] = merged.count
            merged.append(change)
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
        var widest: Double?
        for change in changes {
            switch change.after?.item {
            case .element(let element) where element.isSolid:
                let reach = widest ?? widestLeaf
                widest = reach
                for wall in collisions.walls(near: element.rectangle.bounds.grown(by: reach)) {
                    for opening in plan.openings(in: wall) { warn(opening, element, &warnings) }
                }
            case .opening(let opening): warn(opening, &warnings)
            case .wall(let wall):
                for opening in plan.openings(in: wall.id) { warn(opening, &warnings) }
            default: break
            }
        }
        return warnings.sorted()
    }

    /// How far from its wall the widest leaf reaches.
    private var widestLeaf: Double {
        plan.openings.values.reduce(0) { max($0, Double(max($1.leafWidth ?? 0, $1.width))) }
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
