import FloorPlan
import Foundation
import Papers

/// The chains of dimensions outside of the walls: the openings and offsets of each side and,
/// farther out, the whole length.
extension Sketch {
    static let dimensionColour = Colour(red: 0.1, green: 0.22, blue: 0.45)
    static let dimensionPen = Drawing.Pen(stroke: dimensionColour, width: 0.13)

    mutating func drawChains() {
        let measured = measures.measured
        guard !measured.isEmpty else { return }
        for (index, side) in Side.all(sheet.frame).enumerated() {
            let facade = Facade(self, side)
            let (low, high) = side.span(measured)
            let points = Self.merged(facade.breaks, between: low, and: high)
            let level = side.level(measures.extent)
            // On the side of an entrance, the mark of the entrance comes first.
            var distance = facade.hasEntrance ? 11.5 : 6
            if points.count > 2 {
                drawChain(points, side, level + distance * sheet.scale, from: level)
                distance += 6
            }
            // Draw the whole length only once per direction: below, and to the left.
            guard index.isMultiple(of: 2), high - low >= Self.least else { continue }
            drawChain([low, high], side, level + distance * sheet.scale, from: level)
        }
    }

    /// No chain could show what is less than 4 cm apart.
    private static let least = 40.0

    /// Sorted, without points that are too close together; the ends are kept.
    private static func merged(_ points: [Double], between low: Double, and high: Double)
        -> [Double]
    {
        var kept = [low]
        for point in points.sorted() where point - kept[kept.count - 1] >= least {
            if high - point >= least { kept.append(point) }
        }
        return kept + [high]
    }

    /// A side of the plan.
    struct Side {
        /// The direction in which its chain runs.
        let along: Vector
        /// The direction away from the plan.
        let out: Vector
        /// The same two directions along the frame.
        private let own: (along: Vector, out: Vector)

        private init(_ along: Vector, _ out: Vector, _ frame: PlanFrame) {
            own = (along, out)
            (self.along, self.out) = (frame.place(along), frame.place(out))
        }

        /// Below, above, to the left, to the right.
        static func all(_ frame: PlanFrame) -> [Side] {
            let (x, y) = (Vector(1, 0), Vector(0, 1))
            return [(x, -y), (x, y), (y, -x), (y, x)].map { Side($0, $1, frame) }
        }

        /// The range that bounds along the frame cover along this side.
        func span(_ bounds: Bounds) -> (Double, Double) {
            (bounds.low.dot(own.along), bounds.high.dot(own.along))
        }

        /// How far out bounds along the frame reach.
        func level(_ bounds: Bounds) -> Double {
            max(bounds.low.dot(own.out), bounds.high.dot(own.out))
        }
    }

    /// The walls that are seen from far away on one side.
    private struct Facade {
        private(set) var breaks: [Double] = []
        private(set) var hasEntrance = false

        init(_ sketch: Sketch, _ side: Side) {
            struct Piece {
                let id: String
                let span: ClosedRange<Double>
                let level: Double
            }
            let pieces = sketch.plan.walls.values.compactMap { wall -> Piece? in
                let line = wall.line
                // Walls that are off by a degree still count as parallel.
                guard wall.from != wall.to, abs(line.along.unit.dot(side.out)) < 0.0175 else {
                    return nil
                }
                let ends = [line.start.dot(side.along), line.end.dot(side.along)].sorted()
                return Piece(
                    id: wall.id, span: ends[0]...ends[1],
                    level: (line.start + line.end).dot(side.out) / 2)
            }.sorted { ($1.level, $0.id) < ($0.level, $1.id) }
            // Ends are whole millimetres, including those of walls at an angle.
            let cuts = pieces.flatMap { [$0.span.lowerBound, $0.span.upperBound] }.sorted()
                .reduce(into: [Double]()) { if $1 - ($0.last ?? -.infinity) > 3 { $0.append($1) } }
            var before: Piece?
            for (from, to) in zip(cuts, cuts.dropFirst()) where !WorkLimit.isOver {
                let middle = (from + to) / 2
                let seen = pieces.first { $0.span.contains(middle) }
                if let seen, let wall = sketch.plan.walls[seen.id] {
                    for opening in sketch.plan.openings(in: seen.id) {
                        let edges = [Double(opening.offset), Double(opening.endOffset)].map {
                            (wall.line.start + wall.line.along.unit * $0).dot(side.along)
                        }
                        let centre = (edges[0] + edges[1]) / 2
                        guard centre >= from, centre <= to else { continue }
                        breaks += edges
                        if opening.entrance { hasEntrance = true }
                    }
                }
                if let outer = [before, seen].compactMap(\.self).max(by: { $0.level < $1.level }),
                    before.map({ abs($0.level - (seen?.level ?? -.infinity)) > 3 }) ?? false
                {
                    breaks.append(Self.surface(sketch, outer.id, side, near: from))
                }
                before = seen
            }
        }

