import FloorPlan
import Messages

/// Where a way begins or ends: before a door or window, beside a toilet, in a shower. Somebody
/// stands there by half of his width from it, and so the places depend on the width.
struct WayEnd {
    /// A line on which he stands, for no width at all, and the way out from it.
    typealias Edge = (line: Segment, out: Vector)

    private let edges: [Edge]
    /// The largest disc that has room there, in millimetres.
    let most: Double

    /// Discs that touch something by less still have room. Millimetres.
    private static let touch = 0.05

    init(_ edges: [Edge], _ ways: WidestWay) {
        self.edges = edges
        // A disc that has room there has a smaller one in it that touches the line too, and so
        // the limit can be halved out.
        var (fits, tooLarge) = (0.0, ways.most)
        while tooLarge - fits > WidestWay.exactness {
            let width = (fits + tooLarge) / 2
            if Self.places(on: edges, for: width, ways).isEmpty {
                tooLarge = width
            } else {
                fits = width
            }
        }
        most = fits
    }

    /// Before a door or window of a room, somewhere along its hole.
    init(before doorway: Doorway, _ floor: RoomFloor, _ ways: WidestWay) {
        let surface = floor.surface(of: doorway)
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        let out = doorway.out(left: doorway.isLeft(floor.room.id) ?? true)
        self.init([(Segment(surface - half, surface + half), out)], ways)
    }

    /// Beside an element, at either side.
    init(beside element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let depth = fixture.rear * fixture.halfDepth
        let edges = [fixture.across, -fixture.across].map { side in
            let edge = element.place + side * fixture.halfWidth
            return (Segment(edge - depth, edge + depth), side)
        }
        self.init(edges, ways)
    }

    /// On an element that can be driven over: somewhere along one of some lines across it.
    init(on element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let half = fixture.across * fixture.halfWidth
        let edges = stride(from: -1.0, through: 1, by: 0.25).map { share in
            let middle = element.place + fixture.rear * (fixture.halfDepth * share)
            return (Segment(middle - half, middle + half), Vector.zero)
        }
        self.init(edges, ways)
    }

    /// Where somebody of a width may stand: the middle of each stretch along which he can move.
    func places(for width: Double, _ ways: WidestWay) -> [Vector] {
        Self.places(on: edges, for: width, ways)
    }

    /// One of these places, to show where the end is; also when nobody has room there.
    func place(for width: Double, _ ways: WidestWay) -> Vector {
        places(for: width, ways).first ?? edges.first.map { ($0.line.start + $0.line.end) * 0.5 }
            ?? .zero
    }

    private static func places(
        on edges: [Edge], for width: Double, _ ways: WidestWay
    ) -> [Vector] {
        edges.flatMap { line, out in
            let away = out * (width / 2)
            return ways.stretches(
                of: Segment(line.start + away, line.end + away), radius: width / 2 - touch
            ).map { ($0.start + $0.end) * 0.5 }
        }
    }
}

extension WidestWay {
    /// The narrowest place on the ways that join some ends, the ends with what room they have
    /// themselves. It is the greatest width at which a disc has a place at each end and can be
    /// moved from one to all the others; what is put in the way never makes it greater.
    func narrowest(joining ends: [WayEnd]) -> Narrowest {
        guard let tightest = ends.min(by: { $0.most < $1.most }) else {
            return Narrowest(width: 0, place: .zero)
        }
        let most = tightest.most
        var found = narrowest(joining: ends, for: most)
        guard found.width < most else {
            return Narrowest(width: most, place: tightest.place(for: most, self))
        }
        // A narrower disc may have more places to begin at, and so another way. Mostly it hasn't,
        // and then a little more than what was found is too much already.
        var (tooMuch, wanted) = (most, found.width + Self.exactness)
        while tooMuch - found.width > 1.5 * Self.exactness {
            let next = narrowest(joining: ends, for: wanted)
            if next.width < wanted { tooMuch = wanted }
            if next.width > found.width { found = next }
            wanted = (found.width + tooMuch) / 2
        }
        return found
    }

    /// Widths are found to this, in millimetres.
    fileprivate static let exactness = 0.05

    /// The same from the places where a disc of a width may stand. A narrower one can be moved
    /// inside of it, and so there is a way of what is found, which is at most that width.
    private func narrowest(joining ends: [WayEnd], for width: Double) -> Narrowest {
        let places = ends.map { $0.places(for: width, self) }
        var best = Narrowest(width: 0, place: ends[0].place(for: width, self))
        for start in places[0] {
            var way = Narrowest(width: width, place: start)
            for goals in places.dropFirst() {
                let next = widest(from: start, to: goals, enough: way.width)
                if next.width < way.width { way = next }
            }
            if way.width >= best.width { best = way }
            if way.width >= width { break }
        }
        return best
    }

    /// The widest way to one of some places, or the first that is wide enough.
    private func widest(from start: Vector, to goals: [Vector], enough: Double) -> Narrowest {
        var best = Narrowest(width: 0, place: start)
        for goal in goals where best.width < enough {
            let way = width(from: start, to: goal)
            if way.width >= best.width { best = way }
        }
        return best
    }
}
