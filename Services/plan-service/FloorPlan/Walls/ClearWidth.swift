import Messages

/// How wide a door or passage is clear: less than its opening where something keeps the door from
/// opening fully, or stands in the doorway.
package struct ClearWidth: Hashable, Sendable {
    /// The clear width, in millimetres.
    package let width: Double
    /// The same without what stands in the doorway, in whole millimetres.
    package let open: UInt32
    /// What keeps the door from opening fully; nil if nothing does.
    package let stop: DoorStop?
    /// The id of what stands in the doorway: the first element by its id, or else the first wall;
    /// nil if there is none.
    package let obstacle: String?

    /// True if what stands in the doorway takes from its width.
    package var isNarrowed: Bool { width < Double(open) }

    /// The id of what stands in the doorway if that takes from its width, otherwise of what keeps
    /// the door from opening fully; nil if nothing is in the way.
    package var hindrance: String? { isNarrowed ? obstacle : stop?.id }

    /// The clear width in whole millimetres, rounded down as in a check.
    package var millimetres: UInt32 { UInt32((max(width, 0) + 0.01).rounded(.down)) }

    /// Whether it is at least this width, if it may be off by an error, both in millimetres. As in
    /// a check, what differs by the whole error is certain.
    func isEnough(for needed: UInt32, off error: Double) -> Certainty {
        let margin = Double(millimetres) - Double(needed)
        guard abs(margin) >= error else { return .uncertain }
        return margin >= 0 ? .yes : .no
    }
}

extension FloorPlan {
    /// The height from which something isn't in a doorway, in millimetres: people walk below it.
    private static let doorwayHeight: UInt32 = 2_000

    /// The clear width of a door or passage: the widest gap beside everything that stands there,
    /// including a leaf that doesn't open fully, at its hinges.
    ///
    /// - Parameters:
    ///   - stop: what keeps the door from opening fully.
    ///   - elements: those that may stand in the doorway, and any others.
    ///   - others: walls that may stand there, and any others.
    package func clearWidth(
        of opening: Opening, in wall: Wall, stop: DoorStop?, elements: some Sequence<Element>,
        among others: some Sequence<Wall>
    ) -> ClearWidth {
        let whole = opening.passage.width
        let open = min(whole, stop?.passage ?? .max)
        var obstacle: String?
        var taken: [(lower: Double, upper: Double)] = []
        let doorway = wall.doorway(opening)
        let (near, along) = (doorway.bounds, wall.line.along.unit)
        let start = wall.line.start.dot(along) + opening.middle(Double(whole)).lowerBound
        func take(_ outline: ConvexPolygon, of id: String) {
            let inside = outline.intersection(doorway).corners.map { $0.dot(along) - start }
            guard let lower = inside.min(), let upper = inside.max() else { return }
            taken.append((lower, upper))
            obstacle = obstacle ?? id
        }
        if whole > 0 {
            let standing = elements.filter {
                $0.isSolid && $0.kind != .wheelchair && $0.elevation < Self.doorwayHeight
                    && $0.rectangle.bounds.meets(near) && Overlap($0.outline, doorway) != nil
            }
            for element in standing.sorted(by: { $0.id < $1.id }) {
                take(element.outline, of: element.id)
            }
            let crossing = others.filter { $0.rectangle.bounds.meets(near) }
            for other in crossing.sorted(by: { $0.id < $1.id }) {
                for piece in pieces(of: other, in: opening, of: wall) {
                    take(piece, of: other.id)
                }
            }
        }
        guard obstacle != nil else {
            return ClearWidth(width: Double(open), open: open, stop: stop, obstacle: nil)
        }
        let hinges = opening.hingesAtEnd ? Double(open) : 0
        taken.append((lower: hinges, upper: hinges + Double(whole - open)))
        var (free, widest) = (0.0, 0.0)
        for stretch in taken.sorted(by: { $0.lower < $1.lower }) {
            widest = max(widest, stretch.lower - free)
            free = max(free, stretch.upper)
        }
        widest = max(widest, Double(whole) - free)
        return ClearWidth(width: widest, open: open, stop: stop, obstacle: obstacle)
    }

    /// The clear widths of the doors and passages of a plan, by their ids.
    ///
    /// - Parameters:
    ///   - walls: walls within a room or in a doorway.
    ///   - stops: what stops the doors among these walls; nil to find out.
    package func clearWidths(
        amongWalls walls: [Wall], stops: [String: [DoorStop]]? = nil
    ) -> [String: ClearWidth] {
        let stops = stops ?? doorStops(amongWalls: walls)
        let things = Array(elements.values)
        var (thingIndex, wallIndex) = (SpatialIndex(cell: 2_000), SpatialIndex(cell: 2_000))
        for (number, thing) in things.enumerated() {
            thingIndex.put(number, at: thing.rectangle.bounds)
        }
        for (number, wall) in walls.enumerated() {
            wallIndex.put(number, at: wall.rectangle.bounds)
        }
        var widths: [String: ClearWidth] = [:]
        for opening in openings.values where opening.isPassable {
            if WorkLimit.isOver { break }
            guard let wall = self.walls[opening.wall] else { continue }
            let doorway = wall.doorway(opening).bounds
            var (near, crossing): ([Element], [Wall]) = ([], [])
            thingIndex.forEach(meeting: doorway) { near.append(things[$0]) }
            wallIndex.forEach(meeting: doorway) { crossing.append(walls[$0]) }
            widths[opening.id] = clearWidth(
                of: opening, in: wall, stop: stops[opening.id]?.first, elements: near,
                among: crossing)
        }
        return widths
    }
}
