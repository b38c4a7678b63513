import Messages

/// Rooms that lie next to each other share the wall between them.
extension FloorPlan {
    /// What is drawn of a room that is added: where a wall stands already, none is drawn again, so
    /// that there is one wall between two rooms and a hole in it leads through.
    func newItems(of sketch: RoomSketch) -> [PlanItem] {
        sketch.items.flatMap { item in
            guard case .wall(let wall) = item.item else { return [item] }
            return uncovered(wall).map { PlanItem(item: .wall($0)) }
        }
    }

    /// The parts of a wall where no other stands on the same line, from its start on. The first
    /// keeps its id, the others have it with a number. They end at the corners of the others.
    private func uncovered(_ wall: Wall) -> [Wall] {
        let line = wall.line
        guard line.length > 0 else { return [wall] }
        var parts: [Wall] = []
        var (place, corner) = (0.0, wall.from)
        func draw(to end: PlanPoint) {
            // Shorter than that it would only be a crumb beside a corner.
            guard Segment(corner.vector, end.vector).length > Self.crumb else { return }
            var part = wall
            if !parts.isEmpty { part.id += "-\(parts.count + 1)" }
            (part.start, part.end) = (corner, end)
            parts.append(part)
        }
        for stretch in stretches(along: line) {
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

    /// Where walls stand along a line, from its start on.
    private func stretches(along line: Segment) -> [Stretch] {
        let direction = line.along.unit
        let found = walls.values.compactMap { wall -> Stretch? in
            // Corners are kept to the millimetre.
            guard
                abs(direction.cross(wall.from.vector - line.start)) <= Self.rounding,
                abs(direction.cross(wall.to.vector - line.start)) <= Self.rounding
            else { return nil }
            let ends = [wall.from, wall.to].map {
                (place: direction.dot($0.vector - line.start), corner: $0)
            }.sorted { $0.place < $1.place }
            guard ends[1].place > 0, ends[0].place < line.length else { return nil }
            return (ends[0], ends[1])
        }
        return found.sorted { $0.begin.place < $1.begin.place }
    }
}
