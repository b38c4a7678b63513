import Foundation
import Messages

/// The place and heading of a chair.
package struct Pose: Hashable, Sendable {
    /// Its centre, in millimetres.
    package let place: Vector
    /// The direction that it faces, counter-clockwise from east in radians, in 0 ..< 2π.
    package let heading: Double

    package init(place: Vector, heading: Double) {
        self.place = place
        let rest = heading.truncatingRemainder(dividingBy: 2 * .pi)
        self.heading = rest < 0 ? rest + 2 * .pi : rest
    }

    /// The turn to another pose, counter-clockwise, in -π ..< π.
    package func turn(to other: Pose) -> Double {
        let turn = (other.heading - heading).truncatingRemainder(dividingBy: 2 * .pi)
        return turn < -.pi ? turn + 2 * .pi : turn >= .pi ? turn - 2 * .pi : turn
    }

    /// The pose at a fraction of the move to another: straight there, turning the shorter way.
    package func between(_ other: Pose, _ share: Double) -> Pose {
        Pose(
            place: place + (other.place - place) * share,
            heading: heading + turn(to: other) * share)
    }
}

extension Dwelling {
    /// A path for a chair from an entrance into a room, as poses between which it goes straight or
    /// turns on the spot by less than half a turn. All floor swept on the path is free. Nil if it
    /// isn't certain that the chair reaches the room.
    ///
    /// It ends with all of the chair inside. A coarse search comes first, because a path found
    /// there keeps more distance.
    /// - Throws: if there is no such room, or no door is marked as an entrance.
    package func route(for chair: Chair, to room: String) throws(Refusal) -> [Pose]? {
        guard let room = plan.rooms[room] else { throw .notFound("the plan has no room \(room)") }
        let trip = try feared.trip(of: chair)
        let standard = ChairSpace.Resolution.standard
        let coarse = ChairSpace.Resolution(
            cell: standard.cell * 2, headings: standard.headings / 2)
        for resolution in [coarse, standard, standard.finer] {
            // The finest search takes longest, and is useless where the chair certainly can't go.
            if resolution == standard.finer,
                !trip.look(standard, .possibly).reaches(room.polygon)
            {
                return nil
            }
            let look = trip.look(resolution, .surely)
            guard look.reaches(room.polygon), var search = RouteSearch(look.space) else {
                continue
            }
            let goal = look.inmost(of: room.polygon, for: chair)
            guard let way = search.way(from: look.start, to: goal) else { continue }
            let frame = look.space.frame
            let poses = way.map { row, column, heading in
                Pose(
                    place: frame.origin
                        + Vector(Double(column) + 0.5, Double(row) + 0.5) * frame.cell,
                    heading: Double(heading) * resolution.turn)
            }
            let moves = FreeMoves(chair, trip.floor)
            // Shortening a path with a few long moves may reveal more of them.
            return moves.shortened(moves.shortened(poses.joined)).joined
        }
        return nil
    }
}

extension Look {
    /// The places that the chair certainly reaches with all of it inside a room; if possible only
    /// those with its centre at least half its length from the outline.
    fileprivate func inmost(of area: Polygon, for chair: Chair) -> ChairSpace.Reach {
        let inside = space.places(reached, whollyIn: area)
        let far = space.places(inside, in: area, from: chair.length / 2)
        return far.isEmpty ? inside : far
    }
}

extension ChairSpace {
    /// The places in an area that are at least this far from its outline.
    fileprivate func places(_ places: Reach, in area: Polygon, from depth: Double) -> Reach {
        var mask = mask(area)
        var spans = RowSpans()
        for side in area.sides where side.length > 0 {
            let strip = ConvexPolygon(
                centre: side.bounds.centre, width: side.length, depth: 2 * depth,
                angle: side.along.angle)
            frame.clear(strip.corners, in: &mask, &spans)
        }
        return places.intersection(mask)
    }
}

/// Exact tests of a chair's moves.
private struct FreeMoves {
    /// The maximum number of moves tested to shorten a path.
    private static let mostLooks = 4_000

    private let shape: ConvexPolygon
    private let barriers: [ConvexPolygon]
    private var index = SpatialIndex(cell: 500)

    init(_ chair: Chair, _ floor: FreeSpace) {
        shape = ConvexPolygon(
            centre: .zero, width: chair.length, depth: chair.width, angle: 0)
        barriers = floor.barriers
        for (number, barrier) in barriers.enumerated() { index.put(number, at: barrier.bounds) }
    }

    private func isFree(_ swept: ConvexPolygon) -> Bool {
        var isFree = true
        index.forEach(meeting: swept.bounds) {
            if isFree, Overlap(swept, barriers[$0], tolerance: 0) != nil { isFree = false }
        }
        return isFree
    }

