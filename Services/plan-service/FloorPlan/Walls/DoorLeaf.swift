import Foundation
import Messages

/// The leaf of a hinged door: a line about its hinges, which are at the wall's surface on the side
/// that it opens to. A frame is assumed to be equally wide on both sides of the leaf.
package struct DoorLeaf: Sendable {
    /// Where it hangs.
    package let hinges: Vector
    /// The direction from the hinges when it is shut, one millimetre long.
    package let shut: Vector
    /// The direction from the hinges when it is open by a right angle, one millimetre long.
    package let open: Vector
    /// Its width, in millimetres; that of the opening if the leaf's isn't known.
    package let width: Double
    /// The heights that it covers.
    private let heights: Range<UInt32>

    /// The height of a door whose height isn't known, in millimetres.
    private static let usualHeight: UInt32 = 2_000

    /// Nil if the opening has no leaf on hinges.
    package init?(of opening: Opening, in wall: Wall) {
        guard opening.kind == .door else { return nil }
        let along = wall.line.along.unit
        let leaf = min(opening.leafWidth ?? opening.width, opening.width)
        let frame = Double(opening.width - leaf) / 2
        let offset =
            opening.hingesAtEnd
            ? Double(opening.endOffset) - frame : Double(opening.offset) + frame
        open = opening.swingsRight ? -along.left : along.left
        shut = opening.hingesAtEnd ? -along : along
        hinges = wall.line.start + along * offset + open * (Double(wall.thickness) / 2)
        width = Double(leaf)
        let top = opening.height > 0 ? opening.height : Self.usualHeight
        heights = 0..<max(top, 1)
    }

    /// The number of sides that stand for the arc of the floor that it sweeps.
    private static let sides = 48

    /// An outline around the floor that it sweeps, a quarter of a circle. No point of the quarter
    /// is outside; a corner is at most 0.14 thousandths of the width beyond the arc, and the
    /// outline touches the arc where the leaf is shut and where it is open.
    package var swept: ConvexPolygon {
        let step = Double.pi / 2 / Double(Self.sides)
        let reach = width / cos(step / 2)
        let arc = (0..<Self.sides).map { side in
            let turn = Vector(angle: (Double(side) + 0.5) * step)
            return hinges + shut * (reach * turn.x) + open * (reach * turn.y)
        }
        let corners = [hinges, hinges + shut * width] + arc + [hinges + open * width]
        return ConvexPolygon(
            counterClockwise: shut.cross(open) > 0 ? corners : corners.reversed())
    }

    /// True if it covers a height at which an element is.
    package func isLevel(with element: Element) -> Bool { heights.overlaps(element.span) }

    /// The direction from the hinges at an angle from shut, in radians, one millimetre long.
    func direction(at angle: Double) -> Vector {
        let turn = Vector(angle: angle)
        return shut * turn.x + open * turn.y
    }

    /// A place as seen from the hinges, with the shut leaf along x.
    func local(_ place: Vector) -> Vector {
        let way = place - hinges
        return Vector(way.dot(shut), way.dot(open))
    }

    /// The angle from shut at which it meets an outline, in radians; nil if it opens by a right
    /// angle before that. Touching isn't meeting.
    package func stop(at outline: ConvexPolygon) -> Double? {
        let corners = outline.corners.map(local)
        var least = Double.infinity
        var previous = corners[corners.count - 1]
        for corner in corners {
            least = min(least, Self.angle(from: previous, to: corner, radius: width))
            previous = corner
        }
        if outline.depth(of: hinges) > 0 { least = 0 }
        return Self.early(least)
    }

    /// The same for a straight line, and a leaf that may be narrower.
    func stop(at line: Segment, width: Double) -> Double? {
        Self.early(Self.angle(from: local(line.start), to: local(line.end), radius: width))
    }

    /// The angle; nil if it isn't below a right angle.
    private static func early(_ angle: Double) -> Double? {
        angle < .pi / 2 - 1e-9 ? angle : nil
    }

    /// The least angle at which a leaf of this width meets a side; infinite if it doesn't. The
    /// angle changes in one direction along a side, so that it is least at one of its ends: a
    /// corner, or where the side enters the quarter of the circle.
    private static func angle(from: Vector, to: Vector, radius: Double) -> Double {
        inside(from: from, to: to, radius: radius).reduce(Double.infinity) { least, share in
            let place = from + (to - from) * share
            return min(least, atan2(max(place.y, 0), place.x))
        }
    }

    /// The ends of the part of a side that is within the radius and not behind the leaf's wall, as
    /// shares of the side; empty if there is none.
    private static func inside(from: Vector, to: Vector, radius: Double) -> [Double] {
        let way = to - from
        var (low, high) = (0.0, 1.0)
        if way.y == 0 {
            guard from.y >= 0 else { return [] }
        } else {
            let share = -from.y / way.y
            if way.y > 0 { low = max(low, share) } else { high = min(high, share) }
        }
        let (a, b) = (way.lengthSquared, from.dot(way))
        let c = from.lengthSquared - radius * radius
        guard a > 0 else { return c <= 0 && low <= high ? [0] : [] }
        let root = b * b - a * c
        guard root > 0 else { return [] }
        low = max(low, (-b - root.squareRoot()) / a)
        high = min(high, (-b + root.squareRoot()) / a)
        return low <= high ? [low, high] : []
    }

    /// How much of a clear width is left when it opens only to an angle: the leaf then stands in
    /// the opening with its width times the cosine.
    package func remaining(of clear: Double, at angle: Double) -> Double {
        max(clear - width * cos(angle), 0)
    }
}

