/// An outline without holes that does not cross itself, clockwise or counter-clockwise.
package struct Polygon: Hashable, Sendable {
    /// Its corners in order, each once.
    package var corners: [Vector]

    package init(_ corners: [Vector]) { self.corners = corners }

    /// Its sides; the last leads back to the first corner.
    package var sides: [Segment] {
        corners.indices.map { Segment(corners[$0], corners[($0 + 1) % corners.count]) }
    }

    package var bounds: Bounds { Bounds(corners) }

    /// Twice the area is the sum of the cross products of the corners (the shoelace formula);
    /// positive if the corners run counter-clockwise. Square millimetres.
    package var signedArea: Double {
        guard let first = corners.first else { return 0 }
        // Compute relative to a corner, so that a plan far from the origin loses no precision.
        return zip(corners, corners.dropFirst() + [first]).reduce(0) { sum, side in
            sum + (side.0 - first).cross(side.1 - first)
        } / 2
    }

    package var area: Double { abs(signedArea) }

    /// The same outline with its corners counter-clockwise.
    package var counterClockwise: Polygon {
        signedArea < 0 ? Polygon(corners.reversed()) : self
    }

    /// True if it turns left at each of its corners, which must run counter-clockwise.
    package var isConvex: Bool {
        let sides = sides
        return corners.count > 2
            && sides.indices.allSatisfy {
                sides[$0].along.cross(sides[($0 + 1) % sides.count].along) > 0
            }
    }

    /// True if a point is inside, by the number of sides that a ray to the east crosses. On the
    /// outline either answer is possible.
    package func contains(_ point: Vector) -> Bool {
        var inside = false
        var previous = corners.count - 1
        for index in corners.indices {
            let (a, b) = (corners[index], corners[previous])
            if (a.y > point.y) != (b.y > point.y),
                point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
            {
                inside.toggle()
            }
            previous = index
        }
        return inside
    }

    /// The distance from a point to the nearest point of the outline.
    package func distanceToOutline(from point: Vector) -> Double {
        sides.reduce(.infinity) { min($0, $1.distance(to: point)) }
    }
}

extension Polygon {
    /// True if two sides that are not neighbours meet.
    package var crossesItself: Bool {
        let sides = sides
        for first in sides.indices {
            for second in sides.indices where second > first + 1 {
                guard first != 0 || second != sides.count - 1 else { continue }
                if sides[first].meets(sides[second]) { return true }
            }
        }
        return false
    }
}

extension Polygon {
    /// The area that two polygons have in common, in square millimetres.
    ///
    /// Between two heights without corners or crossings of sides, the common area consists of
    /// trapezoids, whose width in the middle is their mean width.
    package func commonArea(with other: Polygon) -> Double {
        let (low, high) = (
            max(bounds.low.y, other.bounds.low.y), min(bounds.high.y, other.bounds.high.y)
        )
        guard low < high, bounds.meets(other.bounds) else { return 0 }
        let others = other.sides
        var heights = (corners + other.corners).map(\.y)
        for side in sides {
            for other in others {
                heights += side.cuts(with: other).map { side.start.y + side.along.y * $0 }
            }
        }
        let sorted = heights.filter { (low...high).contains($0) }.sorted()
        return zip(sorted, sorted.dropFirst()).reduce(0) { sum, strip in
            guard strip.1 > strip.0 else { return sum }
            let middle = (strip.0 + strip.1) / 2
            let others = other.spans(at: middle)
            let width = spans(at: middle).reduce(0) { width, span in
                others.reduce(width) {
                    $0 + max(0, min($1.1, span.1) - max($1.0, span.0))
                }
            }
            return sum + width * (strip.1 - strip.0)
        }
    }

    /// The intervals that it covers at a height at which it has no corner.
    private func spans(at height: Double) -> [(Double, Double)] {
        let crossings = sides.filter { ($0.start.y > height) != ($0.end.y > height) }.map {
            $0.start.x + $0.along.x * ((height - $0.start.y) / $0.along.y)
        }.sorted()
        return stride(from: 0, to: crossings.count - 1, by: 2).map {
            (crossings[$0], crossings[$0 + 1])
        }
    }
}
