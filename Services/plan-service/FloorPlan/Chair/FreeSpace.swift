/// The free floor: inside areas and outside the obstacles on them. Areas are rooms and the openings
/// between them; areas and obstacles may overlap and touch.
package struct FreeSpace: Sendable {
    package let areas: [Polygon]
    package let obstacles: [Polygon]
    /// The outer edges of all areas together, and every side of the obstacles.
    let edges: [Segment]
    /// The same as convex outlines: convex obstacles as a whole, and otherwise single edges.
    let barriers: [ConvexPolygon]
    let bounds: Bounds

    package init(areas: [Polygon], obstacles: [Polygon] = []) {
        self.areas = areas.map(\.counterClockwise)
        let bounds = areas.map(\.bounds).reduce(Bounds([])) { $0.union($1) }
        self.bounds = bounds
        self.obstacles = obstacles.filter { $0.bounds.meets(bounds) }
        let obstacles = self.obstacles.map(\.counterClockwise)
        let convex = obstacles.filter(\.isConvex)
        let loose =
            (Self.outline(of: self.areas)
            + obstacles.filter { !$0.isConvex }.flatMap(\.sides))
            .filter { $0.start != $0.end }
        edges = loose + convex.flatMap(\.sides).filter { $0.start != $0.end }
        barriers =
            convex.map { ConvexPolygon(counterClockwise: $0.corners) }
            + loose.map { ConvexPolygon(counterClockwise: [$0.start, $0.end]) }
    }

    /// True if a point is free. On an edge either answer is possible.
    package func contains(_ point: Vector) -> Bool {
        areas.contains { $0.contains(point) } && !obstacles.contains { $0.contains(point) }
    }

    /// The parts of the areas' sides that have no other area beyond them.
    private static func outline(of areas: [Polygon]) -> [Segment] {
        guard areas.count > 1 else { return areas.flatMap(\.sides) }
        let places = areas.map { $0.bounds.grown(by: 1) }
        return areas.indices.flatMap { index -> [Segment] in
            areas[index].sides.flatMap { side -> [Segment] in
                if WorkLimit.isOver { return [] }
                let near = areas.indices.filter {
                    $0 != index && places[$0].meets(side.bounds)
                }
                return side.pieces(outside: near.map { areas[$0] })
            }
        }
    }
}

extension Segment {
    /// The parts of a counter-clockwise area's side that have none of the others beyond them.
    func pieces(outside others: [Polygon]) -> [Segment] {
        guard !others.isEmpty, length > 0 else { return [self] }
        // Beyond the side by less than the precision of a plan.
        let beyond = -along.left.unit * 0.5
        let shifted = Segment(start + beyond, end + beyond)
        let cuts = others.flatMap(\.sides).flatMap(shifted.cuts) + [0, 1]
        let sorted = cuts.sorted()
        return zip(sorted, sorted.dropFirst()).enumerated().compactMap { number, ends in
            let (from, to) = ends
            guard to - from > 1e-9, number & 63 != 63 || !WorkLimit.isOver else { return nil }
            let middle = shifted.start + along * ((from + to) / 2)
            guard !others.contains(where: { $0.contains(middle) }) else { return nil }
            return Segment(start + along * from, start + along * to)
        }
    }

    /// The fractions of this segment at which the other crosses it.
    func cuts(with other: Segment) -> [Double] {
        let across = along.cross(other.along)
        guard abs(across) > 1e-9 else { return [] }
        let between = other.start - start
        let (own, others) = (between.cross(other.along) / across, between.cross(along) / across)
        return (0...1).contains(own) && (0...1).contains(others) ? [own] : []
    }
}

extension FreeSpace {
    /// The largest circle in the free floor, and its place.
    package struct Circle: Hashable, Sendable {
        package let centre: Vector
        /// The radius in millimetres: that of a circle that touches, so never too large; the true
        /// one is larger by at most the precision.
        package let radius: Double
    }

    /// The largest circle in the free floor; nil if there is none. `precision` is in millimetres.
    ///
    /// Branch and bound: no point of a square has a clearance above that of its centre plus half
    /// its diagonal, because the clearance changes by no more than the distance moved. The most
    /// promising square is quartered until none can have a circle that is better by the precision.
    /// - Parameter enough: Stops as soon as a circle with this radius is found.
    /// - Parameter least: The smallest radius to search for; without it a floor that is completely
    ///   covered would be searched along every edge.
    package func largestCircle(
        precision: Double = 0.1, least: Double = 10, enough: Double = .infinity
    ) -> Circle? {
        var search = SquareSearch(bounds, items: edges.count)
        let found = search.run(precision: precision, least: least, enough: enough) {
            centre, kept, reach in
            // An edge that is farther than the nearest by more than the square's width is not the
            // nearest for any of its points.
            var distances: [Double] = []
            distances.reserveCapacity(kept.count)
            var nearest = Double.infinity
            for index in kept {
                let distance = edges[Int(index)].distance(to: centre)
                distances.append(distance)
                nearest = min(nearest, distance)
            }
            let limit = nearest + 2 * reach
            let near = zip(kept, distances).filter { $0.1 <= limit }.map(\.0)
            return (contains(centre) ? nearest : -nearest, near)
        }
        return found.map { found in
            let best = touching(found.place, found.value) ?? found
            return Circle(centre: best.place, radius: best.value)
        }
    }

    /// The circle about a place, grown and moved until it touches on all sides.
    private func touching(
        _ centre: Vector, _ radius: Double
    ) -> (place: Vector, value: Double)? {
        let near = edges.filter { $0.distance(to: centre) <= radius + 20 }
        return LocalOptimum.climb(from: centre) { place in
            guard contains(place) else { return [] }
            return near.map { edge in
                let way = place - edge.nearest(to: place)
                return (way.length, way.unit)
            }
        }
    }
}
