import FloorPlan
import Messages

/// The beginning or end of a path: in front of a door or window, beside a toilet, in or at a
/// shower. A person is half their width away from it, so the places depend on the width.
struct WayEnd {
    /// The line on which a person with no width would be, and the direction away from it.
    typealias Edge = (line: Segment, out: Vector)

    private let edges: [Edge]
    /// The clear width of the door that it is before, in millimetres; 0 if it is before none.
    private let clear: Double
    /// The diameter of the largest disc that fits there, in millimetres.
    let most: Double

    /// The overlap with an obstacle up to which a disc still fits, in millimetres.
    private static let touch = 0.001

    /// - Parameter clear: the clear width of the door that it is before, which is as long as the
    ///   line; 0 if it is before none.
    init(_ edges: [Edge], _ ways: WidestWay, clear: Double = 0) {
        self.edges = edges
        self.clear = clear
        // A disc that fits contains smaller ones that touch the line too, so bisection finds the
        // limit.
        var (fits, tooLarge) = (0.0, ways.most)
        // What stands before a part of a door leaves less than its clear width of the way through.
        let door = Self.door(clear)
        if door > 0, door < tooLarge {
            if Self.places(on: edges, clear: clear, for: door, ways).isEmpty {
                tooLarge = door
            } else {
                fits = door
            }
        }
        while tooLarge - fits > WidestWay.exactness {
            let width = (fits + tooLarge) / 2
            if Self.places(on: edges, clear: clear, for: width, ways).isEmpty {
                tooLarge = width
            } else {
                fits = width
            }
        }
        most = fits
    }

    /// The end before a door or window of a room: somewhere along the opening of a window, or the
    /// clear width of a door.
    init(before doorway: Doorway, _ floor: RoomFloor, _ ways: WidestWay) {
        let opening = doorway.opening
        guard opening.isPassable, opening.passage.width > 0 else {
            self.init([floor.edge(of: doorway, width: opening.width)], ways)
            return
        }
        let edge = floor.edge(of: doorway, width: min(opening.passage.width, opening.width))
        let clear = floor.inside(edge)
        self.init([(clear, edge.out)], ways, clear: clear.length)
    }

    /// The end somewhere along the opening of a door, however narrow that is when it is clear, for
    /// discs up to a diameter.
    init(inOpeningOf doorway: Doorway, _ floor: RoomFloor, upTo most: Double) {
        (edges, clear) = ([floor.edge(of: doorway, width: doorway.opening.width)], 0)
        self.most = most
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
        Self.places(on: edges, clear: clear, for: width, ways)
    }

    /// One of these places, to show where the end is, even if nobody fits there.
    func place(for width: Double, _ ways: WidestWay) -> Vector {
        places(for: width, ways).first ?? edges.first.map { ($0.line.start + $0.line.end) * 0.5 }
            ?? .zero
    }

    /// The width below which someone goes through a door with a clear width, in millimetres: less
    /// than that by what corners are rounded.
    private static func door(_ clear: Double) -> Double { clear - 2 * FloorPlan.rounding }

    private static func places(
        on edges: [Edge], clear: Double, for width: Double, _ ways: WidestWay
    ) -> [Vector] {
        // Whoever goes through a door is before it with all of their width.
        let inset = width <= door(clear) ? width / 2 : 0
        return edges.flatMap { line, out in
            let (away, aside) = (out * (width / 2), line.along.unit * inset)
            return ways.stretches(
                of: Segment(line.start + away + aside, line.end + away - aside),
                radius: width / 2 - touch
            ).map { ($0.start + $0.end) * 0.5 }
        }
    }
}

extension RoomFloor {
    /// The line of an opening on the room's side, for a width in its middle.
    fileprivate func edge(of doorway: Doorway, width: UInt32) -> WayEnd.Edge {
        let surface = surface(of: doorway)
        let half = doorway.along * (Double(width) / 2)
        let out = doorway.out(left: doorway.isLeft(room.id) ?? true)
        return (Segment(surface - half, surface + half), out)
    }

    /// The part of the line of a door that is inside the room, about its middle. The outline of a
    /// room may be drawn so that it ends before the door does.
    fileprivate func inside(_ edge: WayEnd.Edge) -> Segment {
        let (line, way) = (edge.line, edge.line.along)
        // A side that is no farther than this is along the line.
        let start = line.start + edge.out * View.touch
        var (low, high) = (0.0, 1.0)
        for side in outline.sides {
            let across = way.cross(side.along)
            guard abs(across) > 1e-9 else { continue }
            let between = side.start - start
            let (own, other) = (
                between.cross(side.along) / across, between.cross(way) / across
            )
            guard (0...1).contains(own), (0...1).contains(other) else { continue }
            if own < 0.5 { low = max(low, own) } else { high = min(high, own) }
        }
        return Segment(line.start + way * low, line.start + way * high)
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

    /// True if a disc fits at each end and can be moved from the first to all others.
    func joins(_ ends: [WayEnd], for width: Double) -> Bool {
        narrowest(joining: ends, for: width).width >= width
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