/// What stops a door before it is fully open.
package struct DoorStop: Hashable, Sendable {
    /// The id of the element or wall; or of the room, if the wall in the way isn't drawn.
    package let id: String
    /// How far the leaf opens, in radians from shut.
    package let angle: Double
    /// The clear width that is left then, in whole millimetres, rounded down.
    package let passage: UInt32

    /// How far the leaf opens, in whole degrees, rounded down.
    package var degrees: Int { Int((angle / .pi * 180 + 1e-6).rounded(.down)) }

    /// The stops of a door, in the order in which it meets them.
    /// - Parameters:
    ///   - elements: those that could stand in its way, and any others.
    ///   - ramps: the parts of ramps that are higher than the bottom of its leaf, by the id of the
    ///     ramp.
    ///   - walls: walls within a room or in a doorway, such as partitions.
    ///   - floor: the floor around its leaf, beyond which it doesn't turn.
    package static func all(
        of opening: Opening, in wall: Wall, elements: some Sequence<Element>,
        ramps: [String: TurnedRectangle] = [:], walls: some Sequence<Wall>,
        floor: LeafFloor? = nil
    ) -> [DoorStop] {
        guard let leaf = DoorLeaf(of: opening, in: wall) else { return [] }
        let clear = Double(opening.passage.width)
        let near = leaf.swept.bounds
        var stops: [DoorStop] = []
        func add(_ id: String, _ angle: Double?) {
            guard let angle else { return }
            let rest = leaf.remaining(of: clear, at: angle)
            stops.append(
                DoorStop(id: id, angle: angle, passage: UInt32((rest + 1e-6).rounded(.down))))
        }
        for element in elements where element.isSolid && element.kind != .wheelchair {
            guard leaf.isLevel(with: element), element.rectangle.bounds.meets(near) else {
                continue
            }
            add(element.id, leaf.stop(at: element.rectangle.core))
        }
        for (id, ramp) in ramps where ramp.bounds.meets(near) {
            add(id, leaf.stop(at: ramp.core))
        }
        for other in walls where other.id != wall.id && other.rectangle.bounds.meets(near) {
            let core = other.rectangle.core
            // A wall that contains the hinges is drawn over the door, and doesn't stop it.
            guard core.depth(of: leaf.hinges) <= 0 else { continue }
            add(other.id, leaf.stop(at: core))
        }
        if let edge = floor?.stop(of: leaf, opening, in: wall) { add(edge.id, edge.angle) }
        return stops.sorted { ($0.angle, $0.id) < ($1.angle, $1.id) }
    }
}

extension FloorPlan {
    /// What stops the doors of a plan before they are fully open, by the id of the door.
    /// - Parameter walls: walls within a room or in a doorway.
    package func doorStops(amongWalls walls: [Wall] = []) -> [String: [DoorStop]] {
        var index = SpatialIndex(cell: 2_000)
        let elements = Array(elements.values)
        for (number, element) in elements.enumerated() {
            index.put(number, at: element.rectangle.bounds)
        }
        let floors = LeafFloors(self)
        let ramps = Set(ramps.map(\.id))
        // The doors to which ramps lead, by the id of the ramp.
        var led: [String: [Opening]] = [:]
        func raised(_ near: [Element], under opening: Opening) -> [String: TurnedRectangle] {
            var found: [String: TurnedRectangle] = [:]
            for ramp in near where ramps.contains(ramp.id) && !WorkLimit.isOver {
                let doors =
                    led[ramp.id] ?? self.openings.values.filter { leads(ramp, to: $0) }
                led[ramp.id] = doors
                found[ramp.id] = self.raised(ramp, under: opening, among: doors)
            }
            return found
        }
        var stops: [String: [DoorStop]] = [:]
        for opening in openings.values where opening.kind == .door {
            if WorkLimit.isOver { break }
            guard let wall = self.walls[opening.wall],
                let leaf = DoorLeaf(of: opening, in: wall)
            else { continue }
            let swept = leaf.swept.bounds
            var near: [Element] = []
            index.forEach(meeting: swept) { near.append(elements[$0]) }
            let found = DoorStop.all(
                of: opening, in: wall, elements: near, ramps: raised(near, under: opening),
                walls: walls, floor: floors.floor(around: swept))
            if !found.isEmpty { stops[opening.id] = found }
        }
        return stops
    }
}

extension TurnedRectangle {
    /// Its outline without what may touch others: half the tolerance on each side.
    fileprivate var core: ConvexPolygon {
        let less = Overlap.tolerance
        return ConvexPolygon(
            centre: centre, width: max(2 * halfWidth - less, 0.5),
            depth: max(2 * halfDepth - less, 0.5), angle: axis.angle)
    }
}
