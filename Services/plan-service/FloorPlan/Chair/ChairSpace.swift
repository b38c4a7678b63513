import Foundation

/// The places and headings that a chair can have, on a grid of x, y and heading. Whatever is
/// connected is reachable, because a chair with two driven wheels can follow any path as closely as
/// it likes by small moves to and fro (it is small-time locally controllable).
///
/// A single grid proves nothing, so there are two. In one every step is a move that was checked as
/// a whole: the floor that it sweeps is free (``Bound/surely``). In the other a square is closed
/// only if the chair collides at every place and heading in the square (``Bound/possibly``).
/// Whatever the first reaches can be reached; whatever the second doesn't reach can't.
package struct ChairSpace {
    /// Which of the two grids to use.
    package enum Bound: Hashable, Sendable {
        /// Everything that is reached can be reached.
        case surely
        /// Nothing else can be reached.
        case possibly
    }

    /// The resolution of the grid.
    package struct Resolution: Hashable, Sendable {
        /// The side of a square of the grid, in millimetres.
        package let cell: Double
        /// The number of headings in a full turn, a multiple of four; 1 for a circle, which has
        /// none.
        package let headings: Int

        package init(cell: Double, headings: Int) {
            self.cell = cell
            self.headings = headings
        }

        /// 25 mm and 5 degrees.
        package static let standard = Resolution(cell: 25, headings: 72)

        var turn: Double { headings == 1 ? 0 : 2 * .pi / Double(headings) }

        /// The maximum number of places: a floor of 1,250 m² at the standard resolution, in about
        /// 70 MB.
        static let mostPlaces = 150_000_000.0

        /// This resolution, or one with squares large enough that the floor doesn't have too many
        /// places.
        func bearable(for bounds: Bounds) -> Resolution {
            guard !bounds.isEmpty else { return self }
            let (area, high) = (bounds.size.x * bounds.size.y, bounds.size.y)
            // A row takes the space of 64 squares, however short it is.
            let most = Self.mostPlaces / Double(headings)
            return Resolution(
                cell: max(cell, (area / most).squareRoot(), 64 * high / most), headings: headings)
        }

        /// Twice as fine a resolution.
        package var finer: Resolution {
            Resolution(cell: cell / 2, headings: headings == 1 ? 1 : headings * 2)
        }
    }

    let frame: GridFrame
    let headings: Int
    let bound: Bound
    let shape: FloorShape
    let resolution: Resolution
    /// The moves for each heading, up to the symmetry of the shape.
    let steps: [Steps]

    /// The space of a shape on a floor.
    ///
    /// A floor that is too large for the resolution gets larger squares, however it is drawn. Both
    /// grids then leave more uncertain, but nothing wrong: with squares of any size a step is
    /// checked over its whole length, and a square is closed only if all of it is.
    ///
    /// - Parameter bounds: what the grid extends over, the floor and more; nil for the floor.
    ///   Spaces of one shape over the same bounds have the same places.
    package init(
        _ shape: FloorShape, in floor: FreeSpace, _ resolution: Resolution, _ bound: Bound,
        over bounds: Bounds? = nil
    ) {
        let bounds = bounds ?? floor.bounds
        let resolution = resolution.bearable(for: bounds)
        let frame = GridFrame(bounds, cell: resolution.cell)
        let layers =
            resolution.headings == 1
            ? 1 : max(Int((shape.symmetry / resolution.turn).rounded()), 1)
        (self.frame, self.bound) = (frame, bound)
        (self.shape, self.resolution) = (shape, resolution)
        headings = resolution.headings
        var inside = frame.empty()
        for area in floor.areas { frame.fill(area.corners, in: &inside, true) }
        for obstacle in floor.obstacles { frame.fill(obstacle.corners, in: &inside, false) }
        var painter = Painter(frame: frame, inside: inside, barriers: floor.barriers)
        switch bound {
        case .surely:
            steps = (0..<layers).map { painter.sweeps(shape, layer: $0, resolution) }
        case .possibly:
            let free = (0..<layers).map { painter.cores(shape, layer: $0, resolution) }
            steps = free.indices.map { Steps(within: free[$0], free[($0 + 1) % layers]) }
        }
    }

    /// A set of places: for each heading the squares.
    package struct Reach: Sendable {
        fileprivate(set) var layers: [BitGrid]

        package var isEmpty: Bool { layers.allSatisfy { $0.bits.allSatisfy { $0 == 0 } } }

        package mutating func formUnion(_ other: Reach) {
            for index in layers.indices { layers[index].formUnion(other.layers[index]) }
        }

        /// Keeps only the places that are in the other set too, which is of a space over the same
        /// bounds.
        package mutating func formIntersection(_ other: Reach) {
            for index in layers.indices { layers[index].formIntersection(other.layers[index]) }
        }

        /// The places whose squares are set in the mask.
        func intersection(_ mask: BitGrid) -> Reach {
            Reach(
                layers: layers.map { layer in
                    var layer = layer
                    layer.formIntersection(mask)
                    return layer
                })
        }
    }

    /// Every place in an area, at one heading or at all headings.
    package func places(in area: Polygon, heading: Int? = nil) -> Reach {
        let mask = mask(area)
        return Reach(
            layers: (0..<headings).map { index in
                guard heading == nil || heading == index else { return frame.empty() }
                var grid = steps[index % steps.count].places
                grid.formIntersection(mask)
                return grid
            })
    }

    /// Everything that is connected with some places, within the area if one is given.
    package func flood(from start: Reach, within area: Polygon? = nil) -> Reach {
        var flood = Flood(
            reached: start.layers, steps: steps, within: area.map(mask))
        return Reach(layers: flood.run())
    }

    /// True if the reference point of the shape is in an area at some of the places.
    package func reaches(_ area: Polygon, _ places: Reach) -> Bool {
        let mask = mask(area)
        return places.layers.contains { layer in
            zip(layer.bits, mask.bits).contains { $0 & $1 != 0 }
        }
    }

    /// True if a shape that looks the same after half a turn can make half a turn at one of the
    /// places in an area, keeping its reference point inside.
    ///
    /// Half a turn is then equivalent to a whole one, and passes every heading, so it is enough to
    /// begin with one of them.
    package func turns(in area: Polygon, _ places: Reach) -> Bool {
        let mask = mask(area)
        var start = (0..<headings).map { _ in frame.empty() }
        start[0] = places.layers[0]
        start[0].formIntersection(mask)
        let turned = flood(from: Reach(layers: start), within: area)
        return turned.layers[headings / 2].bits.contains { $0 != 0 }
    }

    /// The squares whose centres are in an area; for ``Bound/possibly`` all that touch it.
    func mask(_ area: Polygon) -> BitGrid { mask(area, on: frame) }

    /// The same on a part of the grid.
    func mask(_ area: Polygon, on frame: GridFrame) -> BitGrid {
        var mask = frame.empty()
        frame.fill(area.corners, in: &mask, true)
        guard bound == .possibly else { return mask }
        let wider = [mask.leftNeighbours, mask.rightNeighbours]
        for grid in wider { mask.formUnion(grid) }
        let higher = [mask.upperNeighbours, mask.lowerNeighbours]
        for grid in higher { mask.formUnion(grid) }
        // A narrow area may touch squares far from any centre inside it.
        let square = ConvexPolygon(centre: .zero, width: frame.cell, depth: frame.cell, angle: 0)
        for side in area.sides where side.length > 0 {
            let near = ConvexPolygon(counterClockwise: [side.start, side.end]).sum(square)
            frame.fill(near.corners, in: &mask, true)
        }
        return mask
    }
}

