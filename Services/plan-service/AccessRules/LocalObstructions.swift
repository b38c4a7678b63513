import FloorPlan
import Messages

/// The local obstructions of a hall, beside which it may be narrower, as in Approved Document M:
/// at most 2 m long and 150 mm deep (appendix A, key terms), neither opposite or close to a doorway
/// nor at a change of direction (2.22b, 3.24c).
///
/// The document has no number for what is close. Within 300 mm of a doorway an obstruction is close
/// to it, and obstructions less than 300 mm apart are one.
struct LocalObstructions {
    /// The ids of the elements that are local obstructions.
    let ids: Set<String>

    private static let longest = 2_000.0
    private static let deepest = 150 + 2 * FloorPlan.rounding
    private static let close = 300.0
    /// The least sine of the angle at an inner corner at which a hall turns: about 15 degrees.
    private static let bend = 0.26

    /// - Parameters:
    ///   - floor: that of the hall.
    ///   - terms: what counts as an obstacle.
    ///   - depth: how deep a part of the hall beside it has to be for the hall to turn there, in
    ///     millimetres.
    ///   - error: by how much they may be longer and deeper than drawn, and nearer to each other
    ///     and to doorways, in millimetres.
    init(
        _ floor: RoomFloor, _ terms: FloorTerms, turningInto depth: Double, off error: Double = 0
    ) {
        let hall = floor.outline.counterClockwise
        let shallow = floor.elements.filter { element in
            element.isSolid && element.elevation < terms.kneeHeight
                && Self.isShallow(element, in: hall, upTo: Self.deepest - error)
        }
        let mouths = Self.doors(of: floor) + Self.turns(of: hall, into: depth - error)
        let near = Self.close + error
        var ids: Set<String> = []
        for group in Self.groups(shallow, near)
        where Self.length(of: group) <= Self.longest - error {
            // What wasn't examined isn't local.
            if WorkLimit.isOver { break }
            let isLocal = group.allSatisfy { element in
                guard let wall = Self.wall(at: element, in: hall) else { return false }
                return !mouths.contains { Self.isClose(element, near, at: wall, to: $0, in: hall) }
            }
            if isLocal { ids.formUnion(group.map(\.id)) }
        }
        self.ids = ids
    }

    /// The surfaces of the doors.
    private static func doors(of floor: RoomFloor) -> [Segment] {
        floor.doorways.filter(\.opening.isPassable).map { doorway in
            let middle = floor.surface(of: doorway)
            let half = doorway.along * (Double(doorway.opening.width) / 2)
            return Segment(middle - half, middle + half)
        }
    }

    /// Where other parts of the hall begin: from each inner corner, the continuation of both its
    /// sides as far as the other side of the hall.
    private static func turns(of hall: Polygon, into depth: Double) -> [Segment] {
        let sides = hall.sides
        return sides.indices.flatMap { index -> [Segment] in
            let before = sides[(index + sides.count - 1) % sides.count].along.unit
            let after = sides[index].along.unit
            guard before.cross(after) < -bend else { return [] }
            let corner = sides[index].start
            // The wall is to the right of a side, and so is the other part of the hall beyond it.
            let parts = [(before, -before.left), (-after, -after.left)].map { onwards, behind in
                let mouth = Segment(
                    corner, corner + onwards * way(from: corner, onwards, in: sides))
                let middle = (mouth.start + mouth.end) * 0.5
                return (mouth: mouth, depth: way(from: middle, behind, in: sides))
            }
            // A niche isn't deep enough to turn into.
            return parts.allSatisfy { $0.depth >= depth } ? parts.map(\.mouth) : []
        }
    }

    /// How far it is from a place to the outline in a direction, in millimetres; 0 if nothing is
    /// there.
    private static func way(from place: Vector, _ direction: Vector, in sides: [Segment]) -> Double
    {
        var nearest = Double.infinity
        for side in sides {
            let across = direction.cross(side.along)
            guard abs(across) > 1e-9 else { continue }
            let offset = side.start - place
            let far = offset.cross(side.along) / across
            let share = offset.cross(direction) / across
            if far > 1, share > -1e-9, share < 1 + 1e-9 { nearest = min(nearest, far) }
        }
        return nearest.isFinite ? nearest : 0
    }

