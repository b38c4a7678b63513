import TestSupport
import Testing

@testable import FloorPlan

/// Where a chair can go and turn.
struct ChairSpaceTests {
    static let chair = FloorShape.rectangle(1_200, 700)
    static let coarse = ChairSpace.Resolution(cell: 50, headings: 36)

    /// Two corridors of this width that meet at a right angle.
    static func bend(_ width: Double) -> FreeSpace {
        FreeSpace(areas: [
            Polygon([
                Vector(0, 0), Vector(2_500, 0), Vector(2_500, 2_500),
                Vector(2_500 - width, 2_500), Vector(2_500 - width, width), Vector(0, width),
            ])
        ])
    }

    static func passes(
        _ floor: FreeSpace, from: Polygon, to: Polygon, _ bound: ChairSpace.Bound,
        _ resolution: ChairSpace.Resolution = coarse
    ) -> Bool {
        let space = ChairSpace(chair, in: floor, resolution, bound)
        return space.reaches(to, space.flood(from: space.places(in: from)))
    }

    @Test(arguments: [(840.0, Certainty.no), (919.0, .uncertain), (1_060.0, .yes)])
    func `a bend between equal corridors can be passed from 919 mm up`(
        width: Double, answer: Certainty
    ) {
        let floor = Self.bend(width)
        let start = CircleTests.box(1_000, width)
        let end = CircleTests.box(width, 1_000, at: Vector(2_500 - width, 1_500))

        #expect(Self.passes(floor, from: start, to: end, .surely) == (answer == .yes))
        #expect(Self.passes(floor, from: start, to: end, .possibly) == (answer != .no))
    }

    @Test(arguments: [
        (1_300.0, 1_800.0, 700.0, 1_200.0, Certainty.no),
        (1_450.0, 1_800.0, 700.0, 1_200.0, .yes),
        (1_500.0, 1_500.0, 760.0, 1_220.0, .yes), (1_450.0, 1_450.0, 800.0, 1_300.0, .no),
        (1_530.0, 1_530.0, 800.0, 1_300.0, .uncertain),
    ])
    func `turning in a closed box agrees with the formula`(
        width: Double, depth: Double, chairWidth: Double, length: Double, answer: Certainty
    ) {
        let box = CircleTests.box(width, depth)
        let shape = FloorShape.rectangle(length, chairWidth)
        func turns(_ bound: ChairSpace.Bound) -> Bool {
            let space = ChairSpace(shape, in: FreeSpace(areas: [box]), .standard, bound)
            return space.turns(in: box, space.places(in: box))
        }

        #expect(turns(.surely) == (answer == .yes))
        #expect(turns(.possibly) == (answer != .no))
    }

    @Test(arguments: [
        (1_100.0, 600.0, Certainty.no), (1_210, 710, .uncertain), (1_300, 800, .yes),
    ])
    func `a chair on an open floor is in an area only if all of it is`(
        width: Double, depth: Double, answer: Certainty
    ) {
        let area = CircleTests.box(width, depth, at: Vector(1_000, 1_000))
        func enters(_ bound: ChairSpace.Bound) -> Bool {
            let floor = CircleTests.box(4_000, 4_000)
            let space = ChairSpace(
                Self.chair, in: FreeSpace(areas: [floor]), Self.coarse, bound)
            let places = space.places(in: floor)
            let inside = space.places(places, whollyIn: area)
            #expect(space.enters(area, places) == !inside.isEmpty)
            return !inside.isEmpty
        }
        #expect(enters(.surely) == (answer == .yes))
        #expect(enters(.possibly) == (answer != .no))
    }

    @Test(arguments: [(1_300.0, false, Certainty.no), (1_500, false, .yes), (1_500, true, .no)])
    func `a chair on an open floor turns in an area only if all of it stays there`(
        side: Double, hasRamp: Bool, answer: Certainty
    ) {
        let area = CircleTests.box(side, side, at: Vector(1_000, 1_000))
        let ramp = ConvexPolygon(
            centre: area.bounds.centre, width: 800, depth: 500, angle: 0)
        func turns(_ bound: ChairSpace.Bound) -> Bool {
            let floor = CircleTests.box(4_000, 4_000)
            let space = ChairSpace(
                Self.chair, in: FreeSpace(areas: [floor]), .standard, bound)
            return space.turns(
                whollyIn: area, clearOf: hasRamp ? [ramp] : [], space.places(in: floor))
        }
        #expect(turns(.surely) == (answer == .yes))
        #expect(turns(.possibly) == (answer != .no))
    }

