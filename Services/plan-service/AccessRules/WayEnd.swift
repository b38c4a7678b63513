import FloorPlan
import Messages

/// Where a way begins or ends: before a door or window, beside a toilet, in a shower. Somebody
/// stands there by half of his width from it, and so the place depends on the width.
struct WayEnd {
    /// The line on which he stands, for no width at all, and the way out from it.
    private let line: Segment
    private let out: Vector
    /// The largest disc that has room there, in millimetres.
    let most: Double

    private init(_ line: Segment, out: Vector, _ ways: WidestWay) {
        self.line = line
        self.out = out
        // A disc that has room there has a smaller one in it that touches the line too, and so
        // the limit can be halved out.
        var (fits, tooLarge) = (0.0, ways.most)
        while tooLarge - fits > 0.1 {
            let width = (fits + tooLarge) / 2
            let place = Self.place(line, out, width, ways)
            if 2 * ways.clearance(place) + 0.1 >= width { fits = width } else { tooLarge = width }
        }
        most = fits
    }

    /// Before a door or window of a room, somewhere along its hole.
    init(before doorway: Doorway, _ floor: RoomFloor, _ ways: WidestWay) {
        let surface = floor.surface(of: doorway)
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        self.init(
            Segment(surface - half, surface + half),
            out: doorway.out(left: doorway.isLeft(floor.room.id) ?? true), ways)
    }

    /// Beside an element, at the side that has more room.
    init(beside element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let depth = fixture.rear * fixture.halfDepth
        let ends = [fixture.across, -fixture.across].map { side in
            let edge = element.place + side * fixture.halfWidth
            return WayEnd(Segment(edge - depth, edge + depth), out: side, ways)
        }
        self = ends[0].most >= ends[1].most ? ends[0] : ends[1]
    }

    /// The freest place on an element that can be driven over.
    init(on element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let shares = stride(from: -1.0, through: 1, by: 0.25)
        let places = shares.flatMap { x in
            shares.map { y in
                element.place + fixture.across * (fixture.halfWidth * x)
                    + fixture.rear * (fixture.halfDepth * y)
            }
        }
        let best =
            places.max { ways.clearance($0) < ways.clearance($1) } ?? element.place
        self.init(Segment(best, best), out: .zero, ways)
    }

    /// Where somebody of a width stands.
    func place(for width: Double, _ ways: WidestWay) -> Vector {
        Self.place(line, out, width, ways)
    }

    /// The freest place at half a width from a line.
    private static func place(
        _ line: Segment, _ out: Vector, _ width: Double, _ ways: WidestWay
    ) -> Vector {
        func place(_ share: Double) -> Vector {
            line.start + line.along * share + out * (width / 2)
        }
        func room(_ share: Double) -> Double { ways.clearance(place(share)) }
        let middle = room(0.5)
        guard line.length > 0, 2 * middle < width else { return place(0.5) }
        let steps = 8
        let rooms = (0...steps).map { room(Double($0) / Double(steps)) }
        let best = rooms.indices.max { rooms[$0] < rooms[$1] } ?? 0
        var low = Double(max(best - 1, 0)) / Double(steps)
        var high = Double(min(best + 1, steps)) / Double(steps)
        for _ in 0..<16 where high - low > 1e-4 {
            let third = (high - low) / 3
            if room(low + third) < room(high - third) { low += third } else { high -= third }
        }
        return place((low + high) / 2)
    }
}

extension WidestWay {
    /// The narrowest place on the ways from one end to others, the ends with what room they have
    /// themselves.
    func narrowest(from start: WayEnd, to goals: [WayEnd]) -> Narrowest {
        let ends = [start] + goals
        let least = ends.min { $0.most < $1.most } ?? start
        var narrowest = Narrowest(width: least.most, place: least.place(for: least.most, self))
        // What is found for a width is the most that can be, until it can be.
        for _ in 0..<8 {
            let wanted = narrowest.width
            let places = ends.map { $0.place(for: wanted, self) }
            for place in places.dropFirst() where place != places[0] {
                let way = width(from: places[0], to: place)
                if way.width < narrowest.width { narrowest = way }
            }
            if narrowest.width + 0.25 >= wanted { break }
        }
        return narrowest
    }
}
