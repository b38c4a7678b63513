import Foundation

/// A flat shape to place on the floor, made of convex parts around its reference point.
package struct FloorShape: Sendable {
    package let parts: [ConvexPolygon]
    /// The angle after which it looks the same again, in radians.
    package let symmetry: Double

    package init(parts: [ConvexPolygon], symmetry: Double) {
        self.parts = parts
        self.symmetry = symmetry
    }

    /// A rectangle about its centre.
    package static func rectangle(_ width: Double, _ depth: Double) -> FloorShape {
        FloorShape(
            parts: [ConvexPolygon(centre: .zero, width: width, depth: depth, angle: 0)],
            symmetry: width == depth ? .pi / 2 : .pi)
    }

    /// An ellipse about its centre, approximated by an outline around it.
    package static func ellipse(_ width: Double, _ depth: Double) -> FloorShape {
        FloorShape(parts: [ConvexPolygon(aroundEllipse: width, depth)], symmetry: .pi)
    }

    /// A T: a bar, and a stem that leaves from the middle of its long side. ADA 2010, 304.3.2: a
    /// square of 1525 with two corners cut off, with arms and stem 915 wide.
    package static func tee(
        width: Double, depth: Double, bar: Double, stem: Double
    ) -> FloorShape {
        let middle = depth / 2
        return FloorShape(
            parts: [
                ConvexPolygon(
                    centre: Vector(0, bar / 2 - middle), width: width, depth: bar, angle: 0),
                ConvexPolygon(
                    centre: .zero, width: stem, depth: depth, angle: 0),
            ], symmetry: 2 * .pi)
    }

    /// The distance of its farthest point from the reference point.
    var radius: Double { parts.flatMap(\.corners).map(\.length).max() ?? 0 }

    func turned(by angle: Double) -> FloorShape {
        let rotation = Vector(angle: angle)
        return FloorShape(parts: parts.map { $0.turned(by: rotation) }, symmetry: symmetry)
    }

    package func scaled(by factor: Double) -> FloorShape {
        FloorShape(
            parts: parts.map { $0.scaled(by: factor) }, symmetry: symmetry)
    }
}

extension FreeSpace {
    /// A place where a shape fits.
    package struct Place: Hashable, Sendable {
        /// The place of the shape's reference point.
        package let centre: Vector
        /// Its angle, counter-clockwise in radians.
        package let angle: Double
        /// How far it could be moved in any direction, in millimetres.
        package let margin: Double
    }

    /// A place where the shape fits, touching allowed; nil if it fits at none of the headings that
    /// are tried: those at which a side of the shape is parallel to an edge of the floor, and one
    /// every `step` radians. If nil, even a shape smaller by ``headingError(of:step:)`` fits at no
    /// heading at all.
    ///
    /// For one heading the answer is exact: the shape's reference point must be outside the
    /// Minkowski sum of each barrier with the shape mirrored in its reference point.
    package func place(for shape: FloorShape, step: Double = .pi / 360) -> Place? {
        for angle in headings(of: shape, step: step) {
            if let place = place(for: shape, at: angle) { return place }
        }
        return nil
    }

    /// The error between two headings, in millimetres: half a step times the shape's radius.
    package static func headingError(of shape: FloorShape, step: Double) -> Double {
        shape.radius * step / 2
    }

    /// The place with the greatest margin, to a millimetre. The margin is negative if the shape
    /// doesn't fit: the overlap at the best place.
    ///
    /// Nil if it is more than `most` millimetres short everywhere.
    package func bestPlace(
        for shape: FloorShape, step: Double = .pi / 90, most: Double = 500
    ) -> Place? {
        var best: Place?
        for angle in headings(of: shape, step: step) {
            // A heading that isn't better by a millimetre is given up immediately.
            let least = best.map { $0.margin + 1 } ?? -most
            best = place(for: shape, at: angle, least: least, enough: .infinity) ?? best
        }
        return best
    }