        /// Where a wall's outer surface ends near a corner.
        private static func surface(
            _ sketch: Sketch, _ wall: String, _ side: Side, near corner: Double
        ) -> Double {
            let corners = sketch.measures.outlines.outlines[wall]?.corners ?? []
            let outer = corners.map { $0.dot(side.out) }.max() ?? 0
            return corners.filter { outer - $0.dot(side.out) < 4 }.map { $0.dot(side.along) }
                .min { abs($0 - corner) < abs($1 - corner) } ?? corner
        }
    }

    /// Draws a chain through some points along a side, this far out.
    private mutating func drawChain(
        _ points: [Double], _ side: Side, _ level: Double, from edge: Double
    ) {
        func place(_ along: Double, _ out: Double) -> Vector {
            side.along * along + side.out * out
        }
        let scale = sheet.scale
        var path = sheet.path(
            from: place(points[0], level), to: place(points[points.count - 1], level))
        var strokes: [Obstacle] = []
        for point in points where !WorkLimit.isOver {
            let begin = place(point, min(edge + 1.5 * scale, level))
            let way = place(point, level + 1.2 * scale) - begin
            // The word at an entrance may be wider than the door.
            for piece in pieces(from: sheet.point(begin), to: sheet.point(begin + way)) {
                let (from, to) = (begin + way * piece.lowerBound, begin + way * piece.upperBound)
                path.steps += sheet.path(from: from, to: to).steps
                strokes.append(
                    Obstacle(from: sheet.point(from).vector, to: sheet.point(to).vector))
            }
        }
        add(path, Self.dimensionPen, to: .dimensions)
        drawTicks(points.map { place($0, level) }, along: side.along)
        for (from, to) in zip(points, points.dropFirst()) where !WorkLimit.isOver {
            writeLength(from: place(from, level), to: place(to, level), among: strokes)
        }
        taken.take(
            from: sheet.point(place(points[0], level)),
            to: sheet.point(place(points[points.count - 1], level)), Occupancy.Cost.dimension)
    }

    /// The strokes that end a dimension line, as architects draw them.
    mutating func drawTicks(_ places: [Vector], along: Vector) {
        let stroke = (along + along.left).unit * (0.9 * sheet.scale)
        var path = Drawing.Path()
        for place in places {
            path.steps += sheet.path(from: place - stroke, to: place + stroke).steps
        }
        add(path, Drawing.Pen(stroke: Self.dimensionColour, width: 0.28), to: .dimensions)
    }

    /// Writes the length of a piece of a chain: above its line, or nearby where there is room and
    /// no stroke of the chain.
    private mutating func writeLength(
        from: Vector, to: Vector, among strokes: [Obstacle]
    ) {
        let length = from.distance(to: to)
        // A plan without walls is measured by its rooms.
        let words =
            plan.walls.isEmpty
            ? words.inside(length, options.unit) : words.length(length, options.unit)
        let along = (to - from).unit
        let turn = Self.reading(along)
        let up = Vector(angle: turn / 180 * .pi - .pi / 2)
        let middle = sheet.point((from + to) * 0.5)
        let paper = sheet.length(length)
        let right = Vector(angle: turn / 180 * .pi)
        for size in [TextSize.dimension, TextSize.small] {
            let text = Drawing.Text(
                words, at: middle + up * 0.7, size: size, anchor: .middle,
                colour: Self.dimensionColour, turn: turn)
            if text.length + 0.6 <= paper, taken.cost(of: text.box) != nil,
                !Self.lies(text, onOneOf: strokes)
            {
                add(text, to: .dimensions, onWhite: false)
                return
            }
        }
        let size = TextSize.small
        // Below the line, a little farther away, or next to it.
        let below = -(size * Drawing.Text.capital + 0.7)
        let places = [
            (0.0, below), (0, 2.2), (0, 3), (0, below - 2), (-3, below), (3, below), (-2, 2.2),
            (2, 2.2), (-2, 3), (2, 3),
        ]
        for (across, high) in places {
            let text = Drawing.Text(
                words, at: middle + (up * high + right * across), size: size, anchor: .middle,
                colour: Self.dimensionColour, turn: turn)
            if taken.cost(of: text.box) != nil, !Self.lies(text, onOneOf: strokes) {
                add(text, to: .dimensions, onWhite: false)
                return
            }
        }
    }

    /// The rotation on paper of a text along a direction of the plan, so that it is read from below
    /// or from the right, even if it is slightly askew: −100 to 80 degrees, clockwise.
    static func reading(_ along: Vector) -> Double {
        var degrees = -along.angle * 180 / .pi
        if degrees > 80 { degrees -= 180 }
        if degrees < -100 { degrees += 180 }
        return abs(degrees) < 1e-9 ? 0 : degrees
    }
}
