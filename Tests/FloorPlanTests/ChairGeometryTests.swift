import Foundation
import Testing

@testable import FloorPlan

/// The space that a chair needs to turn.
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
}
