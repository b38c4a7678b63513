/// A straight line between two points.
package struct Segment: Hashable, Sendable {
    package var start: Vector
    package var end: Vector

    package init(_ start: Vector, _ end: Vector) {
        self.start = start
        self.end = end
    }

    package var along: Vector { end - start }
    package var length: Double { along.length }
    package var bounds: Bounds { Bounds([start, end]) }

    /// The point of the segment nearest to a point.
    package func nearest(to point: Vector) -> Vector {
        let along = along
        let square = along.lengthSquared
        guard square > 0 else { return start }
        let share = (point - start).dot(along) / square
        return start + along * min(max(share, 0), 1)
    }

    package func distance(to point: Vector) -> Double { nearest(to: point).distance(to: point) }
}

extension Segment {
    /// True if the two have a point in common.
    package func meets(_ other: Segment) -> Bool {
        func side(_ point: Vector, of segment: Segment) -> Double {
            segment.along.cross(point - segment.start)
        }
        let (a, b) = (side(other.start, of: self), side(other.end, of: self))
        let (c, d) = (side(start, of: other), side(end, of: other))
        if a == 0, b == 0 { return bounds.meets(other.bounds) }
        return a * b <= 0 && c * d <= 0
    }
}
