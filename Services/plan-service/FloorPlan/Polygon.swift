/// An outline without holes that does not cross itself, in either sense of rotation.
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
    /// positive when the corners run counter-clockwise. Square millimetres.
    package var signedArea: Double {
        guard let first = corners.first else { return 0 }
        // Relative to a corner, so that a plan far from its origin loses no digits.
        return zip(corners, corners.dropFirst() + [first]).reduce(0) { sum, side in
            sum + (side.0 - first).cross(side.1 - first)
        } / 2
    }

    package var area: Double { abs(signedArea) }

    /// The same outline with its corners counter-clockwise.
    package var counterClockwise: Polygon {
        signedArea < 0 ? Polygon(corners.reversed()) : self
    }

    /// True when it turns left at each of its corners; they must run counter-clockwise.
    package var isConvex: Bool {
        let sides = sides
        return corners.count > 2
            && sides.indices.allSatisfy {
                sides[$0].along.cross(sides[($0 + 1) % sides.count].along) > 0
            }
    }

    /// True when a point lies inside, by the number of sides that a ray to the east crosses. On the
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

    /// From a point to the nearest point of the outline.
    package func distanceToOutline(from point: Vector) -> Double {
        sides.reduce(.infinity) { min($0, $1.distance(to: point)) }
    }
}

extension Polygon {
    /// True when two sides that are not neighbours meet.
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
