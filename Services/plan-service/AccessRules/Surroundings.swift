import FloorPlan
import Messages

/// A view over the floor from a line, to measure how far it is free.
struct View {
    /// The direction of view, one millimetre long.
    let direction: Vector
    /// Where the line begins.
    let origin: Vector
    /// The range along the line, which leads to the left of the direction.
    let band: ClosedRange<Double>
    /// By how much things may be off across it, in millimetres: whatever is that near to an end of
    /// the band may stand in it.
    var aside: (lower: Double, upper: Double) = (0, 0)
    /// What the element itself takes up along the line, and how far its face is behind that. What
    /// stands beside it there can't come nearer than its side.
    var own: (range: ClosedRange<Double>, behind: Double)?

    /// The overlap below which an obstacle only touches the band, in millimetres.
    static let touch = 1.0
    /// The accuracy of computed measures, in millimetres.
    private static let exactness = 0.01
    /// How far an element against a wall may be inside the wall without being hidden by it, in
    /// millimetres.
    static let leaning = 20.0

    /// How far the floor of a room is free, in millimetres; 0 if the line isn't inside.
    func extent(in outline: Polygon, _ obstacles: [ConvexPolygon]) -> Double {
        guard band.upperBound - band.lowerBound > 0 else { return 0 }
        let middle = (band.lowerBound + band.upperBound) / 2
        // Begin beyond whatever is only touched, so that no wall is both left out and passed by.
        let away = Self.touch + 2 * Self.exactness
        let start = origin + direction.left * middle + direction * away
        guard outline.contains(start) else { return 0 }
        var nearest = Double.infinity
        for side in outline.sides { meet([side.start, side.end], &nearest) }
        for obstacle in obstacles { meet(obstacle.corners, &nearest) }
        return nearest
    }

    /// How much farther the floor is free than it must be, in millimetres; negative if it isn't.
    ///
    /// What is missing is the smallest change that helps: moving whatever is in the view straight
    /// back, or aside as far as the walls leave room.
    func margin(
        _ required: Double, in outline: Polygon, _ obstacles: [ConvexPolygon]
    ) -> Double {
        let margin = extent(in: outline, obstacles) - required
        guard margin < 0, required > 0, band.upperBound > band.lowerBound else { return margin }
        let open = extent(in: outline, []) - required
        guard open > margin else { return margin }
        let corners: [(Double, Double)] =
            [(0, band.lowerBound), (required, band.lowerBound)]
            + [(required, band.upperBound), (0, band.upperBound)]
        let zone = ConvexPolygon(
            counterClockwise: corners.map { origin + direction * $0.0 + direction.left * $0.1 })
        let deepest = obstacles.reduce(0) { deepest, obstacle in
            max(deepest, Overlap(zone, obstacle, tolerance: 0)?.depth ?? 0)
        }
        return max(margin, min(open, -deepest, -1))
    }

    /// Shortens the view to where it meets a convex outline.
    private func meet(_ corners: [Vector], _ nearest: inout Double) {
        var (first, last) = (Double.infinity, -Double.infinity)
        func take(_ way: Double) {
            first = min(first, way)
            last = max(last, way)
        }
        let band = reach(towards: corners)
        var previous = local(corners[corners.count - 1])
        for corner in corners {
            let next = local(corner)
            if band.contains(next.y) { take(next.x) }
            for edge in [band.lowerBound, band.upperBound]
            where (previous.y < edge) != (next.y < edge) {
                let share = (edge - previous.y) / (next.y - previous.y)
                take(previous.x + (next.x - previous.x) * share)
            }
            previous = next
        }
        guard last > Self.touch + Self.exactness else { return }
        nearest = min(nearest, max(first, 0))
    }

    private func local(_ place: Vector) -> Vector {
        let way = place - origin
        return Vector(way.dot(direction), way.dot(direction.left))
    }

    /// The band for a convex outline: wider by how much that may be off across it.
    private func reach(towards corners: [Vector]) -> ClosedRange<Double> {
        guard aside.lower > 0 || aside.upper > 0 else { return band }
        let places = corners.map(local)
        let lower = isHeld(places, atUpper: false) ? 0 : aside.lower
        let upper = isHeld(places, atUpper: true) ? 0 : aside.upper
        return (band.lowerBound - lower)...(band.upperBound + upper)
    }

    /// True if the band ends with the element, and an outline stands beside the element there, with
    /// no place nearer to the band than the one beside it.
    private func isHeld(_ places: [Vector], atUpper: Bool) -> Bool {
        guard let own else { return false }
        let sign = atUpper ? 1.0 : -1.0
        let end = atUpper ? own.range.upperBound : own.range.lowerBound
        let far = atUpper ? band.upperBound : band.lowerBound
        let nearest = places.map { sign * ($0.y - end) }.min() ?? -.infinity
        guard sign * (far - end) <= Self.touch, nearest >= -Self.touch else { return false }
        var beside = Double.infinity
        var previous = places[places.count - 1]
        for next in places {
            let face = -own.behind - Self.touch
            let (from, to) = (previous.x - face, next.x - face)
            if (from < 0) != (to < 0) {
                let y = previous.y + (next.y - previous.y) * from / (from - to)
                beside = min(beside, sign * (y - end))
            }
            previous = next
        }
        return beside <= nearest + Self.touch
    }
}

