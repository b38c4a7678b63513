import FloorPlan
import Messages
import Phrases

/// The rules about the floor beside a door.
extension Judge {
    /// How far the space beside a door extends from the wall if no number is given, in millimetres:
    /// the length of a chair's arm.
    static let usualDepth = 300.0
    /// The width of a frame at each side of an opening, in millimetres.
    static let frameSide: Double = 40

    /// The places beside a door.
    enum Beside {
        /// At the handle, on the side that the door opens to.
        case pull
        /// At the handle, on the other side.
        case push
        /// At the hinges, on the side that the door opens to.
        case hinges
    }

    /// The space beside a door; nil if that side is outside the plan, or nothing swings there.
    func space(
        _ beside: Beside, _ rule: Rule, _ terms: FloorTerms, _ doorway: Doorway,
        in layout: PlanLayout
    ) -> Assessment? {
        guard let swingsLeft = doorway.swingsLeft else { return nil }
        let left = beside == .push ? !swingsLeft : swingsLeft
        guard let id = left ? doorway.rooms.left : doorway.rooms.right,
            let room = layout.plan.rooms[id]
        else { return nil }
        let opening = doorway.opening
        // The handle is at the end of the opening without hinges.
        let towardsEnd = opening.hingesAtEnd == (beside == .hinges)
        let place = DoorFloor(
            doorway, isLeft: left, along: towardsEnd ? doorway.along : -doorway.along,
            RoomFloor(room, in: layout))
        return allow(forHeightsOf: terms, on: place.floor) { terms in
            allow(forThingsAside: { space(rule, terms, place, off: $0) })
        }
    }

    private func space(
        _ rule: Rule, _ terms: FloorTerms, _ place: DoorFloor, off error: Double
    ) -> Assessment {
        // The door isn't an obstacle to itself.
        let obstacles = place.floor.obstacles(
            terms, for: .reaching, closed: place.doorway.opening.id)
        let depth = rule.depth ?? Self.usualDepth
        let found = space(rule, place, upTo: depth, off: error, obstacles)
        return rule.alongDepth.map { least in
            approached(
                rule, place, obstacles, straight: found, upTo: depth, along: least, off: error)
        } ?? found
    }

    /// The space beside a door as far as a distance from the wall.
    private func space(
        _ rule: Rule, _ place: DoorFloor, upTo depth: Double, off error: Double,
        _ obstacles: [ConvexPolygon]
    ) -> Assessment {
        let view = place.beside(upTo: depth, off: error)
        let extent = view.extent(in: place.floor.outline, obstacles)
        return length(
            rule.measure.noun, extent + place.edge, atLeast: rule.atLeast ?? 0,
            at: view.origin + place.out * (depth / 2),
            more: place.doorway.opening.leafWidth == nil ? Opening.leafUncertainty : 0)
    }

    /// The same where someone may come along the wall, too: uncertain if nobody can come straight
    /// to the door, for a plan doesn't say which way they come. It fails if there is too little
    /// space for any way.
    private func approached(
        _ rule: Rule, _ place: DoorFloor, _ obstacles: [ConvexPolygon], straight: Assessment,
        upTo depth: Double, along least: Double, off error: Double
    ) -> Assessment {
        let before = place.before(off: error).extent(in: place.floor.outline, obstacles)
        let isFree =
            Self.verdict(Self.whole(before) - Int32(depth), tolerance: tolerance) == .pass
        if isFree, straight.verdict != .fail { return straight }
        var found = space(rule, place, upTo: least, off: error, obstacles)
        guard found.verdict != .fail else { return found }
        (found.verdict, found.measured, found.margin) = (.uncertain, nil, nil)
        found.text = [
            Said(
                .straightBlocked,
                ["depth": .number(Int(depth)), "clause": .text(rule.clause)])
        ]
        return found
    }

    /// Whether a door opens out of the rooms that a rule applies to; nil for an opening without a
    /// leaf.
    func swing(_ rule: Rule, _ doorway: Doorway, in layout: PlanLayout) -> Assessment? {
        guard doorway.opening.isDoor else { return nil }
        let into = doorway.swingsLeft.flatMap { $0 ? doorway.rooms.left : doorway.rooms.right }
            .flatMap { layout.plan.rooms[$0] }
        let isInto = into.map { rule.rooms?.contains($0.use) ?? true } ?? false
        return Assessment(
            at: doorway.middle, verdict: isInto ? .fail : .pass, tolerance: 0,
            required: phrases.say(.outward),
            text: [Said(isInto ? .opensInward : .opensOutward)])
    }
}

/// The floor on one side of a door, before it and towards one of its ends.
private struct DoorFloor {
    let doorway: Doorway
    let floor: RoomFloor
    /// The direction away from the wall.
    let out: Vector
    /// The direction along the wall, towards the end of the opening that counts.
    private let along: Vector
    /// The middle of the door on the surface of the wall.
    private let middle: Vector

    /// How much less deep than required a space may be, in millimetres: the accuracy of computed
    /// measures.
    private static let exactness = 0.01

    init(_ doorway: Doorway, isLeft: Bool, along: Vector, _ floor: RoomFloor) {
        self.doorway = doorway
        self.floor = floor
        self.along = along
        out = doorway.out(left: isLeft)
        middle = doorway.place(beyond: 0, left: isLeft)
    }

    /// Half the width of the opening, in millimetres.
    private var half: Double { Double(doorway.opening.width) / 2 }

    /// Half the width of the leaf, in millimetres. One that wasn't measured is at least as wide as
    /// the clear width, if that was.
    private var halfLeaf: Double {
        let (width, isMeasured) = doorway.opening.passage
        let least = isMeasured ? Double(width) : 0
        let leaf =
            doorway.opening.leafWidth.map(Double.init) ?? max(2 * (half - Judge.frameSide), least)
        return max(leaf / 2, 0)
    }

    /// The width of the frame at each side, in millimetres.
    var edge: Double { max(half - halfLeaf, 0) }

    /// The view along the wall from the end of the opening, as far as a distance from the wall.
    /// - Parameter error: by how much things may be off across the view, in millimetres.
    func beside(upTo depth: Double, off error: Double) -> View {
        let near = View.leaning
        let far = max(depth - Self.exactness, near)
        let isLeft = along.left.dot(out) > 0
        // The wall of the door stands still.
        return View(
            direction: along, origin: middle + along * half,
            band: isLeft ? near...far : -far...(-near),
            aside: isLeft ? (lower: 0, upper: error) : (lower: error, upper: 0))
    }

    /// The view away from the wall, over the width of the leaf.
    /// - Parameter error: by how much things may be off across the view, in millimetres.
    func before(off error: Double) -> View {
        let wide = max(min(halfLeaf, half) - View.touch, View.touch)
        return View(
            direction: out, origin: floor.surface(of: doorway), band: -wide...wide,
            aside: (lower: error, upper: error))
    }
}
