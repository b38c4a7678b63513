import Messages

extension ConvexPolygon {
    /// True if more of a rectangle than an error is inside an outline.
    fileprivate static func rectangle(
        _ centre: Vector, _ width: Double, _ depth: Double, _ angle: Double,
        reachesInto outline: Polygon, error: Double = FloorPlan.rounding
    ) -> Bool {
        let core = ConvexPolygon(
            centre: centre, width: max(width - 2 * error, 0), depth: max(depth - 2 * error, 0),
            angle: angle
        ).polygon
        let sides = outline.sides
        return core.corners.contains(where: outline.contains)
            || core.sides.contains { side in sides.contains(where: side.meets) }
            || outline.corners.contains(where: core.contains)
    }
}

extension Element {
    /// True if more of it than a rounding error is inside an outline. The corners of an element
    /// that is turned by right angles aren't rounded.
    package func reaches(into outline: Polygon) -> Bool {
        ConvexPolygon.rectangle(
            place, Double(width), Double(depth), turn, reachesInto: outline,
            error: angle % 90_000 == 0 ? 0.01 : FloorPlan.rounding)
    }
}

extension FloorPlan {
    /// The walls that are wholly or partly inside a room, or stand in a doorway of another wall.
    package var standingWalls: [Wall] {
        let outlines = rooms.values.map(\.polygon)
        var index = SpatialIndex(cell: 4_000)
        for (number, outline) in outlines.enumerated() { index.put(number, at: outline.bounds) }
        let across = wallsAcrossDoorways
        return walls.values.filter { wall in
            if WorkLimit.isOver { return false }
            var isInside = across.contains(wall.id)
            index.forEach(meeting: wall.rectangle.bounds) { number in
                isInside = isInside || wall.reaches(into: outlines[number])
            }
            return isInside
        }
    }

    /// The ids of the walls that stand in a doorway of another.
    private var wallsAcrossDoorways: Set<String> {
        let all = Array(walls.values)
        var index = SpatialIndex(cell: 4_000)
        for (number, wall) in all.enumerated() { index.put(number, at: wall.rectangle.bounds) }
        var across: Set<String> = []
        for opening in openings.values where opening.isPassable {
            if WorkLimit.isOver { break }
            guard let wall = walls[opening.wall] else { continue }
            index.forEach(meeting: wall.doorway(opening).bounds) { number in
                if !pieces(of: all[number], in: opening, of: wall).isEmpty {
                    across.insert(all[number].id)
                }
            }
        }
        return across
    }

    /// The pieces of a wall between its doors.
    package func pieces(of wall: Wall) -> [ConvexPolygon] {
        wall.pieces(
            between: openings(in: wall.id).filter(\.isPassable).map {
                $0.middle(Double(min($0.passage.width, $0.width)))
            })
    }

    /// The sine of the angle between two walls up to which one is along the other: 15 degrees.
    private static let alongside = 0.26

    /// The pieces of a wall that stand in a doorway of another, such as those of a partition that
    /// ends in the middle of an opening. A wall along the other isn't in its doorways: it continues
    /// the other, or is drawn over it.
    package func pieces(
        of wall: Wall, in opening: Opening, of other: Wall
    ) -> [ConvexPolygon] {
        let sine = wall.line.along.unit.cross(other.line.along.unit)
        guard wall.id != other.id, abs(sine) > Self.alongside, opening.passage.width > 0 else {
            return []
        }
        let doorway = other.doorway(opening)
        return pieces(of: wall).filter {
            Overlap($0, doorway, tolerance: Self.rounding) != nil
        }
    }
}

/// Walls inside a room, such as a partition, are obstacles like everything else there.
extension Wall {
    /// True if more of the wall than a rounding error is inside an outline.
    package func reaches(into outline: Polygon) -> Bool {
        length > 2 * FloorPlan.rounding
            && ConvexPolygon.rectangle(
                (line.start + line.end) * 0.5, length, Double(thickness), line.along.angle,
                reachesInto: outline)
    }

    /// How far from the surface of a wall something still counts as in a doorway, in millimetres.
    private static let near = 50.0

    /// The floor in one of its openings, as wide as that is clear, and a little beyond on both
    /// sides.
    package func doorway(_ opening: Opening) -> ConvexPolygon {
        let along = line.along.unit
        return ConvexPolygon(
            centre: line.start + along * (Double(opening.offset) + Double(opening.width) / 2),
            width: Double(opening.passage.width), depth: Double(thickness) + 2 * Self.near,
            angle: along.angle)
    }

    /// The wall as rectangles between holes, which are ranges of offsets from its start.
    package func pieces(between holes: [ClosedRange<Double>]) -> [ConvexPolygon] {
        let along = line.along.unit
        var from = 0.0
        var pieces: [ConvexPolygon] = []
        func add(to end: Double) {
            guard end - from > Overlap.tolerance else { return }
            pieces.append(
                ConvexPolygon(
                    centre: line.start + along * ((from + end) / 2), width: end - from,
                    depth: max(Double(thickness), 1), angle: along.angle))
        }
        for hole in holes.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            add(to: min(hole.lowerBound, length))
            from = max(from, hole.upperBound)
        }
        add(to: length)
        return pieces
    }
}

extension Opening {
    /// The range of offsets of a width in its middle, in millimetres.
    package func middle(_ width: Double) -> ClosedRange<Double> {
        let middle = Double(offset) + Double(self.width) / 2
        return (middle - width / 2)...(middle + width / 2)
    }
}