/// The squares of a heading from which a chair can move to the next column, the next row or the
/// next heading. Moves in the opposite directions are the same.
struct Steps {
    /// The squares where the chair can be.
    var places: BitGrid
    var right: BitGrid
    var up: BitGrid
    var turn: BitGrid

    init(right: BitGrid, up: BitGrid, turn: BitGrid) {
        (self.right, self.up, self.turn) = (right, up, turn)
        places = right
        for grid in [right.leftNeighbours, up, up.lowerNeighbours, turn] {
            places.formUnion(grid)
        }
    }

    /// The moves that others have too, in a part of their grid.
    func limited(to others: Steps, in window: GridWindow) -> Steps {
        var both = self
        both.right.formIntersection(window.part(of: others.right))
        both.up.formIntersection(window.part(of: others.up))
        both.turn.formIntersection(window.part(of: others.turn))
        return Steps(right: both.right, up: both.up, turn: both.turn)
    }

    /// Moves from each free square to each free neighbour.
    init(within free: BitGrid, _ next: BitGrid) {
        places = free
        right = free.rightNeighbours
        right.formIntersection(free)
        up = free.upperNeighbours
        up.formIntersection(free)
        turn = next
        turn.formIntersection(free)
    }
}

/// Finds the squares where a shape meets no barrier of a floor.
struct Painter {
    let frame: GridFrame
    let inside: BitGrid
    /// The corners of each barrier, lowest first.
    let barriers: [[Vector]]
    private var spans = RowSpans()
    private var corners: [Vector] = []

