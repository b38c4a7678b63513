import Foundation

/// A place or a direction in the plane, in millimetres.
package struct Vector: Hashable, Sendable {
    /// Millimetres to the east.
    package var x: Double
    /// Millimetres to the north.
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The direction at an angle, counter-clockwise from east in radians, one millimetre long.
    package init(angle: Double) { self.init(cos(angle), sin(angle)) }

    package static let zero = Vector(0, 0)

    /// The angle from east, counter-clockwise in radians, in -π ... π.
    package var angle: Double { atan2(y, x) }
    package var lengthSquared: Double { x * x + y * y }
    package var length: Double { lengthSquared.squareRoot() }
    /// The vector turned left by a right angle.
    package var left: Vector { Vector(-y, x) }
    /// The same direction, one millimetre long; zero stays zero.
    package var unit: Vector {
        let length = length
        return length == 0 ? self : Vector(x / length, y / length)
    }

    package func dot(_ other: Vector) -> Double { x * other.x + y * other.y }
    /// Positive if the other is to the left of this one.
    package func cross(_ other: Vector) -> Double { x * other.y - y * other.x }
    package func distance(to other: Vector) -> Double { (self - other).length }
    /// The vector turned by a rotation, which is given as the direction to which east is turned.
    package func turned(by rotation: Vector) -> Vector {
        Vector(x * rotation.x - y * rotation.y, x * rotation.y + y * rotation.x)
    }

    package static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y) }
    package static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y) }
    package static func * (a: Vector, factor: Double) -> Vector {
        Vector(a.x * factor, a.y * factor)
    }
    package static prefix func - (a: Vector) -> Vector { Vector(-a.x, -a.y) }
}

/// An axis-parallel bounding rectangle.
package struct Bounds: Hashable, Sendable {
    package var low: Vector
    package var high: Vector

    package init(low: Vector, high: Vector) {
        self.low = low
        self.high = high
    }

    /// The smallest bounds of some points; without points they are empty and meet nothing.
    @inlinable
    package init(_ points: some Sequence<Vector>) {
        self.init(
            low: Vector(.infinity, .infinity), high: Vector(-.infinity, -.infinity))
        for point in points { extend(to: point) }
    }

    package var size: Vector { high - low }
    package var centre: Vector { (low + high) * 0.5 }
    package var isEmpty: Bool { low.x > high.x || low.y > high.y }

    /// True if the two have a point in common, even if only on their edges.
    package func meets(_ other: Bounds) -> Bool {
        low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y
            && other.low.y <= high.y
    }

    package func grown(by margin: Double) -> Bounds {
        let margin = Vector(margin, margin)
        return Bounds(low: low - margin, high: high + margin)
    }

    package func union(_ other: Bounds) -> Bounds {
        Bounds(
            low: Vector(min(low.x, other.low.x), min(low.y, other.low.y)),
            high: Vector(max(high.x, other.high.x), max(high.y, other.high.y)))
    }

    package mutating func extend(to point: Vector) {
        low = Vector(min(low.x, point.x), min(low.y, point.y))
        high = Vector(max(high.x, point.x), max(high.y, point.y))
    }
}
