import FloorPlan
import Messages
import Phrases

/// A room while it is looked at: what was found of its floor is kept for the next rule.
struct Survey {
    let floor: RoomFloor
    // By what is in the way: terms that differ mostly come to the same.
    private var known: [[ConvexPolygon]: Ground] = [:]
    private var knownWays: [[ConvexPolygon]: Ways] = [:]
    /// Whether the person's chair turns here, once that was looked at.
    var turning: ChairAssessment?
    /// Whether it gets from door to door, once that was looked at.
    var knownGoing: Going?

    /// What was found of the chair's way; nothing when it has none to go.
    struct Going {
        let finding: ChairAssessment?
    }

    /// The ways through the room, and where they begin: before its doors.
    struct Ways {
        let widest: WidestWay
        let fronts: [WayEnd]
    }

    init(_ floor: RoomFloor) { self.floor = floor }

    /// The free floor under some terms, and its largest circle.
    struct Ground {
        let space: FreeSpace
        let circle: FreeSpace.Circle?

        var diameter: Double { 2 * (circle?.radius ?? 0) }
    }

    mutating func ground(_ terms: FloorTerms) -> Ground {
        let obstacles = floor.obstacles(terms)
        if let ground = known[obstacles] { return ground }
        let space = FreeSpace(areas: [floor.outline], obstacles: obstacles.map(\.polygon))
        let ground = Ground(space: space, circle: space.largestCircle())
        known[obstacles] = ground
        return ground
    }

    /// The ways through the room, doors closed.
    /// - Parameter isAway: the elements that are thought away.
    mutating func ways(
        _ terms: FloorTerms, without isAway: (Element) -> Bool = { _ in false }
    ) -> Ways {
        var terms = terms
        // One goes through the doors, and so they stand open or shut as one likes.
        terms.swings = false
        let obstacles = floor.obstacles(terms, without: isAway)
        if let ways = knownWays[obstacles] { return ways }
        let widest = WidestWay(floor.outline, obstacles)
        let fronts = floor.doorways.filter(\.opening.isPassable)
            .map { WayEnd(before: $0, floor, widest) }
        let ways = Ways(widest: widest, fronts: fronts)
        knownWays[obstacles] = ways
        return ways
    }
}
