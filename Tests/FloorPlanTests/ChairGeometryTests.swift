import Foundation
import Messages
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

    /// The turning circle of a chair of 700 by 1200 mm.
    private static func circle(_ build: Wheelchair) -> TurningCircle {
        TurningCircle(width: 700, length: 1_200, build: build)
    }

    @Test(arguments: [1, 600, 750, 1_199, 1_200, 1_389] as [UInt32])
    func `a chair doesn't turn in a circle shorter than itself`(stated: UInt32) {
        let diagonal = Chair(width: 700, length: 1_200).spinSquare

        #expect(Self.circle(Wheelchair(turningDiameter: stated)).diameter == diagonal)
        #expect(Self.circle(Wheelchair(turningDiameter: 1_390)).diameter == 1_390)
    }

    @Test func `a radius given as a diameter doesn't replace the circle about the axle`() {
        #expect(
            Self.circle(Wheelchair(turningDiameter: 750, axleFromRear: 300))
                == Self.circle(Wheelchair(axleFromRear: 300)))
    }

    @Test func `hands widen a stated turning circle`() {
        #expect(Self.circle(Wheelchair(turningDiameter: 1_500, hands: 100)).diameter == 1_600)
        // A corner moves by 50 mm aside and 120 mm ahead: by 130 mm.
        let circle = Self.circle(Wheelchair(turningDiameter: 1_500, hands: 100, legRests: 120))
        #expect(circle.diameter == 1_760)
    }
}
