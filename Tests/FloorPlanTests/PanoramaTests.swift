import Foundation
import Testing

@testable import FloorPlan

/// Measuring in a panorama.
struct PanoramaTests {
    static let picture = Panorama(width: 4_096, height: 2_048, camera: 1_500)

    @Test func `at 45 degrees down, the floor is as far away as the camera is high`() throws {
        let point = try #require(Self.picture.floorPoint(2_047.5, 1_535.5))

        #expect(abs(point.x) < 1e-6)
        #expect(abs(point.y - 1_500) < 1e-6)
    }

    @Test func `a corner whose foot is hidden is found from the ceiling`() throws {
        let (u, v) = (3_000.0, 1_400.0)
        let foot = try #require(Self.picture.floorPoint(u, v))
        // The row where the ceiling is 900 mm above the camera there.
        let above = (0.5 - atan2(900, foot.length) / .pi) * 2_048 - 0.5

        #expect(abs(Self.picture.ceilingHeight(u, above, distance: foot.length) - 2_400) < 1e-6)
        let corner = try #require(Self.picture.cornerBelow(u, above, ceiling: 2_400))
        #expect(corner.distance(to: foot) < 1e-6)
    }

    @Test func `the floor is only below the horizon, and the ceiling only above it`() {
        #expect(Self.picture.floorPoint(0, 1_023.5) == nil)
        #expect(Self.picture.floorPoint(0, 100) == nil)
        #expect(Self.picture.cornerBelow(0, 1_100, ceiling: 2_400) == nil)
        #expect(Self.picture.cornerBelow(0, 100, ceiling: 1_500) == nil)
    }

    @Test func `the deviation grows with the distance as the formulas predict`() {
        let near = Self.picture.deviation(atDistance: 3_000, pixels: 1)
        let tilted = Self.picture.deviation(
            atDistance: 3_000, pixels: 0, cameraHeight: 0, tilt: .pi / 180)

        #expect(abs(near.along - 11.5) < 0.05)
        #expect(abs(near.across - 4.6) < 0.05)
        #expect(abs(tilted.along - 131) < 0.5)
        #expect(
            abs(Self.picture.deviation(atDistance: 5_000, pixels: 1).along - 27.9) < 0.05)
    }
}
