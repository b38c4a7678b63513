/// An overlap of two outlines, and the shortest move that separates them.
package struct Overlap: Hashable, Sendable {
    /// How far to move one until they only touch, in millimetres.
    package let depth: Double
    /// The direction in which to move the first, one millimetre long.
    package let direction: Vector

    /// The largest overlap of interiors that counts as touching, in millimetres: measurements are
    /// only to the millimetre.
    package static let tolerance = 1.0

    /// The overlap of two convex outlines; nil if they are apart or touch. By the separating axis
    /// theorem they are apart exactly if their projections on the normal of one of their sides are.
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
    /// The least and the greatest coordinate of its corners along a direction.
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

/// A rectangle with an angle, prepared for many comparisons.
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

    /// The rectangle as a polygon.
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

    /// True if the interiors overlap by more than the tolerance along each of the four axes of the
    /// separating axis theorem, computed without corners.
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
