import FloorPlan
import Messages

/// The ramps that would make up for a threshold, on each side that has no good one. They are level
/// with it, at least as wide as the door and the limits ask, and as short as the limits allow.
struct RampRepair {
    /// The measures of each ramp, in millimetres.
    let width: UInt32
    let length: UInt32
    let height: UInt32
    /// The ramps to add and, where they replace others, those to remove.
    let changes: [ItemChange]
    /// The room on each side that gets one; nil outside.
    let rooms: [Room?]

    /// Nil if there is no threshold, no room for the ramps, or no single ramp may climb that high.
    /// - Parameters:
    ///   - door: the door with the threshold.
    ///   - layout: all of the plan, because a ramp may extend far from its door.
    ///   - limits: what ramps have to be like.
    ///   - least: the minimum width, in millimetres.
    init?(
        _ door: Opening, in layout: PlanLayout, _ limits: RampLimits, atLeast least: UInt32 = 0
    ) {
        guard door.rise > 0, let doorway = layout.doorway(door.id),
            let length = limits.length(for: door.rise)
        else { return nil }
        let poor = layout.sides(of: door, limits).filter { $0.surely > 0 }
        guard !poor.isEmpty else { return nil }
        (width, height) = (max(door.rampWidth, limits.width, least), door.rise)
        self.length = length
        var (changes, rooms): ([ItemChange], [Room?]) = ([], [])
        for side in poor {
            let place = RampPlace(door, in: doorway.wall, isLeft: side.isLeft)
            let ramp = Element(
                id: "\(door.id)/ramp/\(side.isLeft)", kind: .aid,
                centre: PlanPoint(place.face + place.out * (Double(length) / 2)), width: width,
                depth: length, height: height, angle: Self.angle(of: place.along),
                aidClass: "183015")
            let room = (side.isLeft ? doorway.rooms.left : doorway.rooms.right)
                .flatMap { layout.plan.rooms[$0] }
            guard layout.plan.item(ramp.id) == nil,
                layout.isFree(ramp, in: room, without: poor.compactMap(\.ramp?.id))
            else { return nil }
            if let old = side.ramp {
                changes.append(ItemChange(before: PlanItem(item: .element(old))))
            }
            changes.append(ItemChange(after: PlanItem(item: .element(ramp))))
            rooms.append(room)
        }
        (self.changes, self.rooms) = (changes, rooms)
    }

    /// A direction in thousandths of a degree.
    private static func angle(of direction: Vector) -> UInt32 {
        let angle = Int((direction.angle / .pi * 180_000).rounded())
        return UInt32((angle % 360_000 + 360_000) % 360_000)
    }
}

extension PlanLayout {
    /// True if nothing stands or lies where a ramp would lie, and all of it is in its room, or in
    /// none.
    /// - Parameter replaced: the ids of the ramps that make way for it.
    fileprivate func isFree(
        _ ramp: Element, in room: Room?, without replaced: [String]
    ) -> Bool {
        let outline = ramp.outline
        let things = elements(meeting: outline.bounds).compactMap { plan.elements[$0] }
            .filter { thing in
                thing.aidRole == .ramp
                    ? !replaced.contains(thing.id)
                    : thing.isSolid && thing.kind != .wheelchair
            }
        let pieces = walls(meeting: outline.bounds).compactMap { plan.walls[$0] }
            .flatMap { $0.pieces(between: []) }
        let isTaken = (things.map(\.outline) + pieces).contains { Overlap(outline, $0) != nil }
        guard !isTaken else { return false }
        guard let room else { return isOutside(ramp) }
        let floor = room.polygon
        return outline.corners.allSatisfy {
            floor.contains($0) || floor.distanceToOutline(from: $0) <= Overlap.tolerance
        }
    }
}
