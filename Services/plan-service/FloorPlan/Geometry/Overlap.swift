/// That two outlines lie in each other, and the shortest way apart.
package struct Overlap: Hashable, Sendable {
    /// How far one has to be moved until they only touch, in millimetres.
    package let depth: Double
    /// The direction in which the first has to be moved, one millimetre long.
    package let direction: Vector

    /// Interiors that overlap by no more than this only touch: what is measured to the millimetre
    /// can't say more.
    package static let tolerance = 1.0

    /// The overlap of two convex outlines; nothing when they are apart or touch. By the separating
    /// axis theorem: they are apart exactly when the projections on the normal of one of their
    /// sides are.
    package init?(
        _ first: ConvexPolygon, _ second: ConvexPolygon, tolerance: Double = Self.tolerance
    ) {
        var depth = Double.infinity
        var direction = Vector.zero
        for polygon in [first, second] {
            var previous = polygon.corners[polygon.corners.count - 1]
            for corner in polygon.corners {
                let normal = -(corner - previous).left.unit
                previous = corner
                guard normal != .zero else { continue }
                let (a, b) = (first.extent(along: normal), second.extent(along: normal))
                let (back, forth) = (a.upper - b.lower, b.upper - a.lower)
                guard min(back, forth) > tolerance else { return nil }
                if back < depth { (depth, direction) = (back, -normal) }
                if forth < depth { (depth, direction) = (forth, normal) }
            }
        }
        self.depth = depth
        self.direction = direction
    }
}

extension ConvexPolygon {
    /// The least and the greatest distance of its corners along a direction.
    func extent(along direction: Vector) -> (lower: Double, upper: Double) {
        var (lower, upper) = (Double.infinity, -Double.infinity)
        for corner in corners {
            let distance = corner.dot(direction)
            lower = min(lower, distance)
            upper = max(upper, distance)
        }
        return (lower, upper)
    }
}

/// A rectangle with an angle, made ready for many comparisons.
package struct TurnedRectangle: Sendable {
    let centre: Vector
    /// The direction of its width.
    let axis: Vector
    let halfWidth: Double
    let halfDepth: Double

    package init(centre: Vector, width: Double, depth: Double, angle: Double) {
        self.centre = centre
        axis = Vector(angle: angle)
        halfWidth = width / 2
        halfDepth = depth / 2
    }

    /// The same by its corners.
    package var outline: ConvexPolygon {
        let (x, y) = (axis * halfWidth, axis.left * halfDepth)
        return ConvexPolygon(counterClockwise: [
            centre - x - y, centre + x - y, centre + x + y, centre - x + y,
        ])
    }

    package var bounds: Bounds {
        let reach = Vector(
            abs(axis.x) * halfWidth + abs(axis.y) * halfDepth,
            abs(axis.y) * halfWidth + abs(axis.x) * halfDepth)
        return Bounds(low: centre - reach, high: centre + reach)
    }

    /// True when the interiors overlap by more than the tolerance along every axis: the four of the
    /// separating axis theorem, without making corners.
    package func overlaps(_ other: TurnedRectangle, tolerance: Double = Overlap.tolerance) -> Bool {
        let between = other.centre - centre
        let cosine = abs(axis.dot(other.axis))
        let sine = abs(axis.cross(other.axis))
        let (w, d, v, e) = (halfWidth, halfDepth, other.halfWidth, other.halfDepth)
        return w + v * cosine + e * sine - abs(between.dot(axis)) > tolerance
            && d + v * sine + e * cosine - abs(between.cross(axis)) > tolerance
            && v + w * cosine + d * sine - abs(between.dot(other.axis)) > tolerance
            && e + w * sine + d * cosine - abs(between.cross(other.axis)) > tolerance
    }
}