    /// The side of a hall at which an element stands.
    private static func wall(at element: Element, in hall: Polygon) -> Segment? {
        let place = element.place
        return hall.sides.filter { $0.length > 0 }
            .min { $0.distance(to: place) < $1.distance(to: place) }
    }

    /// True if an element stands along a wall and hardly out of it. It isn't enough that all its
    /// corners are near walls: the middle of what stands across a corner of the hall is near none.
    private static func isShallow(
        _ element: Element, in hall: Polygon, upTo deepest: Double
    ) -> Bool {
        guard let wall = wall(at: element, in: hall) else { return false }
        let along = wall.along.unit
        return element.outline.corners.allSatisfy { corner in
            abs(along.cross(corner - wall.start)) <= deepest
                && hall.distanceToOutline(from: corner) <= deepest
        }
    }

    /// True if an element at a wall is opposite or close to a doorway, or to where the hall turns.
    private static func isClose(
        _ element: Element, _ close: Double, at wall: Segment, to mouth: Segment, in hall: Polygon
    ) -> Bool {
        let along = wall.along.unit
        let own = element.outline.corners.map { $0.dot(along) }
        let other = [mouth.start.dot(along), mouth.end.dot(along)]
        guard (own.min() ?? 0) - close < (other.max() ?? 0),
            (other.min() ?? 0) < (own.max() ?? 0) + close
        else { return false }
        // Only if the hall leads straight from one to the other: from the middle or an end of the
        // element, for something may stand between the doorway and its middle. The middle of what
        // is partly in the wall may be there too.
        let inside = (element.place - wall.start).dot(along.left)
        let half = max(((own.max() ?? 0) - (own.min() ?? 0)) / 2 - 10, 0)
        return [0, -half, half].contains { aside in
            let place = element.place + along * aside + along.left * max(10 - inside, 0)
            let nearest = mouth.nearest(to: place)
            return stride(from: 0.1, through: 0.9, by: 0.1).allSatisfy {
                hall.contains(nearest + (place - nearest) * $0)
            }
        }
    }

    /// The elements by what stands so close together that it is one obstruction.
    private static func groups(_ elements: [Element], _ close: Double) -> [[Element]] {
        let outlines = elements.map(\.outline)
        var groups = Array(elements.indices)
        for first in elements.indices where !WorkLimit.isOver {
            let near = outlines[first].polygon.bounds.grown(by: close)
            for second in elements.indices.dropFirst(first + 1)
            where groups[first] != groups[second] {
                guard near.meets(outlines[second].polygon.bounds),
                    gap(outlines[first], outlines[second]) < close
                else { continue }
                let joined = groups[second]
                for index in groups.indices where groups[index] == joined {
                    groups[index] = groups[first]
                }
            }
        }
        return Dictionary(grouping: elements.indices) { groups[$0] }.values.map { group in
            group.map { elements[$0] }
        }
    }

    /// How far two outlines are apart, in millimetres; 0 if they overlap.
    private static func gap(_ first: ConvexPolygon, _ second: ConvexPolygon) -> Double {
        guard Overlap(first, second, tolerance: 0) == nil else { return 0 }
        let ways =
            first.corners.map { second.polygon.distanceToOutline(from: $0) }
            + second.corners.map { first.polygon.distanceToOutline(from: $0) }
        return ways.min() ?? .infinity
    }

    /// The greatest length of a group along the longer side of one of its elements, in millimetres.
    private static func length(of group: [Element]) -> Double {
        let corners = group.flatMap(\.outline.corners)
        return group.reduce(0) { length, element in
            let across = Vector(angle: element.turn)
            let along = element.width >= element.depth ? across : across.left
            let ways = corners.map { $0.dot(along) }
            // A millionth of a millimetre is an error of the angle.
            return max(length, (ways.max() ?? 0) - (ways.min() ?? 0) - 1e-6)
        }
    }
}
