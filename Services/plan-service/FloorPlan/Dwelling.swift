import Messages

/// The floor of a dwelling as somebody in a chair finds it.
package struct Dwelling: Sendable {
    package let plan: FloorPlan
    package let terms: Terms

    package init(_ plan: FloorPlan, _ terms: Terms = Terms()) {
        self.plan = plan
        self.terms = terms
    }

    /// What counts as being in the way.
    package struct Terms: Hashable, Sendable {
        /// What begins at least so high above the floor is passed under, in millimetres. 670 is the
        /// knee height of the guidance to TEK17 § 12-9.
        package var kneeHeight: UInt32
        /// The highest threshold that can be passed, in millimetres.
        package var threshold: UInt32
        /// True when the floor that a door sweeps isn't free.
        package var swingsCount: Bool

        package init(
            kneeHeight: UInt32 = 670, threshold: UInt32 = 25, swingsCount: Bool = false
        ) {
            self.kneeHeight = kneeHeight
            self.threshold = threshold
            self.swingsCount = swingsCount
        }
    }

    /// A door that is too narrow.
    package struct NarrowDoor: Hashable, Sendable {
        package let id: String
        /// The width that is free to pass, in millimetres.
        package let passage: UInt32
        /// False when the width follows from the leaf or the hole and was not measured.
        package let isMeasured: Bool
        /// How much is missing, in millimetres.
        package let missing: UInt32
    }

    /// The doors through which a width doesn't pass, the narrowest first.
    package func doors(tooNarrowFor width: UInt32) -> [NarrowDoor] {
        plan.openings.values.filter(\.isPassable).compactMap { opening in
            let passage = opening.passage
            guard passage.width < width else { return nil }
            return NarrowDoor(
                id: opening.id, passage: passage.width, isMeasured: passage.isMeasured,
                missing: width - passage.width)
        }.sorted { ($0.passage, $0.id) < ($1.passage, $1.id) }
    }

    /// The free floor of one room, without its doors; nothing when there is no such room.
    package func floor(of room: String) -> FreeSpace? {
        plan.rooms[room].map {
            FreeSpace(areas: [$0.polygon], obstacles: obstacles(without: []))
        }
    }

    /// The free floor of all rooms and the doors between them.
    /// - Parameters:
    ///   - without: elements that are thought away, and doors that are thought wide.
    ///   - wide: how wide such a door is, in millimetres.
    func floor(without: Set<String> = [], wide: Double = 0, landings: [Polygon] = []) -> FreeSpace {
        let holes = plan.openings.values.filter(\.isPassable).compactMap { opening -> Polygon? in
            guard without.contains(opening.id) || opening.threshold <= terms.threshold else {
                return nil
            }
            return hole(
                opening, atLeast: without.contains(opening.id) ? wide : 0)
        }
        return FreeSpace(
            areas: plan.rooms.values.map(\.polygon) + holes + landings,
            obstacles: obstacles(without: without))
    }

    /// How far a hole goes on into the rooms on both sides, so that an outline that was drawn a
    /// little off the wall is still joined to it. Millimetres.
    private static let beyond = 20.0

    func hole(_ opening: Opening, atLeast wide: Double = 0) -> Polygon? {
        let passage = Double(opening.passage.width)
        guard let wall = plan.walls[opening.wall], max(passage, wide) > 0 else { return nil }
        return wall.hole(opening, width: max(passage, wide), beyond: Self.beyond)
    }

    /// The elements that are in the way. Wheelchairs are not: they are what moves.
    var barriers: [Element] {
        plan.elements.values.filter {
            $0.isSolid && $0.elevation < terms.kneeHeight && $0.kind != .wheelchair
        }
    }

    private func obstacles(without: Set<String>) -> [Polygon] {
        var obstacles = barriers.filter { !without.contains($0.id) }.map(\.outline.polygon)
        guard terms.swingsCount else { return obstacles }
        for opening in plan.openings.values {
            if let swing = plan.walls[opening.wall]?.swing(of: opening) { obstacles.append(swing) }
        }
        return obstacles
    }

    /// Where a chair of a length starts: in the doors through which one enters, standing in or
    /// before them. What lies before them is taken to be free, straight out as wide as the door.
    func entrances(for length: Double) -> (doors: [Polygon], landings: [Polygon]) {
        let doors = plan.openings.values.filter { $0.entrance && $0.isPassable }
        var landings: [Polygon] = []
        for door in doors {
            guard let wall = plan.walls[door.wall], let hole = hole(door) else { continue }
            for side in [wall.line.along.unit.left, -wall.line.along.unit.left] {
                let middle = hole.bounds.centre + side * (Double(wall.thickness) / 2)
                let outside = (1...8).map { middle + side * (length * Double($0) / 8) }
                // In the angle of a building it could lead into another room.
                guard
                    !outside.contains(where: { place in
                        plan.rooms.values.contains { $0.polygon.contains(place) }
                    })
                else { continue }
                let across = wall.line.along.unit * (Double(door.passage.width) / 2)
                let from = middle - side
                landings.append(
                    Polygon([
                        from - across, from + across, from + across + side * length,
                        from - across + side * length,
                    ]))
            }
        }
        return (doors.compactMap { hole($0) }, landings)
    }
}
