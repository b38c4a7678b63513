import Foundation
import Testing

@testable import FloorPlan

/// The space that a chair needs to turn and to go around a corner.
struct ChairGeometryTests {
    @Test(arguments: [(300.0, 1_931.3), (400.0, 1_746.4), (600.0, 1_389.2)])
    func `the pivot circle follows from the position of the axle`(axle: Double, diameter: Double) {
        let chair = Chair(width: 700, length: 1_200)

        #expect(abs(chair.pivotDiameter(axleFromRear: axle) - diameter) < 0.1)
    }

    @Test(arguments: [
        (700.0, 1_200.0, 1_389.24), (760.0, 1_220.0, 1_437.36), (800.0, 1_300.0, 1_526.43),
    ])
    func `a closed square must be as wide as the diagonal`(
        width: Double, length: Double, side: Double
    ) {
        #expect(abs(Chair(width: width, length: length).spinSquare - side) < 0.01)
    }

    @Test(arguments: [
        (1_300.0, 1_800.0, 700.0, 1_200.0, false), (1_400.0, 1_800.0, 700.0, 1_200.0, true),
        (1_400.0, 1_400.0, 760.0, 1_220.0, false), (1_500.0, 1_500.0, 760.0, 1_220.0, true),
        (1_500.0, 1_500.0, 800.0, 1_300.0, false), (1_530.0, 1_530.0, 800.0, 1_300.0, true),
    ])
    func `whether a chair turns in a closed box is decided exactly`(
        width: Double, depth: Double, chairWidth: Double, length: Double, turns: Bool
    ) {
        let chair = Chair(width: chairWidth, length: length)

        #expect(chair.turns(inBox: width, depth) == turns)
    }

    @Test(arguments: [
        (900.0, 900.0, 1_200.0, 672.792), (900.0, 860.0, 1_200.0, 644.162),
        (900.0, 760.0, 1_200.0, 569.795),
        (1_050.0, 850.0, 1_200.0, 733.982), (800.0, 800.0, 1_200.0, 531.371),
        (900.0, 900.0, 1_300.0, 622.792),
    ])
    func `a bend leaves the width that the formula gives`(
        a: Double, b: Double, length: Double, width: Double
    ) {
        let chair = Chair(width: 0, length: length)

        #expect(abs(chair.bendMargin(from: a, into: b) - width) < 0.01)
    }

    @Test func `a bend between equal corridors needs 919 mm for a chair of 700 by 1200 mm`() {
        let chair = Chair(width: 700, length: 1_200)

        #expect(chair.bendMargin(from: 919, into: 919) < 0)
        #expect(chair.bendMargin(from: 919.3, into: 919.3) > 0)
    }
}
