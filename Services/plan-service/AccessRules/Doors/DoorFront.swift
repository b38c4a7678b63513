import FloorPlan

/// The floor before a door, in one of its rooms: where a place is that counts as at the door.
///
/// Standards say “before” and give no number. Here the middle of such a place is straight before
/// the opening, and the place begins at most 100 mm from the wall, or from the floor that the door
/// sweeps if that doesn't count as free: decision 0133 says why.
struct DoorFront {
    private let room: Polygon
    /// The middle of the door on the room's side.
    private let middle: Vector
    /// The direction along the wall, and the direction away from it.
    private let along: Vector
    private let out: Vector
    /// How far it extends to each side of the middle, and away from the wall, in millimetres.
    private let half: Double
    private let depth: Double

    /// How far from the wall a place may begin, in millimetres.
    private static let near = 100.0

    /// - Parameters:
    ///   - shape: what has to fit, as wide as it is long.
    ///   - swept: how far from the wall the door opens over the floor, in millimetres.
    init(_ doorway: Doorway, _ floor: RoomFloor, for shape: Shape, beyond swept: Double) {
        room = floor.outline
        middle = floor.surface(of: doorway)
        along = doorway.along
        out = doorway.out(left: doorway.isLeft(floor.room.id) ?? true)
        half = (Double(doorway.opening.width) + shape.shortest) / 2
        depth = shape.shortest + Self.near + swept
    }

    /// The floor that is free there.
    func free(_ obstacles: [ConvexPolygon]) -> FreeSpace {
        let place = rectangle(-half, half, 0, depth).bounds
        let near = obstacles.filter { $0.bounds.meets(place) }
        return FreeSpace(areas: [room], obstacles: (near + frame).map(\.polygon))
    }

    /// Rectangles over the rest of the room.
    private var frame: [ConvexPolygon] {
        let bounds = room.bounds
        let far =
            bounds.size.length + 2 * half + depth + middle.distance(to: bounds.centre)
        return [
            rectangle(-far, -half, -far, far), rectangle(half, far, -far, far),
            rectangle(-half, half, depth, far), rectangle(-half, half, -far, -1),
        ]
    }

    /// A rectangle by the range along the wall and that away from it.
    private func rectangle(
        _ left: Double, _ right: Double, _ near: Double, _ far: Double
    ) -> ConvexPolygon {
        ConvexPolygon(
            hullOf: [(left, near), (right, near), (right, far), (left, far)].map {
                middle + along * $0.0 + out * $0.1
            })
    }
}
