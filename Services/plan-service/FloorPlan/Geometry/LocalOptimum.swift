/// Moves a place that a search has found to the exact optimum nearby: where the least of several
/// values is greatest, such as the distance to the nearest wall.
///
/// Each value is replaced by a linear one with the same slope, which for the distance from a convex
/// thing is at most the true value. The optimum of the linear values is where three of them are
/// equal, or two with opposite slopes; the step there is only made if the true least value grows.
enum LocalOptimum {
    /// A value at a place, and how it changes with each millimetre east and north.
    typealias Value = (value: Double, slope: Vector)

    /// How far a step may go, in millimetres, and how many steps are made.
    private static let farthest = 2.0
    private static let mostSteps = 12
    /// How many of the least values are compared.
    private static let mostValues = 8

    /// - Parameter values: the values at a place, at least all those near the least one; empty if
    ///   the place is impossible.
    static func climb(
        from start: Vector, values: (Vector) -> [Value]
    ) -> (place: Vector, value: Double)? {
        var here = values(start)
        guard var least = here.map(\.value).min() else { return nil }
        var place = start
        for _ in 0..<mostSteps {
            guard let step = step(here) else { break }
            let next = values(place + step)
            guard let value = next.map(\.value).min(), value > least + 1e-10 else { break }
            (place, least, here) = (place + step, value, next)
        }
        return (place, least)
    }

    /// The step to the optimum of the linear values; nil if there is none nearby.
    private static func step(_ values: [Value]) -> Vector? {
        let near = values.sorted { $0.value < $1.value }.prefix(mostValues)
        var best: (step: Vector, value: Double)?
        func look(_ step: Vector) {
            guard step.length <= farthest else { return }
            let value = near.reduce(.infinity) { min($0, $1.value + $1.slope.dot(step)) }
            if value > best?.value ?? -.infinity { best = (step, value) }
        }
        for first in near.indices {
            let one = near[first]
            for second in near.indices where second > first {
                let other = near[second]
                // The direction in which the two become equal, and the difference between them.
                let (way, gap) = (one.slope - other.slope, other.value - one.value)
                guard way.lengthSquared > 1e-12 else { continue }
                look(way * (gap / way.lengthSquared))
                for third in near.indices where third > second {
                    let last = near[third]
                    let (across, rest) = (one.slope - last.slope, last.value - one.value)
                    let area = way.cross(across)
                    guard abs(area) > 1e-9 else { continue }
                    look(
                        Vector(
                            gap * across.y - rest * way.y, rest * way.x - gap * across.x)
                            * (1 / area))
                }
            }
        }
        return best?.step
    }
}
