import Messages

/// A plan that is being edited. Each edit is made as a whole, or refused without a trace.
///
/// An editor is a value, but editing a copy of one copies everything in the plan: some milliseconds
/// for 10,000 things. To discard an edit because something after it fails, use
/// `apply(outcome.changes.reversed)`, which costs as much as the edit did. It also restores removed
/// things at their place in the drawing order.
package struct PlanEditor: Sendable {
    package private(set) var plan: FloorPlan
    private(set) var collisions: Collisions
    /// What the edit under way has changed so far, and what it has cost.
    private var gesture = GatheredChanges()
    var effort = 0

    package init(_ plan: FloorPlan) {
        self.plan = plan
        collisions = Collisions(plan)
    }

    /// What an edit did.
    package struct Outcome: Sendable {
        /// One change for each thing; reversed they undo the edit.
        package let changes: [ItemChange]
        /// What a person should know although it is allowed.
        package let warnings: [String]
        /// The same for doors that can hit each other. A repair may leave them so.
        package let crossings: [String]
    }

    /// Makes an action.
    /// - Parameter force: whether things may overlap afterwards.
    /// - Throws: what it breaks or hits, and how to fix that; nothing is changed then.
    package mutating func make(
        _ action: PlanAction, force: Bool = false
    ) throws(Refusal) -> Outcome {
        try make([action], force: force)
    }

    /// Makes several actions in order as one gesture: all of them or none. Only the final result is
    /// validated, so two things can swap places.
    /// - Parameter force: whether things may overlap afterwards.
    /// - Throws: what they break or hit, and how to fix that; nothing is changed then.
    package mutating func make(
        _ actions: [PlanAction], force: Bool = false
    ) throws(Refusal) -> Outcome {
        let last = begin()
        do {
            for action in actions { try carryOut(action) }
            return try finish(force: force)
        } catch {
            takeBack(to: last)
            throw error
        }
    }

    /// Does the same if each action is known only when those before it are done.
    /// - Parameter action: returns the action with a number, from 0, for the plan at that point.
    /// - Throws: as above, with the number, from 1, of the action that can't be done; and what
    ///   `action` throws.
    package mutating func make(
        _ count: Int, force: Bool = false, _ action: (Int, FloorPlan) throws -> PlanAction
    ) throws -> Outcome {
        let last = begin()
        do {
            for number in 0..<count {
                do { try carryOut(try action(number, plan)) } catch let refusal as Refusal {
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

    /// The maximum cost of an edit, in comparisons of two things: even an edit made to be slow
    /// delays others by at most about a second.
    var mostEffort = 50_000_000
    /// The cost of making one change, and of finding one thing.
    static let changeEffort = 100
    static let lookEffort = 10
    /// The maximum number of warnings reported.
    package static let mostWarnings = 50
    /// How many things near the changed ones are examined for collisions: 500 each for 10,000
    /// things.
    static let mostLooks = 5_000_000
    /// How many of the colliding things are named.
    private static let mostNamed = 3

    /// Counts the cost of the edit under way.
    mutating func spend(_ cost: Int) throws(Refusal) {
        effort += cost
        guard effort <= mostEffort else {
            throw .invalid("this changes too much at once; make it in several edits")
        }
    }

    private mutating func begin() -> Int64 {
        gesture = GatheredChanges()
        effort = 0
        return plan.lastPlace
    }

    /// Validates the result of the gesture.
    private mutating func finish(force: Bool) throws(Refusal) -> Outcome {
        try validateGesture()
        let changes = gesture.changes
        // Collisions from before may stay: a plan with collisions can still be edited.
        if !force { try refuseNewCollisions(changes) }
        let warnings = (tinySizes(of: changes) + overlaps(by: changes) + swings(over: changes))
            .prefix(Self.mostWarnings)
        let crossed = crossings(after: changes)
        plan.forgetPlaces(of: gesture.passing)
        return Outcome(changes: changes, warnings: Array(warnings), crossings: crossed)
    }

    /// Undoes the gesture. A refused gesture leaves no trace.
    private mutating func takeBack(to last: Int64) {
        apply(gesture.changes.reversed)
        plan.forgetPlaces(of: gesture.changes.map(\.id).filter { plan.place(of: $0) ?? 0 > last })
        plan.forgetPlaces(of: gesture.passing)
    }

    /// Forgets the places in the drawing order of things that some changes removed. A change that
    /// restores one of them then has to give its place.
    package mutating func forgetPlaces(of changes: [ItemChange]) {
        plan.forgetPlaces(of: changes.map(\.id))
    }

    /// Makes changes that were made before, or undoes them.
    /// - Parameter places: by id, the places in the drawing order of things that come back, for a
    ///   plan that was reopened since then.
    package mutating func apply(_ changes: [ItemChange], at places: [String: Int64] = [:]) {
        for change in changes {
            plan.apply(change, at: places[change.id])
            collisions.apply(change)
        }
    }

    /// Validates everything that the edit under way has changed.
    func validateGesture() throws(Refusal) {
        try plan.validate(gesture.changes.compactMap(\.after))
    }

    /// Stores a thing, as part of the edit under way.
    mutating func put(_ item: PlanItem) {
        change(ItemChange(before: plan.item(item.id), after: item))
    }

    mutating func remove(_ id: String) {
        if let item = plan.item(id) { change(ItemChange(before: item)) }
    }

    private mutating func change(_ change: ItemChange) {
        guard change.before != change.after else { return }
        gesture.add([change])
        effort += Self.changeEffort
        apply([change])
    }

    /// A thing that an edit has changed, and what it now hits, sorted.
    private struct Hitting {
        let before: PlanItem?
        let thing: PlanItem
        var others: [String]
    }

    private mutating func refuseNewCollisions(_ changes: [ItemChange]) throws(Refusal) {
        var found: [Hitting] = []
        var looks = 0
        for change in changes {
            guard let after = change.after else { continue }
            guard looks <= Self.mostLooks else { break }
            let search = collisions.search(after)
            looks += search.looks
            guard !search.hits.isEmpty else { continue }
            found.append(
                Hitting(before: change.before, thing: after, others: search.hits.sorted()))
        }
        guard looks > Self.mostLooks || !found.isEmpty else { return }
        // Undo the changes for a moment rather than copy the plan, because copying takes time in
        // proportion to its size.
        for change in changes.reversed { collisions.apply(change) }
        var new: [Hitting] = []
        for var hitting in found {
            // A new thing has hit nothing before.
            if let before = hitting.before {
                guard looks <= Self.mostLooks else { continue }
                let known = collisions.search(before)
                looks += known.looks
                hitting.others.removeAll(where: Set(known.hits).contains)
            }
            if !hitting.others.isEmpty { new.append(hitting) }
        }
        for change in changes { collisions.apply(change) }
        guard looks <= Self.mostLooks || !new.isEmpty else {
            throw .conflict(
                "too many things stand in or near each other here; change fewer at once, or force "
                    + "it")
        }
        try refuse(new, areAll: looks <= Self.mostLooks)
    }

    /// Refuses things that hit what they didn't hit before.
    /// - Parameter areAll: false when there may be more of them.
    private func refuse(_ hitting: [Hitting], areAll: Bool) throws(Refusal) {
        guard let first = hitting.first, let other = plan.item(first.others[0]) else { return }
        let collision = first.thing.collision(with: other)
        // The collision already names what the first one hits.
        let rest = hitting.dropFirst().filter { $0.others != [first.thing.id] }.map(\.thing.words)
        guard let last = rest.last else { throw .conflict(collision) }
        var named = rest.prefix(Self.mostNamed - 1)
        var end = last
        if rest.count > Self.mostNamed {
            end = "\(areAll ? "" : "at least ")\(rest.count - named.count) more"
        } else {
            named = rest.dropLast()
        }
        let list = named.isEmpty ? end : "\(named.joined(separator: ", ")) and \(end)"
        throw .conflict("\(collision); \(list) would hit something too")
    }
}

extension PlanItem {
    /// The thing on the floor: an element or a wall.
    var outline: ConvexPolygon? {
        switch item {
        case .element(let element): element.outline
        case .wall(let wall): wall.rectangle.outline
        default: nil
        }
    }

    /// Says that this one would overlap the other, and how to avoid that.
    fileprivate func collision(with other: PlanItem) -> String {
        guard let outline, let hit = other.outline, let overlap = Overlap(outline, hit) else {
            return "\(words) would hit \(other.words)"
        }
        let way = overlap.direction * overlap.depth
        let (x, y) = (Self.away(way.x), Self.away(way.y))
        return "\(words) would stand \(Int(overlap.depth.rounded(.up))) mm in \(other.words); "
            + "moved by (\(x), \(y)) mm it doesn't, or force it"
    }

    /// Rounds a distance up, because a millimetre too far is better than too short.
    private static func away(_ way: Double) -> Int {
        abs(way) < 1e-6 ? 0 : Int(way.rounded(.awayFromZero))
    }
}

/// Rooms that overlap: allowed, because a plan may be drawn step by step, but worth a warning.
extension PlanEditor {
    /// Rooms that overlap by at most this, in square millimetres, count as adjacent: for rooms
    /// drawn to the middle of a wall, that is a centimetre over five metres.
    private static let leastOverlap = 50_000.0

    /// The rooms that overlap more than before. No more are searched for than are reported.
    private mutating func overlaps(by changes: [ItemChange]) -> [String] {
        var moved: [Room] = []
        // Their earlier outlines; none when they are new.
        var former: [String: Polygon] = [:]
        for change in changes {
            guard case .room(let room) = change.after?.item else { continue }
            former[room.id] = Polygon([])
            if case .room(let old) = change.before?.item { former[room.id] = old.polygon }
            if former[room.id] != room.polygon { moved.append(room) }
        }
        guard !moved.isEmpty else { return [] }
        let rooms = plan.rooms.values.map { (room: $0, outline: $0.polygon) }
        var index = SpatialIndex(cell: 4_000)
        for (number, room) in rooms.enumerated() { index.put(number, at: room.outline.bounds) }
        var pairs: Set<[String]> = []
        var warnings: [String] = []
        for room in moved {
            let outline = room.polygon
            var near: [Int] = []
            index.forEach(meeting: outline.bounds) { near.append($0) }
            for (other, others) in near.map({ rooms[$0] }) where other.id != room.id {
                guard warnings.count < Self.mostWarnings, effort < mostEffort else {
                    return warnings.sorted()
                }
                let sides = outline.corners.count + others.corners.count
                // A strip at each corner and wherever two sides cross.
                effort += Self.changeEffort + sides * sides
                let area = outline.commonArea(with: others)
                guard area > Self.leastOverlap, pairs.insert([room.id, other.id].sorted()).inserted
                else { continue }
                let before = (former[room.id] ?? outline)
                    .commonArea(with: former[other.id] ?? others)
                guard area > before + Self.leastOverlap else { continue }
                let names = [room, other].sorted { $0.id < $1.id }
                    .map { PlanItem(item: .room($0)).words }
                let squareMetres = (area / 100_000).rounded() / 10
                warnings.append("\(names[0]) and \(names[1]) overlap by \(squareMetres) m²")
            }
        }
        return warnings.sorted()
    }
}

extension PlanEditor {
    /// The ids of what a thing hits, sorted.
    package func hits(of item: PlanItem) -> [String] { collisions.hits(of: item) }
}
