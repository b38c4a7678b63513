import Foundation

/// A wheelchair, or anything else that has to pass: a rectangle that turns about its axle.
package struct Chair: Hashable, Sendable {
    /// Its width, in millimetres.
    package let width: Double
    /// Its length from front to rear, in millimetres.
    package let length: Double

    package init(width: Double, length: Double) {
        self.width = width
        self.length = length
    }

    /// The diameter of the circle that it needs to turn on the spot about an axle at a distance
    /// from its rear: twice the distance from the axle's centre to the farthest corner.
    package func pivotDiameter(axleFromRear axle: Double) -> Double {
        2 * hypot(width / 2, max(axle, length - axle))
    }

    /// The side of the smallest closed square in which it can make a full turn: its diagonal,
    /// because on the way it is diagonal in the square.
    package var spinSquare: Double { hypot(width, length) }
}