    init(frame: GridFrame, inside: BitGrid, barriers: [ConvexPolygon]) {
        self.frame = frame
        self.inside = inside
        self.barriers = barriers.map(\.fromLowest)
    }

    /// The squares that are inside and where none of the parts meets a barrier.
    private mutating func free(for parts: [ConvexPolygon]) -> BitGrid {
        var grid = inside
        for part in parts where !part.corners.isEmpty {
            let upsideDown = part.scaled(by: -1).fromLowest
            for (number, barrier) in barriers.enumerated() {
                if number & 63 == 0, WorkLimit.isOver { return grid }
                ConvexPolygon.sum(barrier, upsideDown, into: &corners)
                frame.clear(corners, in: &grid, &spans)
            }
        }
        return grid
    }

    /// The squares where a shape is free at a heading: certainly, or not certainly closed.
    mutating func places(
        _ shape: FloorShape, layer: Int, _ resolution: ChairSpace.Resolution,
        _ bound: ChairSpace.Bound
    ) -> BitGrid {
        switch bound {
        case .surely: free(for: shape.turned(by: Double(layer) * resolution.turn).parts)
        case .possibly: cores(shape, layer: layer, resolution)
        }
    }

    /// The squares from which everything that the parts sweep on their way to the next column is
    /// free, and the same for the next row. Moving a part toward a barrier is equivalent to moving
    /// the barrier toward the part.
    private mutating func moves(of parts: [ConvexPolygon]) -> (right: BitGrid, up: BitGrid) {
        var (right, up) = (inside, inside)
        for part in parts {
            let upsideDown = part.scaled(by: -1).fromLowest
            for (number, barrier) in barriers.enumerated() {
                if number & 63 == 0, WorkLimit.isOver { return (right, up) }
                ConvexPolygon.sum(barrier, upsideDown, into: &corners)
                spans.cut(corners, by: frame)
                frame.clear(spans, in: &right, before: frame.cell)
                spans.sweepDown(corners, by: frame)
                frame.clear(spans, in: &up)
            }
        }
        return (right, up)
    }

    /// The moves from a heading that sweep only free floor. A part that turns stays in the hull of
    /// its first and last heading, enlarged by the distance of an arc from its chord.
    mutating func sweeps(
        _ shape: FloorShape, layer: Int, _ resolution: ChairSpace.Resolution
    ) -> Steps {
        let turn = resolution.turn
        let parts = shape.turned(by: Double(layer) * turn).parts
        let next = shape.turned(by: Double(layer + 1) * turn).parts
        let turning = zip(parts, next).map { first, last in
            ConvexPolygon(hullOf: first.corners + last.corners).scaled(by: 1 / cos(turn / 2))
        }
        let (right, up) = moves(of: parts)
        return Steps(right: right, up: up, turn: free(for: turning))
    }

    /// The squares that are not certainly closed at a heading: the area that a part covers at every
    /// place in the square and every angle within half a step meets no barrier.
    ///
    /// At every place in a square a convex part covers what it covers at all four corners. Turned
    /// by up to an angle φ to both sides it covers what it covers at both ends, except for an arc
    /// that is less than 1 − cos φ of it.
    mutating func cores(
        _ shape: FloorShape, layer: Int, _ resolution: ChairSpace.Resolution
    ) -> BitGrid {
        let (half, turn) = (resolution.cell / 2, resolution.turn)
        let angle = Double(layer) * turn
        let ends = [angle - turn / 2, angle + turn / 2].map { shape.turned(by: $0).parts }
        let parts = shape.parts.indices.map { index in
            let turned = ends[0][index].intersection(ends[1][index]).scaled(by: cos(turn / 2))
            return [(-half, -half), (half, -half), (half, half), (-half, half)].reduce(turned) {
                $0.corners.isEmpty
                    ? $0 : $0.intersection(turned.moved(by: Vector($1.0, $1.1)))
            }
        }
        // A part too small for the grid proves nothing.
        let solid = parts.filter { $0.corners.count > 2 && $0.depth(of: .zero) > 0 }
        guard !solid.isEmpty else {
            var everywhere = frame.empty()
            for row in 0..<frame.rows { everywhere.set(row, 0...(frame.columns - 1), true) }
            return everywhere
        }
        return free(for: solid)
    }
}
