import FloorPlan

/// The width of the widest path between places on a floor: the largest disc that can be moved from
/// one to the other. The result is exact.
///
/// Represent all obstacles as convex pieces, and join two pieces if the disc doesn't pass between
/// them. Two places are separated if a closed chain of joined pieces runs around one of them and
/// not the other (the nerve of the pieces grown by the radius has the homology of their union).
/// That is the case if the chain crosses the line between the two places an odd number of times. So
/// the pairs of pieces are joined in order of distance; the distance that first closes an odd chain
/// is the width.
struct WidestWay {
    /// Two pieces, and the points where they are nearest to each other.
    private struct Gap {
        let width: Double
        let first: Int
        let second: Int
        let from: Vector
        let to: Vector
    }

    private let pieces: [(outline: ConvexPolygon, bounds: Bounds, middle: Vector)]
    private let gaps: [Gap]
    /// The greatest width that is computed, in millimetres; wider paths are only known to be at
    /// least this wide.
    let most: Double

    /// The maximum number of gaps, which take 56 bytes each: those of 1,400 pieces in one place.
    static let mostGaps = 1_000_000

    /// - Parameters:
    ///   - obstacles: the obstacles on the floor, each convex.
    ///   - mostGaps: the number of gaps beyond which the work is given up.
    init(
        _ outline: Polygon, _ obstacles: [ConvexPolygon], most: Double = 2_500,
        mostGaps: Int = Self.mostGaps
    ) {
        let sides = outline.sides.filter { $0.length > 0 }.map {
            ConvexPolygon(counterClockwise: [$0.start, $0.end])
        }
        let pieces = (sides + obstacles).map { piece in
            let middle = piece.corners.reduce(.zero, +) * (1 / Double(piece.corners.count))
            return (outline: piece, bounds: piece.bounds, middle: middle)
        }
        self.pieces = pieces
        self.most = most
        var gaps: [Gap] = []
        for first in pieces.indices {
            if gaps.count > mostGaps { WorkLimit.giveUp() }
            if WorkLimit.isOver { break }
            let near = pieces[first].bounds.grown(by: most)
            for second in pieces.indices
            where second > first && near.meets(pieces[second].bounds) {
                let (from, to) = pieces[first].outline.nearest(to: pieces[second].outline)
                let width = from.distance(to: to)
                if width < most {
                    gaps.append(
                        Gap(width: width, first: first, second: second, from: from, to: to))
                }
            }
        }
        self.gaps = gaps.sorted { $0.width < $1.width }
    }

    /// The narrowest place on the widest path.
    struct Narrowest {
        /// Its width, in millimetres.
        let width: Double
        let place: Vector
    }

    /// The stretches of a line along which a disc can be moved with its centre on the line.
    func stretches(of line: Segment, radius: Double) -> [Segment] {
        let along = line.along.unit
        let near = line.bounds.grown(by: max(radius, 0))
        let blocked = pieces.filter { $0.bounds.meets(near) }
            .compactMap { $0.outline.stretch(from: line.start, along, radius: max(radius, 0)) }
            .sorted { $0.lowerBound < $1.lowerBound }
        var stretches: [Segment] = []
        var free = 0.0
        func add(to end: Double) {
            guard end > free else { return }
            stretches.append(Segment(line.start + along * free, line.start + along * end))
        }
        for stretch in blocked {
            add(to: min(stretch.lowerBound, line.length))
            free = max(free, stretch.upperBound)
        }
        add(to: line.length)
        return stretches
    }

    /// The widest path from one free place to another, regardless of the space at the two places
    /// themselves.
    func width(from start: Vector, to end: Vector) -> Narrowest {
        let line = Segment(start, end)
        var chains = Chains(count: pieces.count)
        var narrowest = Narrowest(width: most, place: end)
        for gap in gaps {
            let route = [
                pieces[gap.first].middle, gap.from, gap.to, pieces[gap.second].middle,
            ]
            let crossings = zip(route, route.dropFirst()).count { line.isCrossed(from: $0, to: $1) }
            let isOdd = crossings % 2 == 1
            if chains.join(gap.first, gap.second, isOdd: isOdd) {
                narrowest = Narrowest(width: gap.width, place: (gap.from + gap.to) * 0.5)
                break
            }
        }
        return narrowest
    }
}

/// Chains of pieces, with the parity of each piece relative to the first of its chain: a
/// disjoint-set forest.
private struct Chains {
    private var parents: [Int]
    private var isOdd: [Bool]

