import FloorPlan
import Foundation
import Papers

extension Sheet {
    /// Straight lines through some places of the plan.
    func path(_ places: [Vector], isClosed: Bool = false) -> Drawing.Path {
        Drawing.Path(places.map(point), isClosed: isClosed)
    }

    /// A straight line between two places of the plan.
    func path(from start: Vector, to end: Vector) -> Drawing.Path { path([start, end]) }

    /// A circle about a place of the plan.
    func circle(_ centre: Vector, radius: Double) -> Drawing.Path {
        var path = Drawing.Path()
        path.addEllipse(point(centre), Vector(length(radius), 0), Vector(0, length(radius)))
        return path
    }

    /// A part of a circle about a place of the plan, of at most half a turn: by the angle `by`,
    /// counter-clockwise if it is positive. Angles are in radians.
    func arc(_ centre: Vector, radius: Double, from angle: Double, by turn: Double) -> Drawing.Path
    {
        // A Bézier curve with these arms is off by at most 0.03 % of the radius at a right angle.
        let pieces = 2
        let step = turn / Double(pieces)
        let arm = 4.0 / 3 * tan(step / 4) * radius
        var path = Drawing.Path([.move(point(centre + Vector(angle: angle) * radius))])
        for piece in 0..<pieces {
            let (from, to) = (
                Vector(angle: angle + step * Double(piece)),
                Vector(angle: angle + step * Double(piece + 1))
            )
            path.steps.append(
                .curve(
                    point(centre + from * radius + from.left * arm),
                    point(centre + to * radius - to.left * arm), point(centre + to * radius)))
        }
        return path
    }

    /// Parallel lines over an area of the plan, this many millimetres of paper apart, as far as
    /// they are near the window.
    func hatching(_ area: [Vector], angle: Double, spacing: Double) -> Drawing.Path {
        var path = Drawing.Path()
        let turn = Vector(angle: -angle)
        let points = area.map { place -> Vector in
            let point = point(place)
            return Vector(point.x, point.y).turned(by: turn)
        }
        let bounds = Bounds(points)
        guard !bounds.isEmpty else { return path }
        // A room of which only a small part is seen would have millions of lines.
        let seen = Bounds(window.corners.map { Vector($0.x, $0.y).turned(by: turn) })
        let (low, high) = (max(bounds.low.y, seen.low.y), min(bounds.high.y, seen.high.y))
        guard low <= high else { return path }
        let rows = Int(low / spacing)...Int(high / spacing) + 1
        let back = Vector(angle: angle)
        for row in rows {
            let y = Double(row) * spacing
            var crossings: [Double] = []
            for (a, b) in zip(points, points.dropFirst() + points.prefix(1))
            where (a.y > y) != (b.y > y) {
                crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let from = max(crossings[pair], seen.low.x)
                let to = min(crossings[pair + 1], seen.high.x)
                guard from <= to else { continue }
                let ends = [from, to].map { Vector($0, y).turned(by: back) }
                path.steps.append(.move(Drawing.Point(ends[0].x, ends[0].y)))
                path.steps.append(.line(Drawing.Point(ends[1].x, ends[1].y)))
            }
        }
        return path
    }
}

extension Drawing.Path {
    /// Adds an ellipse, given by its two half axes on the paper.
    mutating func addEllipse(_ centre: Drawing.Point, _ x: Vector, _ y: Vector) {
        let arm = 4.0 / 3 * tan(Double.pi / 8)
        let axes = [x, y, -x, -y]
        steps.append(.move(centre + x))
        for index in 0..<4 {
            let (from, to) = (axes[index], axes[(index + 1) % 4])
            steps.append(
                .curve(centre + (from + to * arm), centre + (to + from * arm), centre + to))
        }
        steps.append(.close)
    }

    static func + (a: Drawing.Path, b: Drawing.Path) -> Drawing.Path {
        Drawing.Path(a.steps + b.steps)
    }
}
