import Foundation
import TestSupport
import Testing

@testable import TransitFeed

@Suite struct StopMatchingTests {
    /// A place this many metres east and north of 50° N 8° E.
    private func place(_ east: Double, _ north: Double) -> Feed.Position {
        let unit = metresPerUnit
        return Feed.Position(
            latitude: 500_000_000 + Int32(north / unit),
            longitude: 80_000_000 + Int32(east / unit / cos(50 * Double.pi / 180)))
    }

    private func along(
        _ line: [(Double, Double)], _ stops: [(Double, Double)]
    ) -> [Double] {
        let matching = StopMatching(Feed.Polyline(line.map { place($0.0, $0.1) }))
        return matching.match(stops.map { place($0.0, $0.1) }).along.map { $0.rounded() }
    }

    @Test func `stops beside a line are found along it`() {
        let found = along([(0, 0), (1000, 0), (1000, 1000)], [(0, 10), (500, -8), (990, 700)])

        expectNear(found, [0, 500, 1700])
    }

    @Test func `on an out-and-back line each stop is on its own leg`() {
        let found = along(
            [(0, 0), (2000, 0), (0, 0)], [(5, 4), (1000, 4), (1995, 0), (1000, -4), (5, -4)])

        expectNear(found, [5, 1000, 1995, 3000, 3995])
    }

    @Test func `a loop ends where it begins`() {
        let square = [(0.0, 0.0), (500, 0), (500, 500), (0, 500), (0, 0)]

        let found = along(square, [(0, 0), (500, 250), (250, 500), (0, 0)])

        expectNear(found, [0, 750, 1250, 2000])
    }

    @Test func `a loop ridden twice passes each stop twice`() {
        let square = [(500.0, 0.0), (500, 500), (0, 500), (0, 0)]
        let stops = [(500.0, 250.0), (250, 500), (0, 250)]

        let found = along([(0, 0)] + square + square, stops + stops)

        expectNear(found, [750, 1250, 1750, 2750, 3250, 3750])
    }

    @Test func `a branch passed on the way in and out is matched in order`() {
        let line = [(0.0, 0.0), (1000, 0), (1000, 800), (1000, 0), (2000, 0)]

        let found = along(line, [(0, 0), (995, 5), (1000, 800), (1005, 5), (2000, 0)])

        expectNear(found, [0, 1005, 1800, 2595, 3600], within: 12)
    }

    @Test func `a stop slightly before its predecessor doesn't go backwards`() {
        let found = along([(0, 0), (1000, 0)], [(0, 0), (500, 10), (480, -10), (1000, 0)])

        #expect(found == found.sorted())
        expectNear(found, [0, 500, 500, 1000], within: 25)
    }

    @Test func `stops in the wrong order still get distances that do not decrease`() {
        let found = along([(0, 0), (1000, 0)], [(900, 0), (100, 0), (500, 0)])

        #expect(found.count == 3)
        #expect(found == found.sorted())
    }

    @Test func `distances the feed states are used when they lead to the stops`() throws {
        let points = [(0.0, 0.0), (1000, 0), (0, 0)].map { place($0.0, $0.1) }
        let matching = StopMatching(Feed.Polyline(points))
        let stops = [(0.0, 0.0), (600, 0)].map { place($0.0, $0.1) }

        let right = matching.match(stops, stated: [0, 1.4], on: [0, 1, 2])
        let wrong = matching.match(stops, stated: [0, 0.2], on: [0, 1, 2])
        let backwards = matching.match(stops, stated: [1.4, 0], on: [0, 1, 2])

        // The stop is passed twice, and only the feed knows that it is served on the way back.
        expectNear(try #require(right), [0, 1400])
        #expect(wrong == nil)
        #expect(backwards == nil)
    }

    @Test func `a line across the date line doesn't go around the earth`() {
        let points = [1_799_990_000, -1_799_990_000].map {
            Feed.Position(latitude: 0, longitude: Int32($0))
        }

        let line = Feed.Polyline(points)
        let found = StopMatching(line).match(points)

        #expect(line.length > 22_000 && line.length < 22_500)
        expectNear(found.along, [0, Double(line.length) / 100])
    }

    @Test func `a shape that doesn't match its stops is replaced by straight lines`() throws {
        let small = SmallFeed().replacing("52.5000000", "52.6000000", in: "shapes.txt")

        let feed = try small.read()

        #expect(feed.patterns[0].shape == nil)
        #expect(feed.polylines[0].points == feed.stops.prefix(3).map(\.position))
    }

    @Test(arguments: Seed.some(100))
    func `stops on a random line are found where they were placed`(_ seed: Seed) {
        var seed = seed
        var points = [(0.0, 0.0)]
        for _ in 0..<Int.random(in: 2...60, using: &seed) {
            let last = points[points.count - 1]
            points.append(
                (
                    last.0 + .random(in: 50...300, using: &seed),
                    last.1 + .random(in: -100...100, using: &seed)
                ))
        }
        let line = Feed.Polyline(points.map { place($0.0, $0.1) })
        let ends = Array(points.indices.shuffled(using: &seed).prefix(10).sorted())

        let found = along(points, ends.map { points[$0] })

        expectNear(found, ends.map { line.distances[$0] })
    }

    private func expectNear(_ found: [Double], _ wanted: [Double], within: Double = 2) {
        #expect(found.count == wanted.count)
        for (found, wanted) in zip(found, wanted) {
            #expect(abs(found - wanted) <= within, "\(found) is not \(wanted)")
        }
    }
}
