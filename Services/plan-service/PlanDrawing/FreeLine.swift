import FloorPlan
import Papers

/// Where dimensions are drawn: their lines cross neither furniture nor texts.
extension Sketch {
    /// What a text or a line may not lie on.
    struct Obstacle {
        /// Its outline on the sheet.
        let outline: ConvexPolygon
        /// The bounds of its outline.
        let bounds: Bounds

        init(_ outline: ConvexPolygon) { (self.outline, bounds) = (outline, outline.bounds) }

        /// A line of the width that is drawn.
        init(from start: Vector, to end: Vector) {
            let across = (end - start).left.unit * 0.1
            self.init(
                ConvexPolygon(hullOf: [start - across, end - across, end + across, start + across]))
        }
    }

    /// The elements near a part of the plan.
    func things(near bounds: Bounds) -> [Obstacle] {
        var found: [Obstacle] = []
        thingIndex.forEach(meeting: bounds) { found.append(things[$0]) }
        return found
    }

    /// The elements near a dimension line and its text, of those that meet the bounds of its room.
    ///
    /// - Parameters:
    ///   - line: a line of the plan, part of which is within the bounds.
    ///   - bounds: the bounds of the room.
    func things(near line: Segment, within bounds: Bounds) -> [Obstacle] {
        // The text, above its line, reaches less far than this.
        let near = Bounds([line.start, line.end]).grown(by: 5 * sheet.scale)
        // Three rectangles of which any two meet have a part in common.
        return things(
            near: Bounds(
                low: Vector(max(near.low.x, bounds.low.x), max(near.low.y, bounds.low.y)),
                high: Vector(min(near.high.x, bounds.high.x), min(near.high.y, bounds.high.y))))
    }

    /// True if a text would lie on one of these things.
    static func lies(_ text: Drawing.Text, onOneOf things: [Obstacle]) -> Bool {
        let box = ConvexPolygon(counterClockwise: text.turnedCorners.map(\.vector))
        let bounds = box.bounds
        return things.contains {
            $0.bounds.meets(bounds) && Overlap(box, $0.outline, tolerance: 0.05) != nil
        }
    }

    /// How far a line stays away from things and texts, in millimetres on the sheet.
    private static let margin = 0.4
    /// Shorter pieces aren't drawn.
    private static let shortestPiece = 0.8

    /// The pieces of a line that cross nothing, as fractions of its length. There are none if one
    /// of its ends is on a thing, because then nobody could see where the line begins and ends.
    ///
    /// - Parameters:
    ///   - start: where it begins on the sheet.
    ///   - end: where it ends.
    ///   - things: what the line may not cross, besides texts.
    func pieces(
        from start: Drawing.Point, to end: Drawing.Point, among things: [Obstacle] = []
    ) -> [ClosedRange<Double>] {
        let (start, end) = (start.vector, end.vector)
        let length = start.distance(to: end)
        guard length > Self.shortestPiece else { return [] }
        // The outline of an element has right angles: at its corners the margin reaches less far.
        let bounds = Bounds([start, end]).grown(by: 2 * Self.margin)
        var hidden = things.filter { $0.bounds.meets(bounds) }
            .compactMap { Self.share(of: start, end, in: $0.outline) }
        guard !hidden.contains(where: { $0.contains(0) || $0.contains(1) }) else { return [] }
        for at in stride(from: 0, through: length, by: 0.5) {
            let place = start + (end - start) * (at / length)
            let isEnd = min(at, length - at) < 1.5
            guard taken.isHindrance(at: Drawing.Point(place.x, place.y), isEnd: isEnd)
            else { continue }
            hidden.append(max(0, (at - 1) / length)...min(1, (at + 1) / length))
        }
        var pieces: [ClosedRange<Double>] = []
        var begin = 0.0
        for part in hidden.sorted(by: { $0.lowerBound < $1.lowerBound }) + [1...1] {
            if (part.lowerBound - begin) * length >= Self.shortestPiece {
                pieces.append(begin...part.lowerBound)
            }
            begin = max(begin, part.upperBound)
        }
        return pieces
    }

    /// The part of a line that is in an outline, or close to it; nil for none.
    private static func share(
        of start: Vector, _ end: Vector, in outline: ConvexPolygon
    ) -> ClosedRange<Double>? {
        let along = end - start
        var (low, high) = (0.0, 1.0)
        var previous = outline.corners[outline.corners.count - 1]
        for corner in outline.corners {
            let out = -(corner - previous).left.unit
            let (speed, away) = (along.dot(out), (start - previous).dot(out) - margin)
            previous = corner
            if abs(speed) < 1e-9 {
                if away >= 0 { return nil }
            } else if speed > 0 {
                high = min(high, -away / speed)
            } else {
                low = max(low, -away / speed)
            }
        }
        return low < high ? low...high : nil
    }
}

extension Drawing.Point {
    /// The vector from the origin of the sheet.
    var vector: Vector { Vector(x, y) }
}
