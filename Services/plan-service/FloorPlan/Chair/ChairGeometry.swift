import Foundation
import Messages

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

    /// The same chair, longer and wider by this much.
    package func grown(by slack: Double) -> Chair {
        Chair(width: max(width + slack, 1), length: max(length + slack, 1))
    }
}

extension Chair {
    /// The floor that a chair of this width and length, in millimetres, and the person take: as
    /// wide as the chair and the hands on its push rims, as long as an assistant, the chair and its
    /// raised leg rests.
    package init(width: UInt32, length: UInt32, build: Wheelchair) {
        self.init(
            width: Double(width) + Double(build.hands),
            length: Double(length) + Double(build.assistant) + Double(build.legRests))
    }
}

extension Wheelchair {
    /// Whether its stated diameter can be that of a circle in which a chair of this width and
    /// length, in millimetres, turns. One shorter than the chair is a radius or a slip, and counts
    /// as not stated.
    package func statesCircle(width: UInt32, length: UInt32) -> Bool {
        turningDiameter > 0 && turningDiameter >= max(width, length)
    }
}

/// The circle in which a chair turns on the spot: as stated by its maker, or else computed from its
/// axle, or else the minimum for its size, about its centre. Anything that reaches farther, such as
/// hands or leg rests, widens it. No statement makes it shorter than that minimum.
package struct TurningCircle: Hashable, Sendable {
    /// Its diameter, in millimetres.
    package let diameter: Double
    /// How far its centre is behind that of the chair itself, in millimetres.
    package let offset: Double

    /// The circle of a chair of this width and length, in millimetres, with its build.
    package init(width: UInt32, length: UInt32, build: Wheelchair) {
        let body = Chair(width: width, length: length, build: build)
        let (behind, before) = (Double(build.assistant), Double(build.legRests))
        let hasAxle = build.axleFromRear > 0 && build.axleFromRear < length
        let axle = Double(build.axleFromRear)
        let isStated = build.statesCircle(width: width, length: length)
        // The circle may not be about the axle: hands, and the assistant or leg rests, may move
        // each corner that much farther from its centre.
        let widening = hypot(Double(build.hands) / 2, max(behind, before))
        let stated = Double(build.turningDiameter) + 2 * widening
        let centred = (behind - before) / 2
        switch (isStated, hasAxle) {
        case (true, _) where stated < body.spinSquare:
            (diameter, offset) = (body.spinSquare, centred)
        case (true, _): (diameter, offset) = (stated, hasAxle ? Double(length) / 2 - axle : 0)
        case (false, true):
            diameter = body.pivotDiameter(axleFromRear: axle + behind)
            offset = Double(length) / 2 - axle
        case (false, false): (diameter, offset) = (body.spinSquare, centred)
        }
    }
}
