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
            if Self.freest(line, out, width, ways).isEnough {
                fits = width
            } else {
                tooLarge = width
            }
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
        Self.freest(line, out, width, ways).place
    }

    /// The freest place at half a width from a line, or the first with room enough. Some places
    /// are looked at, and then, by thirds, what is around the best of them.
    private static func freest(
        _ line: Segment, _ out: Vector, _ width: Double, _ ways: WidestWay
    ) -> (place: Vector, isEnough: Bool) {
        let enough = width / 2 - 0.05
        let start = line.start + out * (width / 2)
        func place(_ share: Double) -> Vector { start + line.along * share }
        func room(_ share: Double) -> Double { ways.clearance(place(share)) }
        var best = (share: 0.5, room: room(0.5))
        if best.room >= enough || line.length == 0 {
            return (place(0.5), best.room >= enough)
        }
        let steps = 8
        for step in 0...steps where step != steps / 2 {
            let share = Double(step) / Double(steps)
            let found = room(share)
            if found >= enough { return (place(share), true) }
            if found > best.room { best = (share, found) }
        }
        // Between two of the places there can't be more than by half of the way.
        let half = 0.5 / Double(steps)
        guard best.room + half * line.length >= enough else { return (place(best.share), false) }
        var (low, high) = (max(best.share - 2 * half, 0), min(best.share + 2 * half, 1))
        while (high - low) * line.length > 0.1 {
            let third = (high - low) / 3
            if room(low + third) < room(high - third) { low += third } else { high -= third }
        }
        let found = room((low + high) / 2)
        return found > best.room
            ? (place((low + high) / 2), found >= enough) : (place(best.share), false)
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
