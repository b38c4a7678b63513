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

    /// The space beside a door; nil if that side is outside the plan.
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
        let out = doorway.out(left: left)
        let direction = towardsEnd ? doorway.along : -doorway.along
        let half = Double(opening.width) / 2
        let leaf = opening.leafWidth.map(Double.init) ?? 2 * (half - Self.frameSide)
        let edge = max(half - max(leaf / 2, 0), 0)
        let floor = RoomFloor(room, in: layout)
        let depth = rule.depth ?? Self.usualDepth
        let isLeftOfDirection = direction.left.dot(out) > 0
        let near = View.leaning
        let view = View(
            direction: direction,
            origin: doorway.place(beyond: 0, left: left) + direction * half,
            band: isLeftOfDirection ? near...max(depth, near) : min(-depth, -near)...(-near))
        // The door isn't an obstacle to itself.
        let obstacles = floor.obstacles(terms, for: .reaching, closed: opening.id)
        let extent = view.extent(in: floor.outline, obstacles)
        let noun = rule.measure.noun
        return length(
            noun, extent + edge, atLeast: rule.atLeast ?? 0,
            at: view.origin + out * (depth / 2),
            more: opening.leafWidth == nil ? Self.leafUncertainty : 0)
    }

    /// Whether a door opens out of the rooms that a rule applies to.
    func swing(_ rule: Rule, _ doorway: Doorway, in layout: PlanLayout) -> Assessment {
        let into = doorway.swingsLeft.flatMap { $0 ? doorway.rooms.left : doorway.rooms.right }
            .flatMap { layout.plan.rooms[$0] }
        let isInto = into.map { rule.rooms?.contains($0.use) ?? true } ?? false
        return Assessment(
            at: doorway.middle, verdict: isInto ? .fail : .pass, tolerance: 0,
            required: phrases.say(.outward),
            text: [Said(isInto ? .opensInward : .opensOutward)])
    }
}