    /// Whether a chair gets through a door of this width between two rooms, whose centre is off the
    /// grid.
    static func passesDoor(_ width: Double, _ bound: ChairSpace.Bound, angle: Double = 0) -> Bool {
        let turn = Vector(angle: angle)
        func turned(_ polygon: Polygon) -> Polygon {
            Polygon(polygon.corners.map { $0.turned(by: turn) })
        }
        let rooms = [
            CircleTests.box(1_500, 1_500), CircleTests.box(1_500, 1_500, at: Vector(1_600, 0)),
        ].map(turned)
        let door = turned(CircleTests.box(102, width, at: Vector(1_499, 307)))
        return passes(
            FreeSpace(areas: rooms + [door]), from: rooms[0], to: rooms[1], bound)
    }

    @Test(arguments: [0, 0.4, 0.785])
    func `a door narrower than the chair keeps it in its room`(angle: Double) {
        #expect(!Self.passesDoor(620, .possibly, angle: angle))
        #expect(Self.passesDoor(690, .surely, angle: angle) == false)
        #expect(Self.passesDoor(710, .possibly, angle: angle))
        #expect(Self.passesDoor(800, .surely, angle: angle))
    }

    @Test func `a door along the axes is certain to within one grid square`() {
        #expect(!Self.passesDoor(649, .possibly))
        #expect(Self.passesDoor(751, .surely))
    }

    @Test(arguments: Seed.some(12))
    func `a coarse and a fine search of the same floor never contradict each other`(seed: Seed) {
        var seed = seed
        let room = CircleTests.box(3_000, 2_400)
        let obstacles = (0..<5).map { _ in
            ConvexPolygon(
                centre: Vector(
                    .random(in: 900...2_100, using: &seed), .random(in: 0...2_400, using: &seed)),
                width: .random(in: 50...500, using: &seed),
                depth: .random(in: 50...300, using: &seed),
                angle: .random(in: 0...3, using: &seed)
            ).polygon
        }
        let floor = FreeSpace(areas: [room], obstacles: obstacles)
        let (start, end) = (
            CircleTests.box(700, 2_400), CircleTests.box(700, 2_400, at: Vector(2_300, 0))
        )
        func passes(_ resolution: ChairSpace.Resolution, _ bound: ChairSpace.Bound) -> Bool {
            Self.passes(floor, from: start, to: end, bound, resolution)
        }
        let other = ChairSpace.Resolution(cell: 33, headings: 52)
        for (one, another) in [(Self.coarse, other), (other, Self.coarse)] {
            #expect(!passes(one, .surely) || passes(another, .possibly))
        }
        #expect(!passes(other, .surely) || passes(other, .possibly))
    }

    @Test func `a chair too small for the grid is never reported as kept out`() {
        let rooms = [CircleTests.box(500, 500), CircleTests.box(500, 500, at: Vector(600, 0))]
        let door = CircleTests.box(102, 60, at: Vector(599, 200))
        let space = ChairSpace(
            .rectangle(40, 40), in: FreeSpace(areas: rooms + [door]), Self.coarse, .possibly)

        #expect(space.reaches(rooms[1], space.flood(from: space.places(in: rooms[0]))))
    }

    @Test func `a place between the centres of squares is never reported as out of reach`() {
        let room = CircleTests.box(4_000, 4_000)
        let space = ChairSpace(
            Self.chair, in: FreeSpace(areas: [room]), .init(cell: 500, headings: 36), .possibly)
        let reached = space.flood(from: space.places(in: room))

        #expect(space.reaches(CircleTests.box(100, 100, at: Vector(2_050, 2_050)), reached))
    }

    @Test func `a space has a bounded number of places, however large its floor is drawn`() {
        let far = 1_000_000.0
        let bend = Polygon([
            .zero, Vector(far, 0), Vector(far, 1_100), Vector(1_100, 1_100), Vector(1_100, far),
            Vector(0, far),
        ])
        for area in [bend, CircleTests.box(1_100, far), CircleTests.box(far, 1_100)] {
            let space = ChairSpace(
                Self.chair, in: FreeSpace(areas: [area]), .standard.finer, .possibly)
            let row = (space.frame.columns + 63) / 64 * 64
            let places = Double(row * space.frame.rows * space.headings)
            #expect(places < 1.1 * ChairSpace.Resolution.mostPlaces)
        }
    }

    @Test func `a room of 10 mm by 2 km is examined more coarsely, and a corridor isn't`() {
        let finer = ChairSpace.Resolution.standard.finer
        let slit = Bounds(low: .zero, high: Vector(10, 2_000_000))
        #expect(finer.bearable(for: slit).cell > 3 * finer.cell)
        let corridor = Bounds(low: .zero, high: Vector(1_200, 20_000))
        #expect(finer.bearable(for: corridor) == finer)
    }
}