/// An element as its rules see it, with views to its right, its left, its front and its rear.
struct Fixture {
    let element: Element
    let across: Vector
    let halfWidth: Double
    let halfDepth: Double

    init(_ element: Element) {
        self.element = element
        across = Vector(angle: element.turn)
        halfWidth = Double(element.width) / 2
        halfDepth = Double(element.depth) / 2
    }

    /// The direction to its rear.
    var rear: Vector { across.left }

    /// The view from a side outward, along the element except for a part at its rear. `from` is the
    /// distance of the line from its centre.
    /// - Parameter error: by how much things may be off across the view, in millimetres.
    func side(
        east: Bool, from start: Double, exceptRear: Double = 0, reaching depth: Double? = nil,
        behind gap: Double = 0, off error: Double = 0
    ) -> View {
        let rearEnd = halfDepth + gap - max(exceptRear, View.leaning)
        let frontEnd = (depth.map { halfDepth + gap - $0 } ?? -halfDepth) + View.touch
        // What is behind the element stands still.
        let atRear = min(error, max(exceptRear - View.leaning, 0))
        // Left of east is its rear, left of west its front.
        return View(
            direction: east ? across : -across,
            origin: element.place + (east ? across : -across) * start,
            band: east
                ? min(frontEnd, rearEnd)...max(frontEnd, rearEnd)
                : min(-rearEnd, -frontEnd)...max(-rearEnd, -frontEnd),
            aside: east
                ? (lower: error, upper: atRear) : (lower: atRear, upper: error),
            own: (range: -halfDepth...halfDepth, behind: 0))
    }

    /// The view from its front outward, or from farther ahead, over its width or a range relative
    /// to its centre, to its east.
    /// - Parameter error: by how much things may be off across the view, in millimetres.
    func front(
        _ range: ClosedRange<Double>? = nil, ahead: Double = 0, off error: Double = 0
    ) -> View {
        let range = range ?? -halfWidth...halfWidth
        // Left of the front is its east.
        let inset = min(View.touch, (range.upperBound - range.lowerBound) / 4)
        return View(
            direction: -rear, origin: element.place - rear * (halfDepth + ahead),
            band: (range.lowerBound + inset)...(range.upperBound - inset),
            aside: (lower: error, upper: error),
            own: (range: -halfWidth...halfWidth, behind: ahead))
    }

    /// The view from its front to its rear, under it and beside it, over a range relative to its
    /// centre, to its east.
    /// - Parameter error: by how much things beside it may be off across the view, in millimetres:
    ///   none comes under it.
    func under(_ range: ClosedRange<Double>, off error: Double = 0) -> View {
        // Left of the rear is its west.
        let inset = min(View.touch, (range.upperBound - range.lowerBound) / 4)
        let beyond = halfWidth + inset
        return View(
            direction: rear, origin: element.place - rear * halfDepth,
            band: (inset - range.upperBound)...(-inset - range.lowerBound),
            aside: (
                lower: range.upperBound > beyond ? error : 0,
                upper: range.lowerBound < -beyond ? error : 0
            ))
    }

    /// How near a wall has to be for the element to stand at it, in millimetres.
    static let near = 300.0

    /// The distance from its rear to the wall behind it if one is near, else 0.
    func gap(in outline: Polygon) -> Double {
        let view = View(
            direction: rear, origin: element.place,
            band: (-halfWidth / 2)...(halfWidth / 2))
        let gap = view.extent(in: outline, []) - halfDepth
        return gap > 0 && gap < Self.near ? gap : 0
    }

    /// How far its two rear corners are from the outline behind them, in millimetres.
    func gapsBehind(in outline: Polygon) -> [Double] {
        let (inner, outer) = (halfWidth - 2 * View.touch, halfWidth - View.touch)
        return [-outer...(-inner), inner...outer].map { band in
            View(direction: rear, origin: element.place, band: band).extent(in: outline, [])
                - halfDepth
        }
    }

    /// True if its front is at a wall and its rear isn't, as when it was drawn back to front.
    func hasFrontAtWall(of outline: Polygon, _ walls: [ConvexPolygon]) -> Bool {
        let middle = (-halfWidth / 2)...(halfWidth / 2)
        let behind = View(
            direction: rear, origin: element.place + rear * halfDepth, band: middle)
        return front(middle).extent(in: outline, walls) < Self.near
            && behind.extent(in: outline, walls) >= Self.near
    }
}
