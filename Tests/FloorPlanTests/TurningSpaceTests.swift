import TestSupport
import Testing

@testable import FloorPlan

/// Whether a turning space fits.
struct TurningSpaceTests {
    static func floor(_ width: Double, _ depth: Double) -> FreeSpace {
        FreeSpace(areas: [CircleTests.box(width, depth)])
    }

    @Test func `a rectangle fits into a box of its own size`() {
        let rectangle = FloorShape.rectangle(1_300, 1_800)

        #expect(Self.floor(1_300, 1_800).place(for: rectangle) != nil)
        #expect(Self.floor(1_800, 1_300).place(for: rectangle) != nil)
        #expect(Self.floor(1_299, 1_800).place(for: rectangle) == nil)
        #expect(Self.floor(1_500, 1_500).place(for: rectangle) == nil)
    }

    static let scales: [(FreeSpace, Double)] = [
        (floor(1_500, 1_500), 0.8333), (floor(1_400, 1_400), 0.7778),
        (FreeSpace(areas: [CircleTests.lShape]), 1.231),
    ]

    @Test(arguments: scales)
    func `a rectangle fits up to the scale that the geometry gives`(
        floor: FreeSpace, scale: Double
    ) {
        let rectangle = FloorShape.rectangle(1_300, 1_800)

        #expect(floor.place(for: rectangle.scaled(by: scale - 0.001)) != nil)
        #expect(floor.place(for: rectangle.scaled(by: scale + 0.002)) == nil)
    }

    @Test func `a rectangle that fits only at an angle is found`() {
        // The box of 3000 x 1000, turned by 30 degrees.
        let turned = Polygon(
            CircleTests.box(3_000, 1_000).corners.map { $0.turned(by: Vector(angle: .pi / 6)) })
        let place = FreeSpace(areas: [turned]).place(for: .rectangle(2_999, 999))

        #expect(abs((place?.angle ?? 0) - .pi / 6) < 1e-6)
    }

    @Test func `a T fits in a box that lacks the corners a T lacks`() {
        let tee = FloorShape.tee(width: 1_525, depth: 1_525, bar: 915, stem: 915)
        let floor = FreeSpace(
            areas: [CircleTests.box(1_525, 1_525)],
            obstacles: [
                CircleTests.box(305, 610, at: Vector(0, 915)),
                CircleTests.box(305, 610, at: Vector(1_220, 915)),
            ])

        #expect(floor.place(for: tee) != nil)
        #expect(floor.place(for: .rectangle(1_525, 1_525)) == nil)
        #expect(floor.place(for: tee.scaled(by: 1.01)) == nil)
    }

    @Test func `an ellipse fits into a box of its axes`() {
        let ellipse = FloorShape.ellipse(1_400, 1_700)

        #expect(Self.floor(1_402, 1_702).place(for: ellipse) != nil)
        #expect(Self.floor(1_399, 1_700).place(for: ellipse) == nil)
    }

    @Test func `a search of thousands of headings ends at once when its time is up`() {
        // Each board has a direction of its own, and so gives two headings more to try.
        let boards = (0..<1_500).map { number in
            ConvexPolygon(
                centre: Vector(5_000, 5_000), width: 2_000, depth: 10,
                angle: Double(number) / 1_500 * .pi
            ).polygon
        }
        let floor = FreeSpace(areas: [CircleTests.box(10_000, 10_000)], obstacles: boards)
        let time = shortestTime(under: .seconds(20)) {
            let begin = ContinuousClock.now
            let place = WorkLimit { true }.run { floor.place(for: .rectangle(9_000, 9_500)) }
            #expect(place == nil)
            return ContinuousClock.now - begin
        }

        #expect(time < .seconds(20))
    }

    @Test func `a search that would fill the memory is given up, unless it has no limit`() {
        func found() -> Vector? {
            let goal = Vector(123, 777)
            let bounds = CircleTests.box(1_000, 1_000).bounds
            var search = SquareSearch(bounds, items: 100, mostBytes: 1_200)
            return search.run(precision: 0.5, least: -2_000, enough: .infinity) { place, items, _ in
                (-place.distance(to: goal), Array(items.dropLast()))
            }?.place
        }
        #expect(WorkLimit { false }.run(found) == nil)
        #expect((found() ?? .zero).distance(to: Vector(123, 777)) < 1)
    }

    @Test func `squares count towards the memory of a search, however few items matter in them`() {
        // As in a corridor of constant width, all places along the middle are equally good.
        func found() -> Vector? {
            let bounds = CircleTests.box(1_000, 1_000).bounds
            var search = SquareSearch(bounds, items: 0, mostBytes: 100_000)
            return search.run(precision: 0.1, least: -2_000, enough: .infinity) { place, items, _ in
                (-abs(place.y - 300), items)
            }?.place
        }
        #expect(WorkLimit { false }.run(found) == nil)
        #expect(abs((found() ?? .zero).y - 300) < 0.2)
    }
}
