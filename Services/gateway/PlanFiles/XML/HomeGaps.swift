import FloorPlan
import Messages
import XMLText

/// Gaps between the ends of walls through which people go from room to room. In a home nothing is
/// drawn there; a plan has a wall with a passage in it.
struct HomeGaps {
    private let walls: [Wall]
    private let rooms: [Polygon]
    private let freeEnds: [End]

    /// An end of a wall that meets no other, and the direction in which the wall would continue.
    private struct End {
        let wall: Int
        let place: Vector
        let out: Vector
    }

    /// The widths that count as a gap, in millimetres.
    private static let widths = 400.0...6_000
    /// The maximum number of walls of a home in which gaps are searched for: each is compared with
    /// each.
    private static let mostWalls = 2_000
    /// The maximum number of corners of its rooms: each gap is searched for in each room.
    private static let mostCorners = 20_000

    init(_ walls: [Wall], rooms: [Polygon]) {
        self.walls = walls
        self.rooms = rooms
        guard walls.count <= Self.mostWalls, rooms.count > 1,
            rooms.reduce(0, { $0 + $1.corners.count }) <= Self.mostCorners
        else {
            freeEnds = []
            return
        }
        var counts: [PlanPoint: Int] = [:]
        for wall in walls {
            counts[wall.from, default: 0] += 1
            counts[wall.to, default: 0] += 1
        }
        freeEnds = walls.enumerated().flatMap { number, wall -> [End] in
            let along = wall.line.along.unit
            return [(wall.from, -along), (wall.to, along)].compactMap { corner, out in
                guard counts[corner] == 1 else { return nil }
                let isInWall = walls.enumerated().contains { other, wall in
                    other != number
                        && wall.line.distance(to: corner.vector)
                            <= Double(wall.thickness) / 2 + 1
                }
                return isInWall ? nil : End(wall: number, place: corner.vector, out: out)
            }
        }
    }

    /// A wall for each gap that has a room on each side, without ids.
    func walls(named newID: () -> String) -> [Wall] {
        var found: [Wall] = []
        var taken: Set<PlanPoint> = []
        for end in freeEnds where !taken.contains(PlanPoint(end.place)) {
            guard let (place, thickness) = opposite(end) else { continue }
            let (from, to) = (PlanPoint(end.place), PlanPoint(place))
            let gap = Wall(
                start: from, end: to, thickness: thickness, height: walls[end.wall].height)
            guard from != to, joinsRooms(gap) else { continue }
            taken.formUnion([from, to])
            var named = gap
            named.id = newID()
            found.append(named)
        }
        return found
    }

    /// Where a wall would next meet another end or wall if it continued, and the thickness that the
    /// continuation would have.
    private func opposite(_ end: End) -> (place: Vector, thickness: UInt32)? {
        let own = walls[end.wall].thickness
        var best: (distance: Double, thickness: UInt32)?
        func look(_ distance: Double, _ thickness: UInt32) {
            guard distance > 1, distance < best?.distance ?? .infinity else { return }
            best = (distance, min(own, thickness))
        }
        for other in freeEnds where other.wall != end.wall && other.out.dot(end.out) < -0.98 {
            let way = other.place - end.place
            let aside = Double(max(own, walls[other.wall].thickness)) / 2
            if abs(way.cross(end.out)) <= aside {
                look(way.dot(end.out), walls[other.wall].thickness)
            }
        }
        let ray = Segment(end.place, end.place + end.out * Self.widths.upperBound)
        for (number, wall) in walls.enumerated() where number != end.wall {
            let across = ray.along.cross(wall.line.along)
            guard abs(across) > 0.5 * ray.length * wall.length else { continue }
            let between = wall.line.start - ray.start
            let (share, other) = (
                between.cross(wall.line.along) / across, between.cross(ray.along) / across
            )
            guard share > 0, (0...1).contains(other) else { continue }
            look(share * ray.length, own)
        }
        guard let best, Self.widths.contains(best.distance) else { return nil }
        return (end.place + end.out * best.distance, best.thickness)
    }

    /// True if there is a different room on each side of its middle.
    private func joinsRooms(_ gap: Wall) -> Bool {
        let middle = (gap.line.start + gap.line.end) * 0.5
        let across = gap.line.along.unit.left
        func room(_ side: Double) -> Int? {
            [60.0, 150].lazy.compactMap { beyond in
                let place = middle + across * (side * (Double(gap.thickness) / 2 + beyond))
                return rooms.firstIndex { $0.contains(place) }
            }.first
        }
        guard let left = room(1), let right = room(-1) else { return false }
        return left != right
    }
}
