import FloorPlan
import Messages

/// The two perpendicular directions that most of a home's walls have. Its sides are measured along
/// them, so that even a home that was scanned at an angle is measured along its walls.
struct PlanFrame {
    /// The direction that is nearer to the east.
    let x: Vector
    var y: Vector { x.left }

    /// East and north.
    static let upright = PlanFrame(x: Vector(1, 0))

    private init(x: Vector) { self.x = x }

    /// - Parameter plan: a plan; the frame is upright if less than half the length of its walls has
    ///   one direction.
    init(_ plan: FloorPlan) {
        /// The lengths of walls, and lengths times degrees, by whole degrees from −45 to 45.
        var lengths: [Int: (sum: Double, moment: Double)] = [:]
        var all = 0.0
        for wall in plan.walls.values.sorted(by: { $0.id < $1.id }) where wall.from != wall.to {
            let length = wall.line.length
            let angle = wall.line.along.angle * 180 / .pi
            let degrees = angle - (angle / 90).rounded() * 90
            let (sum, moment) = lengths[Int(degrees.rounded())] ?? (0, 0)
            lengths[Int(degrees.rounded())] = (sum + length, moment + length * degrees)
            all += length
        }
        let most = lengths.max { ($0.value.sum, -abs($0.key)) < ($1.value.sum, -abs($1.key)) }
        guard let most, abs(most.key) > 0 else {
            self = .upright
            return
        }
        // Ends are whole millimetres, so a short wall may count towards the next degree.
        let near = (-1...1).reduce(0) { $0 + (lengths[most.key + $1]?.sum ?? 0) }
        let degrees = most.value.moment / most.value.sum
        self = near * 2 < all ? .upright : PlanFrame(x: Vector(angle: degrees / 180 * .pi))
    }

    /// The bounds of some places of the plan along the frame.
    func bounds(of places: some Sequence<Vector>) -> Bounds {
        Bounds(places.lazy.map { Vector($0.dot(x), $0.dot(y)) })
    }

    /// The place or direction in the plan that corresponds to one along the frame.
    func place(_ own: Vector) -> Vector { x * own.x + y * own.y }
}
