import Messages

/// The floor that a ramp takes at a door. It ends where the ramp is drawn through a wall, for no
/// ramp can lie there.
struct RampFloor {
    /// How far it extends along the wall of the door, from the middle of the door, and away from
    /// that wall, in millimetres.
    private(set) var low: Double
    private(set) var high: Double
    private(set) var end: Double
    /// How much of the ramp's width is in walls beside it, in millimetres.
    private(set) var lost = 0.0

    /// How imprecisely what is beside a door may be drawn, in millimetres.
    private static let imprecise = 20.0
    /// How far from the wall of a door everything belongs to that wall, in millimetres: the outline
    /// of a room may be drawn that far from it.
    private static let atWall = 150.0

    /// - Parameters:
    ///   - corners: those of the ramp, the nearest first: along the wall from the middle of the
    ///     door, and away from the wall.
    ///   - place: the side of the door.
    ///   - door: the door.
    ///   - plan: all of the plan.
    init(_ corners: [Vector], at place: RampPlace, before door: Opening, in plan: FloorPlan) {
        (low, high) = (min(corners[0].x, corners[1].x), max(corners[0].x, corners[1].x))
        end = corners[2].y
        let (left, right) = (low + Self.imprecise, high - Self.imprecise)
        let far = end - Overlap.tolerance
        guard right - left > 1, far - Self.atWall > 1 else { return }
        let inner = ConvexPolygon(
            hullOf: [(left, Self.atWall), (right, Self.atWall), (right, far), (left, far)].map {
                place.face + place.along * $0.0 + place.out * $0.1
            })
        let (whole, half) = (high - low, Double(door.rampWidth) / 2 - Self.imprecise)
        for edge in plan.edges(in: inner.bounds, besides: door.wall) {
            let met = edge.intersection(inner).corners.map { corner in
                let way = corner - place.face
                return Vector(way.dot(place.along), way.dot(place.out))
            }
            guard let first = met.map(\.x).min(), let last = met.map(\.x).max(),
                let nearest = met.map(\.y).min()
            else { continue }
            if last > -half, first < half {
                end = min(end, nearest)
            } else if first > 0 {
                high = min(high, first)
            } else {
                low = max(low, last)
            }
        }
        lost = whole - (high - low)
    }
}

extension FloorPlan {
    /// What ends the floor at a place, each convex: the walls but one, and the sides of rooms
    /// beyond which there is neither another room nor a door. Where no wall is drawn along the side
    /// of a room, one is assumed.
    fileprivate func edges(in place: Bounds, besides own: String) -> [ConvexPolygon] {
        var (bodies, holes): ([ConvexPolygon], [Polygon]) = ([], [])
        for wall in walls.values {
            let near = Bounds([wall.from.vector, wall.to.vector])
                .grown(by: Double(wall.thickness))
            guard near.meets(place) else { continue }
            if wall.id != own { bodies += pieces(of: wall) }
            for opening in openings(in: wall.id) {
                guard opening.isPassable, opening.passage.width > 0 else { continue }
                holes.append(
                    wall.hole(opening, width: Double(opening.passage.width), beyond: 20))
            }
        }
        let floors = rooms.values.map(\.polygon).filter { $0.bounds.meets(place) }
        guard !floors.isEmpty else { return bodies }
        let sides = FreeSpace(areas: floors + holes).edges
        return bodies + sides.map { ConvexPolygon(counterClockwise: [$0.start, $0.end]) }
    }
}
