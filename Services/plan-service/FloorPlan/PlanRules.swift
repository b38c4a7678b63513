import Bisection
import Messages

/// The rules that every plan satisfies. A refusal names the item that breaks the rule, and the fix.
extension FloorPlan {
    /// The maximum distance from the origin, in millimetres: a kilometre.
    package static let farthest: Int32 = 1_000_000
    /// The maximum size of anything, in millimetres.
    package static let largest: UInt32 = 200_000

    /// How far an opening may extend beyond its wall, in millimetres: corners are rounded to the
    /// millimetre, so a turned wall may be shorter by up to the diagonal of a square millimetre.
    package static let rounding = 1.5

    /// Validates items as part of this plan.
    func validate(_ items: some Sequence<PlanItem>) throws(Refusal) {
        var openings: [String: Set<String>] = [:]
        for item in items {
            try validateAlone(item)
            guard case .opening(let opening) = item.item else { continue }
            openings[opening.wall, default: []].insert(opening.id)
        }
        for (wall, ids) in openings.sorted(by: { $0.key < $1.key }) {
            guard let (first, second) = overlap(in: wall) else { continue }
            // Report that the new opening overlaps the existing one.
            let (new, other) = ids.contains(second.id) ? (second, first) : (first, second)
            throw .conflict(
                "\(PlanItem(item: .opening(new)).words) would overlap "
                    + "\(PlanItem(item: .opening(other)).words), which goes from \(other.offset) "
                    + "to \(other.endOffset) mm")
        }
    }

    /// Validates an item, apart from overlaps between openings: ``overlap(in:)`` finds those for a
    /// whole plan without comparing each opening with all others in its wall.
    package func validateAlone(_ item: PlanItem) throws(Refusal) {
        switch item.item {
        case .wall(let wall): try validate(wall)
        case .opening(let opening): try validate(opening)
        case .room(let room): try validate(room)
        case .element(let element): try validate(element)
        case nil: throw .invalid("a thing without a kind can't be drawn")
        }
    }

    private func validate(_ wall: Wall) throws(Refusal) {
        let name = PlanItem(item: .wall(wall)).words
        try validate(wall.from, name)
        try validate(wall.to, name)
        guard wall.length >= 1 else { throw .invalid("\(name) has no length") }
        guard wall.thickness <= 2_000, wall.height <= Self.largest else {
            throw .invalid("\(name) is thicker than 2 m or higher than 200 m")
        }
        for opening in openings(in: wall.id) {
            let hole = PlanItem(item: .opening(opening)).words
            guard opening.offset < .max else {
                throw .conflict(
                    "\(name) would begin past the start of \(hole); move or remove it first")
            }
            guard Double(opening.endOffset) <= wall.length + Self.rounding else {
                throw .conflict(
                    "\(name) would be \(Int(wall.length)) mm long and \(hole) reaches to "
                        + "\(opening.endOffset) mm; move or remove it first")
            }
            guard wall.height == 0 || opening.top <= wall.height else {
                throw .conflict("\(name) would be lower than \(hole)")
            }
        }
    }

    private func validate(_ opening: Opening) throws(Refusal) {
        let name = PlanItem(item: .opening(opening)).words
        guard let wall = walls[opening.wall] else {
            throw .notFound("\(name) needs a wall, and \(opening.wall) isn't one")
        }
        guard (1...Self.largest).contains(opening.width), opening.height <= Self.largest,
            opening.sill <= Self.largest, opening.threshold <= Self.largest
        else {
            throw .invalid("\(name) needs a width of 1 mm to 200 m, and no height above 200 m")
        }
        let length = Int(wall.length)
        guard Double(opening.endOffset) <= wall.length + Self.rounding else {
            throw .invalid(
                "\(name) would reach to \(opening.endOffset) mm of \(wall.words), which is "
                    + "\(length) mm long; the largest offset is "
                    + "\(max(length - Int(opening.width), 0)) mm")
        }
        guard wall.height == 0 || opening.top <= wall.height else {
            throw .invalid("\(name) is higher than its wall, \(wall.height) mm")
        }
        guard max(opening.clearWidth ?? 0, opening.leafWidth ?? 0) <= opening.width else {
            throw .invalid(
                "\(name) can't have a leaf or free width wider than its hole, "
                    + "\(opening.width) mm")
        }
    }

