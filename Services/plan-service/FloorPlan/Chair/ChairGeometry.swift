import Foundation

/// A wheelchair, or whatever else has to get through: a rectangle that turns about its axle.
package struct Chair: Hashable, Sendable {
    /// Across, in millimetres.
    package let width: Double
    /// From front to rear, in millimetres.
    package let length: Double

    package init(width: Double, length: Double) {
        self.width = width
        self.length = length
    }

    /// The diameter of the circle that it needs to turn on the spot about an axle at a distance
    /// from its rear: twice the way from the axle's middle to the farthest corner.
    package func pivotDiameter(axleFromRear axle: Double) -> Double {
        2 * hypot(width / 2, max(axle, length - axle))
    }

    /// The side of the smallest closed square in which it can be turned all the way round: its
    /// diagonal, because on the way it stands across the square.
    package var spinSquare: Double { hypot(width, length) }

    /// True when it can be turned by half a turn in a closed box. At each heading the places of its
    /// centre make a rectangle; it can be turned when none of them on the way is empty.
    package func turns(inBox width: Double, _ depth: Double) -> Bool {
        let steps = 3_600
        return (0...steps).allSatisfy { step in
            let direction = Vector(angle: Double(step) / Double(steps) * .pi)
            let (cosine, sine) = (abs(direction.x), abs(direction.y))
            return length * cosine + self.width * sine <= width
                && length * sine + self.width * cosine <= depth
        }
    }

    /// What is left of the width in a bend by a right angle from a corridor into another, negative
    /// when it doesn't pass. The chair lies with its ends along the two outer walls; the inner
    /// corner must stay on its other side at every angle t:
    /// a·cos t + b·sin t − l·sin t·cos t ≥ w.
    package func bendMargin(from a: Double, into b: Double) -> Double {
        // The function has one minimum in the quadrant or lies at its ends; it is looked for by
        // thirds around the best of some samples.
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
