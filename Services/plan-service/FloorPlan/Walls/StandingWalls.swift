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
    /// The walls that are wholly or partly inside a room.
    package var standingWalls: [Wall] {
        let outlines = rooms.values.map(\.polygon)
        var index = SpatialIndex(cell: 4_000)
        for (number, outline) in outlines.enumerated() { index.put(number, at: outline.bounds) }
        return walls.values.filter { wall in
            if WorkLimit.isOver { return false }
            var isInside = false
            index.forEach(meeting: wall.rectangle.bounds) { number in
                isInside = isInside || wall.reaches(into: outlines[number])
            }
            return isInside
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