    /// Two overlapping openings of a wall, the one nearer to its start first; nil if none overlap.
    package func overlap(in wall: String) -> (Opening, Opening)? {
        // The openings before the present one, from the lowest up. None of them overlap, so an
        // opening that overlaps the present one is its neighbour among those that extend as far.
        var stack: [Opening] = []
        for opening in openings(in: wall) {
            var place = stack.bisect { $0.sill >= opening.sill }
            while place > 0, stack[place - 1].endOffset <= opening.offset {
                place -= 1
                stack.remove(at: place)
            }
            while place < stack.count, stack[place].endOffset <= opening.offset {
                stack.remove(at: place)
            }
            if place > 0, !stack[place - 1].isBelow(opening) { return (stack[place - 1], opening) }
            if place < stack.count, !opening.isBelow(stack[place]) {
                return (stack[place], opening)
            }
            stack.insert(opening, at: place)
        }
        return nil
    }

    private func validate(_ room: Room) throws(Refusal) {
        let name = PlanItem(item: .room(room)).words
        guard room.corners.count >= 3, room.corners.count <= 200 else {
            throw .invalid("\(name) has \(room.corners.count) corners; it needs 3 to 200")
        }
        for corner in room.corners { try validate(corner, name) }
        guard room.height <= Self.largest else { throw .invalid("\(name) is higher than 200 m") }
        guard room.polygon.area >= 10_000 else {
            throw .invalid("\(name) is smaller than 0.01 m²")
        }
        guard !room.polygon.crossesItself else {
            throw .invalid("the outline of \(name) crosses itself; give its corners in order")
        }
    }

    private func validate(_ element: Element) throws(Refusal) {
        let name = PlanItem(item: .element(element)).words
        try validate(element.centre ?? PlanPoint(), name)
        let sizes = [element.width, element.depth]
        guard sizes.allSatisfy({ (1...Self.largest).contains($0) }),
            element.height <= Self.largest, element.elevation <= Self.largest
        else {
            throw .invalid("\(name) needs a width and a depth of 1 mm to 200 m")
        }
        guard element.angle < 360_000 else {
            throw .invalid("the angle of \(name) isn't between 0 and 359.999 degrees")
        }
        guard let chair = element.wheelchair else { return }
        guard max(chair.turningDiameter, chair.axleFromRear) <= Self.largest else {
            throw .invalid("\(name) has a turning circle, or an axle, of more than 200 m")
        }
        try chair.validatePerson(name)
    }

    private func validate(_ place: PlanPoint, _ name: String) throws(Refusal) {
        let allowed = -Self.farthest...Self.farthest
        guard allowed.contains(place.x), allowed.contains(place.y) else {
            throw .invalid("\(name) would be farther than 1 km from the plan's origin")
        }
    }
}

extension Wheelchair {
    /// Refuses what no person needs: more than 1 m for the hands, or 2 m behind or before a chair.
    package func validatePerson(_ name: String) throws(Refusal) {
        guard hands <= 1_000, assistant <= 2_000, legRests <= 2_000 else {
            throw .invalid(
                "\(name) has more than 1 m for hands, or 2 m for an assistant or leg rests")
        }
    }
}

extension Opening {
    /// The height of its upper edge above the floor; its sill if its height is unknown.
    var top: UInt32 { sill &+ height }

    /// True if it certainly ends below another in the same wall.
    func isBelow(_ other: Opening) -> Bool { height > 0 && top <= other.sill }
}

extension Wall {
    var words: String { PlanItem(item: .wall(self)).words }
}
