import Foundation
import Testing

@testable import FloorPlan

/// The largest circle in a free floor.
struct CircleTests {
    static let lShape = Polygon([
        Vector(0, 0), Vector(3_000, 0), Vector(3_000, 1_400), Vector(1_600, 1_400),
        Vector(1_600, 3_000), Vector(0, 3_000),
    ])

    static func box(_ width: Double, _ depth: Double, at corner: Vector = .zero) -> Polygon {
        Polygon([
            corner, corner + Vector(width, 0), corner + Vector(width, depth),
            corner + Vector(0, depth),
        ])
    }

    /// Shapes, and the radii that follow from their dimensions in closed form.
    static let known: [(FreeSpace, Double)] = [
        (FreeSpace(areas: [box(2_200, 2_450)]), 1_100),
        // Tangent to two walls and the inner corner: r² = (1600 − r)² + (1400 − r)².
        (FreeSpace(areas: [lShape]), 883.399),
        // Approved Document M, volume 1, diagram 3.12B: there is a basin in the room.
        (
            FreeSpace(
                areas: [box(1_650, 2_200)],
                obstacles: [box(500, 700, at: Vector(950, 1_500))]), 761.806
        ),
        (FreeSpace(areas: [Polygon([.zero, Vector(4_000, 0), Vector(0, 3_000)])]), 1_000),
        (
            FreeSpace(
                areas: [box(4_000, 4_000)],
                obstacles: [box(400, 400, at: Vector(1_800, 1_800))]), 1_054.416
        ),
    ]

    @Test(arguments: known)
    func `the largest circle is found to half a millimetre`(floor: FreeSpace, radius: Double) {
        let circle = floor.largestCircle()

        #expect(abs((circle?.radius ?? 0) - radius) < 0.5)
        #expect(floor.contains(circle?.centre ?? .zero))
    }

    @Test func `a circle may extend through the opening between two rooms`() {
        let rooms = [Self.box(1_000, 3_000), Self.box(1_000, 3_000, at: Vector(1_100, 0))]
        let opening = Self.box(102, 3_000, at: Vector(999, 0))

        #expect(abs(FreeSpace(areas: rooms).largestCircle()!.radius - 500) < 0.5)
        let open = FreeSpace(areas: rooms + [opening])
        #expect(abs(open.largestCircle()!.radius - 1_050) < 0.5)
    }

    @Test func `a completely covered floor has no circle`() {
        let floor = FreeSpace(
            areas: [Self.box(1_000, 1_000)],
            obstacles: [Self.box(1_200, 1_200, at: Vector(-100, -100))])

        #expect(floor.largestCircle() == nil)
    }

    @Test func `obstacles that overlap each other or the wall count once`() {
        let floor = FreeSpace(
            areas: [Self.box(3_000, 2_000)],
            obstacles: [
                Self.box(800, 2_100, at: Vector(-50, -50)),
                Self.box(900, 900, at: Vector(100, 100)),
            ])

        // Free is x = 750 ... 3000, but where y is below 1000 only x = 1000 ... 3000.
        #expect(abs(floor.largestCircle()!.radius - 1_000) < 0.5)
    }
}
