import Messages

/// Rooms that lie next to each other share the wall between them.
extension FloorPlan {
    /// The walls to draw for a new room: where there is a wall already, none is drawn again, so
    /// that there is one wall between two rooms and an opening in it leads through.
    func newItems(of drawing: DrawRoom) -> [PlanItem] {
        drawing.items.flatMap { item in
            guard case .wall(let wall) = item.item else { return [item] }
            return uncovered(wall).map { PlanItem(item: .wall($0)) }
        }
    }

    /// The parts of a wall where there is no other on the same line, in order from its start. The
    /// first keeps its id; the others have that id with a number. The parts end at the corners of
    /// the other walls.
    private func uncovered(_ wall: Wall) -> [Wall] {
        let line = wall.line
        guard line.length > 0 else { return [wall] }
        var parts: [Wall] = []
        var (place, corner) = (0.0, wall.from)
        func draw(to end: PlanPoint) {
            // A shorter one would only be a crumb next to a corner.
            guard Segment(corner.vector, end.vector).length > Self.crumb else { return }
            var part = wall
            if !parts.isEmpty { part.id += "-\(parts.count + 1)" }
            (part.start, part.end) = (corner, end)
            parts.append(part)
        }
        for stretch in stretches(along: wall) {
            if stretch.begin.place > place { draw(to: stretch.begin.corner) }
            if stretch.end.place > place { (place, corner) = stretch.end }
        }
        if place < line.length { draw(to: wall.to) }
        return parts
    }

    /// The longest piece of a wall that isn't worth drawing, in millimetres.
    private static let crumb = 10.0

    /// A part of a line on which a wall stands.
    private typealias Stretch = (
        begin: (place: Double, corner: PlanPoint), end: (place: Double, corner: PlanPoint)
    )

    /// How far the surface of a wall may be from the side of a room that it represents, in
    /// millimetres: up to this distance an opening in it still leads through.
    private static let gap = 20.0

    /// Where existing walls replace one that would be drawn, in order from its start: on the same
    /// line or, if they are thicker or thinner, with the surface on its left where its own would
    /// be. The room is on its left.
    private func stretches(along wall: Wall) -> [Stretch] {
        let line = wall.line
        let direction = line.along.unit
        let isUpright = wall.from.x == wall.to.x || wall.from.y == wall.to.y
        let found = walls.values.compactMap { other -> Stretch? in
            let offsets = [other.from, other.to].map { direction.cross($0.vector - line.start) }
            // Corners are kept to the millimetre.
            let isOnLine = offsets.allSatisfy { abs($0) <= Self.rounding }
            let beside = (Double(wall.thickness) - Double(other.thickness)) / 2
            guard abs(offsets[0] - offsets[1]) <= 2 * Self.rounding,
                isOnLine || offsets.allSatisfy({ abs($0 - beside) <= Self.gap })
            else { return nil }
            let ends = zip([other.from, other.to], offsets).map { corner, offset in
                let place = direction.dot(corner.vector - line.start)
                // A wall beside the line shares no corner with one drawn on it. Nor is a wall along
                // an axis skewed to reach a corner that is a millimetre away.
                let isShared = isOnLine && (offset == 0 || !isUpright)
                return (
                    place: place,
                    corner: isShared ? corner : PlanPoint(line.start + direction * place)
                )
            }.sorted { $0.place < $1.place }
            guard ends[1].place > 0, ends[0].place < line.length else { return nil }
            return (ends[0], ends[1])
        }
        return found.sorted { $0.begin.place < $1.begin.place }
    }
}
