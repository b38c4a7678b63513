import Messages

/// How large something is if its catalogue doesn't give its size: from half to twice what was
/// guessed from its class or another measure.
package enum GuessedSize: Sendable {
    case least, most
}

extension Element {
    /// True if its size is a guess. A wheelchair is in nobody's way, and a ramp of unknown size
    /// makes up for no threshold: see ``RampDoubt/size``.
    package var isGuessed: Bool {
        product?.sizeEstimated == true && kind != .wheelchair && aidRole != .ramp
    }

    /// How far from the outline of a room something stands at a wall, in millimetres.
    private static let atWall = 50.0

    /// The same, as small or as large as it may be. What stands at a wall of its room stays there,
    /// and nothing becomes larger than its room allows.
    fileprivate func sized(_ size: GuessedSize, in room: Polygon?) -> Element {
        var element = self
        let across = Vector(angle: turn)
        let (half, halfDepth) = (Double(width) / 2, Double(depth) / 2)
        let x = stretch(size, across, half: half, beside: across.left * halfDepth, in: room)
        let y = stretch(
            size, across.left, half: halfDepth, beside: across * half, in: room)
        element.centre = PlanPoint(
            place + across * ((x.upperBound + x.lowerBound) / 2)
                + across.left * ((y.upperBound + y.lowerBound) / 2))
        element.width = UInt32(clamping: Int64((x.upperBound - x.lowerBound).rounded()))
        element.depth = UInt32(clamping: Int64((y.upperBound - y.lowerBound).rounded()))
        (element.width, element.depth) = (max(element.width, 1), max(element.depth, 1))
        return element
    }

    /// What it covers from its centre along one of its axes at that size.
    private func stretch(
        _ size: GuessedSize, _ axis: Vector, half: Double, beside: Vector, in room: Polygon?
    ) -> ClosedRange<Double> {
        func gap(_ direction: Vector) -> Double {
            guard let room else { return .infinity }
            let ways = [-0.9, 0, 0.9].map { room.way(from: place + beside * $0, direction) }
            return max((ways.min() ?? .infinity) - half, 0)
        }
        let (behind, ahead) = (gap(-axis), gap(axis))
        switch size {
        case .least:
            guard min(behind, ahead) <= Self.atWall else { return -half / 2...half / 2 }
            return behind <= ahead ? -half...0 : 0...half
        case .most:
            // Half of what is added is on each side, if there is room for it.
            let added = 2 * half
            let far = min(added - min(added / 2, behind), ahead)
            return -half - min(added - far, behind)...half + far
        }
    }
}

extension Polygon {
    /// The distance from a place to the outline in a direction, in millimetres; infinite if nothing
    /// is there.
    fileprivate func way(from place: Vector, _ direction: Vector) -> Double {
        var nearest = Double.infinity
        for side in sides {
            let across = direction.cross(side.along)
            guard abs(across) > 1e-9 else { continue }
            let offset = side.start - place
            let (far, share) = (
                offset.cross(side.along) / across, offset.cross(direction) / across
            )
            if far >= 0, (-1e-9...1 + 1e-9).contains(share) { nearest = min(nearest, far) }
        }
        return nearest
    }
}

extension Opening {
    /// True for a door with a leaf, unless somebody said both where its hinges are and to which
    /// side it swings.
    package var isUnhung: Bool { kind == .door && hungUnknown && !(hingesKnown && swingKnown) }

    /// The ways in which it may be hung, the drawn one first: four, two if somebody said where its
    /// hinges are or how it swings, and only the drawn one if it isn't a guess.
    package var hangings: [Opening] {
        guard isUnhung else { return [self] }
        let ways = [(false, false), (false, true), (true, false), (true, true)]
        return ways.filter { side, end in !(side && swingKnown) && !(end && hingesKnown) }
            .map { side, end in
                var hung = self
                if side { hung.swingsRight.toggle() }
                if end { hung.hingesAtEnd.toggle() }
                return hung
            }
    }

    /// The same, hung as somebody says. What they don't say stays a guess if it was one.
    package func hung(hingesAtEnd end: Bool?, swingsRight right: Bool?) -> Opening {
        var hung = self
        if let end { (hung.hingesAtEnd, hung.hingesKnown) = (end, true) }
        if let right { (hung.swingsRight, hung.swingKnown) = (right, true) }
        guard hung.hungUnknown, !(hung.hingesKnown && hung.swingKnown) else {
            (hung.hungUnknown, hung.hingesKnown, hung.swingKnown) = (false, false, false)
            return hung
        }
        return hung
    }
}

extension PlanItem {
    /// True for an element whose size is a guess, and for a door if how it is hung is a guess.
    package var isGuessed: Bool {
        switch item {
        case .element(let element): element.isGuessed
        case .opening(let opening): opening.isUnhung
        default: false
        }
    }

    /// The same, but covering all that it may cover if its size is a guess.
    package var outermost: PlanItem {
        guard case .element(var element) = item, element.isGuessed else { return self }
        element.width = UInt32(clamping: 3 * UInt64(element.width))
        element.depth = UInt32(clamping: 3 * UInt64(element.depth))
        return PlanItem(item: .element(element))
    }

    /// The same, as small or as large as it may be in a plan.
    package func sized(_ size: GuessedSize, in plan: FloorPlan) -> PlanItem {
        guard case .element(let element) = item, element.isGuessed else { return self }
        let room = plan.rooms.values.filter { $0.polygon.contains(element.place) }
            .min { $0.id < $1.id }
        return PlanItem(item: .element(element.sized(size, in: room?.polygon)))
    }
}

extension FloorPlan {
    /// True if the size of something is a guess, or how a door is hung.
    package var hasGuesses: Bool {
        elements.values.contains(where: \.isGuessed)
            || openings.values.contains(where: \.isUnhung)
    }

    /// The same, with each door whose hanging is a guess hung so that it opens as far as possible
    /// beside small things, or as little as possible beside large ones.
    package func supposed(_ size: GuessedSize) -> FloorPlan {
        var plan = sized(size)
        let doors = openings.values.filter(\.isUnhung)
        guard !doors.isEmpty else { return plan }
        let standing = plan.standingWalls
        var chosen: [String: (door: Opening, passage: UInt32)] = [:]
        for way in 0..<4 where !WorkLimit.isOver {
            // If one half of how a door is hung is known, each of its two ways is tried twice.
            let tried = doors.map { door in
                let ways = door.hangings
                return ways[way % ways.count]
            }
            for door in tried { plan.apply(ItemChange(after: PlanItem(item: .opening(door)))) }
            let stops = plan.doorStops(amongWalls: standing)
            for door in tried {
                let passage = stops[door.id]?.first?.passage ?? .max
                if let best = chosen[door.id]?.passage {
                    guard size == .least ? passage > best : passage < best else { continue }
                }
                chosen[door.id] = (door, passage)
            }
        }
        for (door, _) in chosen.values {
            plan.apply(ItemChange(after: PlanItem(item: .opening(door))))
        }
        return plan
    }

    /// The plan with all things of guessed size as small or as large as they may be.
    package func sized(_ size: GuessedSize) -> FloorPlan {
        var plan = self
        for element in elements.values where element.isGuessed && !WorkLimit.isOver {
            let item = PlanItem(item: .element(element))
            plan.apply(ItemChange(after: item.sized(size, in: self)))
        }
        return plan
    }
}
