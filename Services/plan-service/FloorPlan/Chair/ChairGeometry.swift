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

    /// True if it can make half a turn in a closed box. At each heading the possible places of its
    /// centre form a rectangle; it can turn if none of these rectangles is empty.
    package func turns(inBox width: Double, _ depth: Double) -> Bool {
        let steps = 3_600
        return (0...steps).allSatisfy { step in
            let direction = Vector(angle: Double(step) / Double(steps) * .pi)
            let (cosine, sine) = (abs(direction.x), abs(direction.y))
            return length * cosine + self.width * sine <= width
                && length * sine + self.width * cosine <= depth
        }
    }

    /// The width to spare in a right-angled bend from one corridor into another, negative if the
    /// chair doesn't pass. The chair's ends touch the two outer walls; the inner corner must stay
    /// on its other side at every angle t: a·cos t + b·sin t − l·sin t·cos t ≥ w.
    package func bendMargin(from a: Double, into b: Double) -> Double {
        // The minimum is either inside the quadrant or at its ends; a ternary search around the
        // best of some samples finds it.
        func room(_ angle: Double) -> Double {
            a * cos(angle) + b * sin(angle) - length * sin(angle) * cos(angle)
        }
        let samples = 90
        let step = Double.pi / 2 / Double(samples)
        let best = (0...samples).min { room(Double($0) * step) < room(Double($1) * step) } ?? 0
        var low = max(Double(best - 1) * step, 0)
        var high = min(Double(best + 1) * step, .pi / 2)
        while high - low > 1e-9 {
            let third = (high - low) / 3
            if room(low + third) < room(high - third) { high -= third } else { low += third }
        }
        return room((low + high) / 2) - width
    }
}
