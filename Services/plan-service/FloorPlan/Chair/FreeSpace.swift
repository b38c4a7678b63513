/// The floor that is free: inside some areas, outside of what stands on them. Areas are rooms and
/// the openings between them; they and what stands on them may overlap and may touch.
package struct FreeSpace: Sendable {
    package let areas: [Polygon]
    package let obstacles: [Polygon]
    /// Where the areas together end, and every side of the obstacles.
    let edges: [Segment]
    /// The same as convex outlines: obstacles where they are, and else edges one by one.
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

    /// True when a point is free. On an edge either answer is possible.
    package func contains(_ point: Vector) -> Bool {
        areas.contains { $0.contains(point) } && !obstacles.contains { $0.contains(point) }
    }

    /// The parts of the sides of some areas beyond which no other area goes on.
    private static func outline(of areas: [Polygon]) -> [Segment] {
        guard areas.count > 1 else { return areas.flatMap(\.sides) }
        let places = areas.map { $0.bounds.grown(by: 1) }
        return areas.indices.flatMap { index -> [Segment] in
            areas[index].sides.flatMap { side -> [Segment] in
                let near = areas.indices.filter {
                    $0 != index && places[$0].meets(side.bounds)
                }
                return side.pieces(outside: near.map { areas[$0] })
            }
        }
    }
}

extension Segment {
    /// What is left of a counter-clockwise area's side where none of the others lies beyond it.
    fileprivate func pieces(outside others: [Polygon]) -> [Segment] {
        guard !others.isEmpty, length > 0 else { return [self] }
        // Beyond the side by less than a plan can tell.
        let beyond = -along.left.unit * 0.5
        let shifted = Segment(start + beyond, end + beyond)
        let cuts = others.flatMap(\.sides).flatMap(shifted.cuts) + [0, 1]
        let sorted = cuts.sorted()
        return zip(sorted, sorted.dropFirst()).compactMap { from, to in
            guard to - from > 1e-9 else { return nil }
            let middle = shifted.start + along * ((from + to) / 2)
            guard !others.contains(where: { $0.contains(middle) }) else { return nil }
            return Segment(start + along * from, start + along * to)
        }
    }

    /// At which shares of this segment the other crosses it.
    func cuts(with other: Segment) -> [Double] {
        let across = along.cross(other.along)
        guard abs(across) > 1e-9 else { return [] }
        let between = other.start - start
        let (own, others) = (between.cross(other.along) / across, between.cross(along) / across)
        return (0...1).contains(own) && (0...1).contains(others) ? [own] : []
    }
}

extension FreeSpace {
    /// The largest circle that lies in the free floor, and where.
    package struct Circle: Hashable, Sendable {
        package let centre: Vector
        /// Millimetres; the true radius is no more than the precision larger.
        package let radius: Double
    }

    /// The largest circle that lies in the free floor; nothing when there is none. `precision` is
    /// in millimetres.
    ///
    /// Branch and bound: no point of a square has a clearance above that of its centre plus half
    /// its diagonal, because the clearance changes by no more than the way gone. The square that
    /// can hold the best is quartered until none can hold one that is better by the precision.
    /// - Parameter enough: Stops as soon as one of this radius is found.
    /// - Parameter least: A circle of a smaller radius isn't worth its name; without such an end a
    ///   floor that is wholly covered would be searched along every edge.
    package func largestCircle(
        precision: Double = 0.1, least: Double = 10, enough: Double = .infinity
    ) -> Circle? {
        var search = SquareSearch(bounds, items: edges.count)
        return search.run(precision: precision, least: least, enough: enough) {
            centre, kept, reach in
            // What is farther than the nearest by more than the square's width is nearest for none
            // of its points.
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
        }.map { Circle(centre: $0.place, radius: $0.value) }
    }
}