    /// The place with the greatest margin at one heading; nil if the shape is more than `most`
    /// millimetres short everywhere.
    package func bestPlace(
        for shape: FloorShape, at angle: Double, most: Double = 500
    ) -> Place? {
        place(for: shape, at: angle, least: -most, enough: .infinity)
    }

    /// A place for the shape at one heading.
    package func place(for shape: FloorShape, at angle: Double) -> Place? {
        // A shape that fits exactly counts: the search only comes near the single place for it,
        // which is then computed.
        let slack = 0.1
        guard let found = place(for: shape, at: angle, least: -slack, enough: 1),
            found.margin >= -Self.exactness
        else { return nil }
        return Place(centre: found.centre, angle: angle, margin: max(found.margin, 0))
    }

    /// The accuracy of a computed margin, in millimetres.
    private static let exactness = 1e-4

    private func place(
        for shape: FloorShape, at angle: Double, least: Double, enough: Double
    ) -> Place? {
        // There may be thousands of headings, each with thousands of sums.
        if WorkLimit.isOver { return nil }
        let upsideDown = shape.turned(by: angle).parts.map { $0.scaled(by: -1) }
        let forbidden = barriers.flatMap { barrier in upsideDown.map(barrier.sum) }
        var search = SquareSearch(bounds, items: forbidden.count)
        let best = search.run(precision: 0.5, least: least, enough: enough) {
            centre, kept, reach in
            var depths: [Double] = []
            depths.reserveCapacity(kept.count)
            var deepest = -Double.infinity
            for index in kept {
                let depth = forbidden[Int(index)].depth(of: centre)
                depths.append(depth)
                deepest = max(deepest, depth)
            }
            // A barrier whose depth is below the greatest by more than the square's width is not
            // the deepest for any of its points.
            let near = zip(kept, depths).filter { $0.1 >= deepest - 2 * reach }.map(\.0)
            // Inside an obstacle the distance to its outside counts too.
            guard !contains(centre) else { return (-deepest, near) }
            let way = edges.reduce(Double.infinity) { min($0, $1.distance(to: centre)) }
            return (min(-deepest, -way), near)
        }
        return best.map { found in
            let exact = found.value < enough ? touching(found.place, found.value, forbidden) : nil
            let best = exact ?? found
            return Place(centre: best.place, angle: angle, margin: best.value)
        }
    }

    /// The place near another where a shape touches on all sides; nil if the place isn't free.
    private func touching(
        _ place: Vector, _ margin: Double, _ forbidden: [ConvexPolygon]
    ) -> (place: Vector, value: Double)? {
        let near = forbidden.filter { $0.depth(of: place) >= -margin - 20 }
        return LocalOptimum.climb(from: place) { place in
            guard contains(place) else { return [] }
            return near.map { $0.outside(place) }
        }
    }

    private func headings(of shape: FloorShape, step: Double) -> [Double] {
        let sides = shape.parts.filter { $0.corners.count <= 8 }.flatMap { part in
            part.polygon.sides.map(\.along.angle)
        }
        func folded(_ angle: Double) -> Double {
            let rest = angle.truncatingRemainder(dividingBy: shape.symmetry)
            return rest < 0 ? rest + shape.symmetry : rest
        }
        var seen: Set<Int> = []
        var along: [Double] = []
        for edge in edges.map(\.along.angle) {
            for side in sides.isEmpty ? [0] : sides {
                let angle = folded(edge - side)
                if seen.insert(Int((angle * 1e6).rounded())).inserted { along.append(angle) }
            }
        }
        let count = Int((shape.symmetry / step).rounded(.up))
        return along.sorted() + (0..<count).map { Double($0) * step }
    }
}

extension ConvexPolygon {
    /// How far a point is outside, by its nearest side: at most the true distance, and negative
    /// inside.
    fileprivate func outside(_ point: Vector) -> LocalOptimum.Value {
        var (depth, normal) = (Double.infinity, Vector.zero)
        var previous = corners[corners.count - 1]
        for corner in corners {
            let inward = (corner - previous).left.unit
            let height = inward.dot(point - previous)
            if height < depth { (depth, normal) = (height, inward) }
            previous = corner
        }
        return (-depth, -normal)
    }
}
