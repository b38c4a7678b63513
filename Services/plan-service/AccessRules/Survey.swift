import FloorPlan
import Messages

/// A room while it is looked at: what was found of its floor is kept for the next rule.
struct Survey {
    let floor: RoomFloor
    private var known: [FloorTerms: Ground] = [:]
    private var knownWays: [WayTerms: WidestWay] = [:]
    /// Whether the person's chair turns here, once that was looked at.
    var turning: PersonFinding?
    /// Whether it gets from door to door, once that was looked at.
    var knownGoing: Going?

    /// What was found of the chair's way; nothing when it has none to go.
    struct Going {
        let finding: PersonFinding?
    }

    private struct WayTerms: Hashable {
        let floor: FloorTerms
        let furnished: Bool
    }

    init(_ floor: RoomFloor) { self.floor = floor }

    /// The free floor under some terms, and its largest circle.
    struct Ground {
        let space: FreeSpace
        let circle: FreeSpace.Circle?

        var diameter: Double { 2 * (circle?.radius ?? 0) }
    }

    mutating func ground(_ terms: FloorTerms) -> Ground {
        if let ground = known[terms] { return ground }
        let space = floor.free(terms)
        let ground = Ground(space: space, circle: space.largestCircle())
        known[terms] = ground
        return ground
    }

    /// The ways through the room, doors closed, with what stands in it or without.
    mutating func ways(_ terms: FloorTerms, furnished: Bool) -> WidestWay {
        var terms = terms
        // One goes through the doors, and so they stand open or shut as one likes.
        terms.swings = false
        let key = WayTerms(floor: terms, furnished: furnished)
        if let ways = knownWays[key] { return ways }
        let ways = WidestWay(
            floor.outline, furnished ? floor.obstacles(terms) : floor.walls)
        knownWays[key] = ways
        return ways
    }
}
