import FloorPlan
import Messages

/// The beginning or end of a path: in front of a door or window, beside a toilet, in or at a
/// shower. A person is half their width away from it, so the places depend on the width.
struct WayEnd {
    /// The line on which a person with no width would be, and the direction away from it.
    typealias Edge = (line: Segment, out: Vector)

    private let edges: [Edge]
    /// The diameter of the largest disc that fits there, in millimetres.
    let most: Double

    /// The overlap with an obstacle up to which a disc still fits, in millimetres.
    private static let touch = 0.001

    init(_ edges: [Edge], _ ways: WidestWay) {
        self.edges = edges
        // A disc that fits contains smaller ones that touch the line too, so bisection finds the
        // limit.
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

    /// The end before a door or window of a room, somewhere along its opening.
    init(before doorway: Doorway, _ floor: RoomFloor, _ ways: WidestWay) {
        let surface = floor.surface(of: doorway)
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        let out = doorway.out(left: doorway.isLeft(floor.room.id) ?? true)
        self.init([(Segment(surface - half, surface + half), out)], ways)
    }

    /// The end beside an element, at either side.
    init(beside element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let depth = fixture.rear * fixture.halfDepth
        let edges = [fixture.across, -fixture.across].map { side in
            let edge = element.place + side * fixture.halfWidth
            return (Segment(edge - depth, edge + depth), side)
        }
        self.init(edges, ways)
    }

    /// The end on an element that can be driven over: somewhere along one of several lines across
    /// it.
    init(on element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let half = fixture.across * fixture.halfWidth
        let edges = stride(from: -1.0, through: 1, by: 0.25).map { share in
            let middle = element.place + fixture.rear * (fixture.halfDepth * share)
            return (Segment(middle - half, middle + half), Vector.zero)
        }
        self.init(edges, ways)
    }

    /// The end at any side of an element.
    init(around element: Element, _ ways: WidestWay) {
        let fixture = Fixture(element)
        let across = fixture.across * fixture.halfWidth
        let rear = fixture.rear * fixture.halfDepth
        let sides = [(across, rear), (-across, rear), (rear, across), (-rear, across)]
        let edges = sides.map { out, along in
            let middle = element.place + out
            return (Segment(middle - along, middle + along), out.unit)
        }
        self.init(edges, ways)
    }

    /// The places for a person with a width: the middle of each stretch along which they can move.
    func places(for width: Double, _ ways: WidestWay) -> [Vector] {
        Self.places(on: edges, for: width, ways)
    }

    /// One of these places, to show where the end is, even if nobody fits there.
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
    /// The narrowest place on the paths that join some ends, including the space at the ends
    /// themselves. It is the greatest width at which a disc fits at each end and can be moved from
    /// one to all the others; adding an obstacle never increases it.
    func narrowest(joining ends: [WayEnd]) -> Narrowest {
        guard let tightest = ends.min(by: { $0.most < $1.most }) else {
            return Narrowest(width: 0, place: .zero)
        }
        let most = tightest.most
        var found = narrowest(joining: ends, for: most)
        guard found.width < most else {
            return Narrowest(width: most, place: tightest.place(for: most, self))
        }
        // A narrower disc may have more starting places, and so another path. Usually it doesn't,
        // and then slightly more than the width found is already too much.
        var (tooMuch, wanted) = (most, found.width + Self.exactness)
        while tooMuch - found.width > 1.5 * Self.exactness, !WorkLimit.isOver {
            let next = narrowest(joining: ends, for: wanted)
            if next.width < wanted { tooMuch = wanted }
            if next.width > found.width { found = next }
            wanted = (found.width + tooMuch) / 2
        }
        return found
    }

    /// The accuracy of widths, in millimetres.
    fileprivate static let exactness = 0.001

    /// The same from the places for a disc with a width. A narrower disc can be moved inside it, so
    /// there is a path with the width found, which is at most the given one.
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

    /// The widest path to one of several places, or the first that is wide enough.
    private func widest(from start: Vector, to goals: [Vector], enough: Double) -> Narrowest {
        var best = Narrowest(width: 0, place: start)
        for goal in goals where best.width < enough {
            if WorkLimit.isOver { break }
            let way = width(from: start, to: goal)
            if way.width >= best.width { best = way }
        }
        return best
    }
}
