import Foundation

/// A convex outline; its corners run counter-clockwise.
package struct ConvexPolygon: Hashable, Sendable {
    package let corners: [Vector]

    /// The corners must be convex and run counter-clockwise.
    package init(counterClockwise corners: [Vector]) { self.corners = corners }

    /// The smallest convex outline around some points, by the monotone chain of A. M. Andrew
    /// (1979).
    package init(hullOf points: [Vector]) {
        // Round to the nanometre: a side between points that differ by less has no direction, and
        // sums depend on the directions of sides.
        let distinct = Set(
            points.map { Vector(($0.x * 1e6).rounded() / 1e6, ($0.y * 1e6).rounded() / 1e6) })
        let sorted = distinct.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else {
            corners = sorted
            return
        }
        let lower = Self.chain(sorted)
        let upper = Self.chain(sorted.reversed())
        corners = Array(lower.dropLast() + upper.dropLast())
    }

    private static func chain(_ points: some Sequence<Vector>) -> [Vector] {
        var chain: [Vector] = []
        for point in points {
            while chain.count > 1,
                (chain[chain.count - 1] - chain[chain.count - 2])
                    .cross(point - chain[chain.count - 1]) <= 0
            {
                chain.removeLast()
            }
            chain.append(point)
        }
        return chain
    }

    /// A rectangle about its centre, turned by an angle in radians.
    package init(centre: Vector, width: Double, depth: Double, angle: Double) {
        let turn = Vector(angle: angle)
        let (x, y) = (turn * (width / 2), turn.left * (depth / 2))
        corners = [centre - x - y, centre + x - y, centre + x + y, centre - x + y]
    }

    /// An outline around an ellipse with the given axes along x and y, about the origin. No point
    /// of the ellipse is outside; with 64 sides it is at most 0.12 % of the longer half axis away.
    /// It touches the ellipse at the ends of both axes.
    package init(aroundEllipse width: Double, _ depth: Double, sides: Int = 64) {
        let step = 2 * Double.pi / Double(sides)
        let reach = 1 / cos(step / 2)
        corners = (0..<sides).map { side in
            let direction = Vector(angle: (Double(side) + 0.5) * step)
            return Vector(direction.x * width / 2 * reach, direction.y * depth / 2 * reach)
        }
    }

    package var bounds: Bounds { Bounds(corners) }
    package var polygon: Polygon { Polygon(corners) }

    package func moved(by offset: Vector) -> ConvexPolygon {
        ConvexPolygon(counterClockwise: corners.map { $0 + offset })
    }

    /// The polygon turned about the origin by a rotation.
    package func turned(by rotation: Vector) -> ConvexPolygon {
        ConvexPolygon(counterClockwise: corners.map { $0.turned(by: rotation) })
    }

    /// The polygon scaled about the origin.
    package func scaled(by factor: Double) -> ConvexPolygon {
        ConvexPolygon(counterClockwise: corners.map { $0 * factor })
    }

    /// The Minkowski sum: every point of one moved by every point of the other. Its sides are those
    /// of both, in the order of their angles; neither may have a corner on a straight line.
    package func sum(_ other: ConvexPolygon) -> ConvexPolygon {
        var corners: [Vector] = []
        Self.sum(fromLowest, other.fromLowest, into: &corners)
        return ConvexPolygon(counterClockwise: corners)
    }

    /// Computes the sum of two outlines that begin with their lowest corners, in a list that is
    /// reused between sums.
    static func sum(_ a: [Vector], _ b: [Vector], into sum: inout [Vector]) {
        sum.removeAll(keepingCapacity: true)
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            let from = a[i < a.count ? i : 0]
            let with = b[j < b.count ? j : 0]
            sum.append(from + with)
            var turn = i < a.count ? 1.0 : -1
            if i < a.count, j < b.count {
                let side = a[i + 1 < a.count ? i + 1 : 0] - from
                turn = side.cross(b[j + 1 < b.count ? j + 1 : 0] - with)
            }
            if turn >= 0 { i += 1 }
            if turn <= 0 { j += 1 }
        }
    }

    /// The corners, lowest first.
    var fromLowest: [Vector] {
        let lowest = corners.indices.min {
            (corners[$0].y, corners[$0].x) < (corners[$1].y, corners[$1].x)
        }
        return Array(corners[(lowest ?? 0)...] + corners[..<(lowest ?? 0)])
    }

    /// The intersection with another polygon, by clipping at each side of the other (I. E.
    /// Sutherland and G. W. Hodgman, 1974); it has no corners if they don't meet.
    package func intersection(_ other: ConvexPolygon) -> ConvexPolygon {
        var kept = corners
        for side in other.polygon.sides {
            let heights = kept.map { side.along.cross($0 - side.start) }
            var cut: [Vector] = []
            for (index, corner) in kept.enumerated() {
                let before = (index + kept.count - 1) % kept.count
                let (from, to) = (heights[before], heights[index])
                if (from < 0) != (to < 0) {
                    cut.append(kept[before] + (corner - kept[before]) * (from / (from - to)))
                }
                if to >= 0 { cut.append(corner) }
            }
            kept = cut
        }
        return ConvexPolygon(hullOf: kept)
    }

    /// The area that it sweeps when it moves along a straight line.
    package func swept(along way: Vector) -> ConvexPolygon {
        ConvexPolygon(hullOf: corners + corners.map { $0 + way })
    }

    /// How deep a point is inside: the distance to the nearest side; negative outside, where it is
    /// at most the true distance.
    package func depth(of point: Vector) -> Double {
        var depth = Double.infinity
        var previous = corners[corners.count - 1]
        for corner in corners {
            let side = corner - previous
            let height = side.cross(point - previous) / side.length
            depth = min(depth, height)
            previous = corner
        }
        return depth
    }
}
