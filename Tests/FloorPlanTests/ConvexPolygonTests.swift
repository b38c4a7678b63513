import Foundation
import TestSupport
import Testing

@testable import FloorPlan

/// Convex outlines: hulls, sums, sweeps and intersections.
struct ConvexPolygonTests {
    static func any(_ seed: inout Seed) -> ConvexPolygon {
        let points = (0..<Int.random(in: 3...12, using: &seed)).map { _ in
            Vector(
                .random(in: -1_000...1_000, using: &seed), .random(in: -1_000...1_000, using: &seed)
            )
        }
        return ConvexPolygon(hullOf: points)
    }

    private static func area(_ polygon: ConvexPolygon) -> Double { polygon.polygon.signedArea }

    @Test(arguments: Seed.some(50))
    func `the sum of two polygons is the hull of the sums of their corners`(seed: Seed) {
        var seed = seed
        let (a, b) = (Self.any(&seed), Self.any(&seed))
        let hull = ConvexPolygon(
            hullOf: a.corners.flatMap { corner in b.corners.map { corner + $0 } })

        #expect(abs(Self.area(a.sum(b)) - Self.area(hull)) < 1e-3)
        for corner in hull.corners { #expect(a.sum(b).grown(0.001).depth(of: corner) > 0) }
    }

    @Test(arguments: Seed.some(50))
    func `a swept polygon is its sum with the path`(seed: Seed) {
        var seed = seed
        let shape = Self.any(&seed)
        let way = Vector(.random(in: -500...500, using: &seed), seed.oneIn(3) ? 0 : 200)
        let sum = shape.sum(ConvexPolygon(counterClockwise: [.zero, way]))

        #expect(abs(Self.area(shape.swept(along: way)) - Self.area(sum)) < 1e-3)
    }

    @Test(arguments: Seed.some(50))
    func `a point is in the intersection of two polygons if it is in both`(seed: Seed) {
        var seed = seed
        let (a, b) = (Self.any(&seed), Self.any(&seed))
        let common = a.intersection(b)
        for _ in 0..<100 {
            let point = Vector(
                .random(in: -1_000...1_000, using: &seed), .random(in: -1_000...1_000, using: &seed)
            )
            let depth = min(a.depth(of: point), b.depth(of: point))
            guard abs(depth) > 1e-6 else { continue }
            let isIn = common.corners.count > 2 && common.depth(of: point) > 0
            #expect(isIn == (depth > 0))
        }
    }

    @Test(arguments: [0, 9, 18, 27])
    func `a polygon swept along its own side gets no corner on that side`(step: Int) {
        let angle = Double(step) * .pi / 18
        let shape = ConvexPolygon(centre: .zero, width: 1_200, depth: 700, angle: angle)
        let swept = shape.swept(along: Vector(50, 0))
        let wall = ConvexPolygon(counterClockwise: [.zero, Vector(3_000, 0)])

        #expect(swept.corners.count == 4)
        let size = swept.bounds.size
        #expect(abs(Self.area(wall.sum(swept)) - (3_000 + size.x) * size.y) < 1e-3)
    }

    @Test func `corners that differ by rounding alone are one corner`() {
        let noise = 1e-13
        let hull = ConvexPolygon(hullOf: [
            .zero, Vector(noise, -noise), Vector(10, 0), Vector(10 + noise, noise), Vector(5, 8),
            Vector(5, 8 + noise),
        ])

        #expect(hull.corners.count == 3)
    }

    @Test func `the sum of squares with parallel sides is a square`() {
        let square = ConvexPolygon(centre: .zero, width: 2, depth: 2, angle: 0)
        let sum = square.sum(square)

        #expect(sum.bounds.size == Vector(4, 4))
        #expect(sum.polygon.area == 16)
    }
}

extension ConvexPolygon {
    /// Slightly larger about its centre.
    fileprivate func grown(_ margin: Double) -> ConvexPolygon {
        let middle = bounds.centre
        return ConvexPolygon(
            counterClockwise: corners.map { $0 + ($0 - middle).unit * margin })
    }
}
