import Foundation
import RideEvaluation
import Testing

@testable import RideTracking

/// Which places of a path are near a point.
@Suite struct PathTests {
    /// A path of short steps in any directions, which comes back to itself again and again.
    private func walk(_ random: inout Seeded, steps: Int) -> [Position] {
        var (east, north) = (0.0, 0.0)
        return (0...steps).map { _ in
            east += Double.random(in: -60...80, using: &random)
            north += Double.random(in: -60...60, using: &random)
            return Synthetic.at(east, north)
        }
    }

    @Test(arguments: Array(1...6) as [UInt64], [false, true])
    func `the feet of a point on a long path are those on all of its parts`(
        seed: UInt64, isStraight: Bool
    ) throws {
        var random = Seeded(seed)
        let corners = walk(&random, steps: 300)
        let path = try #require(Path(corners, isStraight: isStraight))
        for _ in 0..<5 {
            let along = Double.random(in: 0...path.length, using: &random)
            var point = path.point(at: along)
            point.x += Double.random(in: -150...150, using: &random)
            point.y += Double.random(in: -150...150, using: &random)

            let feet = path.feet(of: point, in: 0...path.length, radius: 100, separation: 0)

            // Each metre of the path that is near and no farther than its neighbours is a foot.
            let offsets = stride(from: 0, through: path.length, by: 1).map { metres in
                let place = path.point(at: metres)
                return hypot(place.x - point.x, place.y - point.y)
            }
            for index in 1..<(offsets.count - 1)
            where offsets[index] < 95 && offsets[index] < offsets[index - 1]
                && offsets[index] < offsets[index + 1]
            {
                let found = feet.contains { abs($0.along - Double(index)) <= 2 }
                #expect(found, "seed \(seed): \(index) m along")
            }
            for foot in feet {
                let place = path.point(at: foot.along)
                let offset = hypot(place.x - point.x, place.y - point.y)
                #expect(abs(offset - foot.offset) < 0.01, "seed \(seed)")
            }
        }
    }

    @Test func `a point isn't compared with the parts of a long path that are far away`() throws {
        let corners = (0...200_000).map { Synthetic.at(Double($0) / 10, Double($0 % 2) / 10) }
        let path = try #require(Path(corners))
        let (off, on) = (
            path.projection.point(Synthetic.at(10_000, 2_000)),
            path.projection.point(Synthetic.at(10_000, 0))
        )

        #expect(path.comparisons(of: off, radius: Rules.onLine) <= 3_200)
        #expect(path.comparisons(of: on, radius: Rules.onLine) <= 5_500)
        #expect(path.feet(of: off, in: 0...path.length, radius: 100, separation: 60).isEmpty)
        #expect(!path.feet(of: on, in: 0...path.length, radius: 100, separation: 60).isEmpty)
    }
}