    /// True if it can go straight from one pose to another without turning.
    private func drives(_ from: Pose, _ to: Pose) -> Bool {
        let outline = shape.turned(by: Vector(angle: from.heading)).moved(by: from.place)
        return isFree(outline.swept(along: to.place - from.place))
    }

    /// True if it can turn on the spot, the shorter way. Between two headings it stays in the hull
    /// of both, enlarged by the distance of an arc from its chord.
    private func turns(_ from: Pose, _ to: Pose) -> Bool {
        let turn = from.turn(to: to)
        let count = max(Int((abs(turn) / (.pi / 36)).rounded(.up)), 1)
        let step = turn / Double(count)
        return (0..<count).allSatisfy { number in
            let ends = [number, number + 1].map {
                shape.turned(by: Vector(angle: from.heading + Double($0) * step))
            }
            let hull = ConvexPolygon(hullOf: ends.flatMap(\.corners))
            return isFree(hull.scaled(by: 1 / cos(step / 2)).moved(by: from.place))
        }
    }

    /// The poses from one to another by a turn, a straight line and a turn, ahead or backwards,
    /// whichever is cheaper. Nil if that isn't free or costs more than a limit.
    private func direct(_ from: Pose, _ to: Pose, atMost limit: Double) -> [Pose]? {
        let way = to.place - from.place
        guard way != .zero else {
            return from.cost(to: to) <= limit && turns(from, to) ? [to] : nil
        }
        let legs = [way, -way].map { direction in
            [
                Pose(place: from.place, heading: direction.angle),
                Pose(place: to.place, heading: direction.angle), to,
            ]
        }.map { (poses: $0, cost: ([from] + $0).cost) }
        for leg in legs.sorted(by: { $0.cost < $1.cost }) where leg.cost <= limit {
            if drives(leg.poses[0], leg.poses[1]), turns(from, leg.poses[0]),
                turns(leg.poses[1], to)
            {
                return leg.poses
            }
        }
        return nil
    }

    /// The same path with fewer moves: from each pose straight to the farthest one that can be
    /// reached.
    func shortened(_ poses: [Pose]) -> [Pose] {
        var sums = [0.0]
        for (from, to) in zip(poses, poses.dropFirst()) {
            sums.append(sums[sums.count - 1] + from.cost(to: to))
        }
        var looks = 0
        var short = Array(poses.prefix(1))
        var number = 0
        while number < poses.count - 1 {
            var next = number + 1
            var legs = [poses[next]]
            // Step back by a sixth of the rest each time, so that a long path takes few tests.
            var ahead = poses.count - 1 - number
            while ahead > 1, looks < Self.mostLooks {
                looks += 1
                let limit = sums[number + ahead] - sums[number] + 1e-6
                if let found = direct(poses[number], poses[number + ahead], atMost: limit) {
                    (next, legs) = (number + ahead, found)
                    break
                }
                ahead -= max(ahead / 6, 1)
            }
            short += legs
            number = next
        }
        return short
    }
}

extension Pose {
    /// The cost of a move as in ``RouteSearch``, in millimetres ahead.
    fileprivate func cost(to other: Pose) -> Double {
        let turning = abs(turn(to: other)) / (.pi / 36) * RouteSearch.turn
        let way = other.place - place
        let length = way.length
        guard length > 0 else { return turning }
        let share = Vector(angle: heading).dot(way) / length
        let perSquare =
            Double(RouteSearch.ahead) + RouteSearch.aside * (1 - abs(share))
            + RouteSearch.back * max(-share, 0)
        return turning + length / ChairSpace.Resolution.standard.cell * perSquare
    }
}

extension [Pose] {
    fileprivate var cost: Double {
        zip(self, dropFirst()).reduce(0) { $0 + $1.0.cost(to: $1.1) }
    }

    /// The same path without poses between moves on one line, and between turns on one spot that
    /// are less than half a turn together.
    fileprivate var joined: [Pose] {
        var joined: [Pose] = []
        for pose in self {
            guard joined.last != pose else { continue }
            if joined.count > 1, pose.continues(joined[joined.count - 2], joined[joined.count - 1])
            {
                joined.removeLast()
            }
            if joined.last != pose { joined.append(pose) }
        }
        return joined
    }
}

extension Pose {
    /// True if the move to here continues the move before.
    fileprivate func continues(_ first: Pose, _ second: Pose) -> Bool {
        let (before, after) = (second.place - first.place, place - second.place)
        if before == .zero, after == .zero {
            return abs(first.turn(to: second) + second.turn(to: self)) < .pi - 1e-6
        }
        return before != .zero && after != .zero && first.heading == second.heading
            && second.heading == heading && before.dot(after) > 0
            && abs(before.unit.cross(after.unit)) < 1e-9
    }
}
