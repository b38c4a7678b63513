import Messages

/// The face of a wall in a room, where people measure: they hold the tape against the wall that
/// meets it.
package struct WallFace: Sendable {
    /// The id of the room; nil where no room is drawn beside the wall.
    package let room: String?
    /// True if the room is to the left, seen from the wall's start to its end.
    package let isLeft: Bool
    /// Where it begins and ends, as distances along the wall's centre line from its start, in
    /// millimetres.
    package let stretch: ClosedRange<Double>
    /// How far it is from the centre line, in millimetres.
    package let distance: Double
}

extension FloorPlan {
    /// How far a room's outline may be from the face of its wall, in millimetres.
    private static let beside = 100.0

    /// The faces of a wall in the rooms along it, from its start.
    package func faces(of wall: Wall) -> [WallFace] {
        rooms.values.compactMap { face(of: wall, in: $0) }
            .sorted {
                ($0.stretch.lowerBound, $0.room ?? "") < ($1.stretch.lowerBound, $1.room ?? "")
            }
    }

    /// The face of a wall in a room; nil if the room isn't along it.
    package func face(of wall: Wall, in room: Room) -> WallFace? {
        let (along, length) = (wall.line.along.unit, wall.length)
        let outline = room.polygon
        var found: (stretch: ClosedRange<Double>, isLeft: Bool, distance: Double)?
        for side in outline.sides where side.length > 0 {
            let direction = side.along.unit
            guard abs(direction.cross(along)) < 0.02 else { continue }
            let ends = [side.start, side.end].map { ($0 - wall.line.start).dot(along) }.sorted()
            let (from, to) = (max(ends[0], 0), min(ends[1], length))
            guard to - from > 10 else { continue }
            let middle = (side.start + side.end) * 0.5
            let height = along.cross(middle - wall.line.start)
            guard abs(abs(height) - Double(wall.thickness) / 2) <= Self.beside else { continue }
            let isLeft = outline.contains(middle + along.left)
            // If the room lies across the wall from a side, the side belongs to another wall.
            guard isLeft == (height >= 0) || wall.thickness == 0 else { continue }
            let known = found?.stretch
            found = (
                min(from, known?.lowerBound ?? from)...max(to, known?.upperBound ?? to), isLeft,
                abs(height)
            )
        }
        return found.map {
            WallFace(room: room.id, isLeft: $0.isLeft, stretch: $0.stretch, distance: $0.distance)
        }
    }

    /// The face of a wall between the walls that meet its ends, for a wall without rooms.
    package func bareFace(of wall: Wall) -> WallFace {
        let (start, end) = (
            inset(of: wall, atEnd: false), wall.length - inset(of: wall, atEnd: true)
        )
        return WallFace(
            room: nil, isLeft: true, stretch: start...max(start, end),
            distance: Double(wall.thickness) / 2)
    }

    /// How far other walls cover the end of a wall, in millimetres.
    private func inset(of wall: Wall, atEnd: Bool) -> Double {
        let (along, place) = (
            wall.line.along.unit, atEnd ? wall.line.end : wall.line.start
        )
        return walls.values.reduce(0) { most, other in
            let half = Double(other.thickness) / 2
            guard other.id != wall.id, other.line.distance(to: place) <= half + 1 else {
                return most
            }
            let across = abs(other.line.along.unit.cross(along))
            return across > 0.3 ? max(most, min(half / across, wall.length / 2)) : most
        }
    }
}