    init(count: Int) {
        parents = Array(0..<count)
        isOdd = Array(repeating: false, count: count)
    }

    private mutating func root(_ piece: Int) -> (piece: Int, isOdd: Bool) {
        guard parents[piece] != piece else { return (piece, false) }
        let above = root(parents[piece])
        isOdd[piece] = isOdd[piece] != above.isOdd
        parents[piece] = above.piece
        return (above.piece, isOdd[piece])
    }

    /// Joins two pieces; returns true if that closes an odd chain.
    mutating func join(_ first: Int, _ second: Int, isOdd odd: Bool) -> Bool {
        let (a, b) = (root(first), root(second))
        guard a.piece != b.piece else { return (a.isOdd != b.isOdd) != odd }
        parents[b.piece] = a.piece
        isOdd[b.piece] = (a.isOdd != b.isOdd) != odd
        return false
    }
}

extension Segment {
    /// True if a straight line crosses it. A point on its line always counts as on the same side,
    /// so that the parity of a closed chain is well defined.
    fileprivate func isCrossed(from first: Vector, to second: Vector) -> Bool {
        let (a, b) = (along.cross(first - start), along.cross(second - start))
        guard (a > 0) != (b > 0) else { return false }
        let place = first + (second - first) * (a / (a - b))
        let share = (place - start).dot(along)
        return share > 0 && share < along.lengthSquared
    }

    /// The points where two segments are nearest to each other.
    fileprivate func nearest(to other: Segment) -> (Vector, Vector) {
        if let crossing = crossing(with: other) { return (crossing, crossing) }
        let candidates = [
            (start, other.nearest(to: start)), (end, other.nearest(to: end)),
            (nearest(to: other.start), other.start), (nearest(to: other.end), other.end),
        ]
        return candidates.min {
            ($0.0 - $0.1).lengthSquared < ($1.0 - $1.1).lengthSquared
        } ?? (start, other.start)
    }

    private func crossing(with other: Segment) -> Vector? {
        let across = along.cross(other.along)
        guard abs(across) > 1e-9 else { return nil }
        let between = other.start - start
        let (own, others) = (
            between.cross(other.along) / across, between.cross(along) / across
        )
        guard (0...1).contains(own), (0...1).contains(others) else { return nil }
        return start + along * own
    }
}

extension ConvexPolygon {
    /// The points where two polygons are nearest to each other; a common point if they meet.
    fileprivate func nearest(to other: ConvexPolygon) -> (Vector, Vector) {
        for (inner, outer) in [(self, other), (other, self)] where outer.corners.count > 2 {
            if let corner = inner.corners.first(where: { outer.depth(of: $0) >= 0 }) {
                return (corner, corner)
            }
        }
        var best = (corners[0], other.corners[0])
        var least = Double.infinity
        for side in openSides {
            for otherSide in other.openSides {
                let pair = side.nearest(to: otherSide)
                let distance = (pair.0 - pair.1).lengthSquared
                if distance < least { (best, least) = (pair, distance) }
            }
        }
        return best
    }

    /// The part of a straight line on which a disc moved along it meets the polygon; nil if it
    /// passes. It meets the outline grown by the radius: the sides moved outward, and circles about
    /// the corners.
    fileprivate func stretch(
        from start: Vector, _ along: Vector, radius: Double
    ) -> ClosedRange<Double>? {
        var (first, last) = (Double.infinity, -Double.infinity)
        func take(_ way: Double) { (first, last) = (min(first, way), max(last, way)) }
        func local(_ corner: Vector) -> Vector {
            let way = corner - start
            return Vector(way.dot(along), along.cross(way))
        }
        var previous = local(corners[corners.count - 1])
        for corner in corners {
            let corner = local(corner)
            if abs(corner.y) < radius {
                let half = (radius * radius - corner.y * corner.y).squareRoot()
                take(corner.x - half)
                take(corner.x + half)
            }
            let out = (corner - previous).unit.left * -radius
            let (from, to) = (previous + out, corner + out)
            if (from.y < 0) != (to.y < 0) {
                take(from.x + (to.x - from.x) * (from.y / (from.y - to.y)))
            }
            previous = corner
        }
        return first < last ? first...last : nil
    }

    /// The sides; only one for a line.
    private var openSides: [Segment] {
        corners.count == 2 ? [Segment(corners[0], corners[1])] : polygon.sides
    }
}
