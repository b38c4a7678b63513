import Foundation
import TestSupport
import Testing

@testable import FloorPlan

/// Which items overlap, and finding them without examining every item.
struct OverlapTests {
    @Test func `things that touch don't collide`() {
        let bed = ConvexPolygon(centre: .zero, width: 900, depth: 2_000, angle: 0)
        let beside = bed.moved(by: Vector(900, 0))

        #expect(Overlap(bed, beside) == nil)
        #expect(Overlap(bed, beside.moved(by: Vector(-1, 0))) == nil)
        #expect(Overlap(bed, beside.moved(by: Vector(-2, 0)))?.depth == 2)
    }

    @Test func `an overlap gives the shortest way out`() {
        let bed = ConvexPolygon(centre: .zero, width: 900, depth: 2_000, angle: 0)
        let table = ConvexPolygon(centre: Vector(800, 0), width: 800, depth: 800, angle: 0)
        let overlap = Overlap(bed, table)

        #expect(overlap?.depth == 50)
        #expect(overlap?.direction == Vector(-1, 0))
    }

    static func any(_ seed: inout Seed) -> (rectangle: TurnedRectangle, outline: ConvexPolygon) {
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &seed) }
        let centre = Vector(number(0...3_000), number(0...3_000))
        let (width, depth) = (number(50...1_500), number(50...1_500))
        let angle = number(0...(2 * .pi))
        return (
            TurnedRectangle(centre: centre, width: width, depth: depth, angle: angle),
            ConvexPolygon(centre: centre, width: width, depth: depth, angle: angle)
        )
    }

    @Test(arguments: Seed.some(20))
    func `turned rectangles are compared by their corners`(seed: Seed) {
        var seed = seed
        for _ in 0..<200 {
            let (a, b) = (Self.any(&seed), Self.any(&seed))

            #expect(
                a.rectangle.overlaps(b.rectangle) == (Overlap(a.outline, b.outline) != nil))
        }
    }

    @Test(arguments: Seed.some(20))
    func `the index finds the same items around a place as comparing all`(seed: Seed) {
        var seed = seed
        var index = SpatialIndex(cell: 300)
        var places: [Int: Bounds] = [:]
        for _ in 0..<300 {
            let item = seed.below(60)
            if seed.oneIn(4) {
                index.remove(item)
                places[item] = nil
            } else {
                var place = Self.any(&seed).outline.bounds
                if seed.oneIn(20) { place.high = place.high + Vector(50_000, 9_000) }
                index.put(item, at: place)
                places[item] = place
            }
        }

        for (item, place) in places {
            var found: [Int] = []
            index.forEach(meeting: place) { found.append($0) }
            #expect(
                found.sorted() == places.keys.filter { places[$0]!.meets(place) }.sorted(),
                "around \(item)")
        }
    }
}
