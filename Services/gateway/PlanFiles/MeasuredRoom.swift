import FloorPlan
import Messages

/// Walls whose surfaces were measured, as in a scan or a picture: the centre lines of the walls
/// around a room are half a thickness outside its outline.
struct MeasuredRoom {
    /// The corners of the outline in order, counter-clockwise, wall surface to wall surface.
    let outline: Polygon
    /// The walls around it, from its first corner, in whole millimetres.
    let walls: [Wall]

    /// - Parameters:
    ///   - corners: In order, in either direction.
    ///   - walls: For each side, from its first corner to the next: the wall, without its place. If
    ///     the corners are clockwise, the result is in the opposite order.
    init?(_ corners: [Vector], walls sides: [Wall]) {
        let drawn = Polygon(corners)
        guard corners.count >= 3, corners.count == sides.count, drawn.area >= 10_000,
            corners.count > 200 || !drawn.crossesItself
        else { return nil }
        outline = drawn.counterClockwise
        // In the opposite direction the side that led to a corner comes first.
        let ordered =
            drawn.signedArea < 0
            ? Array(sides.dropLast().reversed()) + sides.suffix(1) : sides
        let centres = outline.offset(by: ordered.map { Double($0.thickness) / 2 })
            .map { PlanPoint($0) }
        walls = ordered.enumerated().map { index, side in
            var wall = side
            wall.start = centres[index]
            wall.end = centres[(index + 1) % centres.count]
            return wall
        }
    }

    /// The room itself.
    func room(_ id: String, name: String, use: RoomUse, height: UInt32) -> Room {
        Room(
            id: id, name: name, use: use, corners: outline.corners.map { PlanPoint($0) },
            height: height)
    }
}

extension Polygon {
    /// The corners of the outline with each side moved outward by its own distance; the outline
    /// must be counter-clockwise. The first distance is that of the side from the first corner.
    fileprivate func offset(by distances: [Double]) -> [Vector] {
        corners.indices.map { index in
            let last = (index + corners.count - 1) % corners.count
            let next = (index + 1) % corners.count
            let before = (corners[index] - corners[last]).unit
            let after = (corners[next] - corners[index]).unit
            let (a, b) = (distances[last], distances[index])
            let sine = before.cross(after)
            guard abs(sine) > 0.05 else { return corners[index] - after.left * max(a, b) }
            // The intersection of the two moved sides.
            let way = before * (b / sine) - after * (a / sine)
            return corners[index] + way
        }
    }
}
