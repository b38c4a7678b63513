import FloorPlan
import Messages
import Phrases

/// A room being checked: results about its floor are kept for the next rule.
struct Survey {
    let floor: RoomFloor
    let layout: PlanLayout
    // The free floor by obstacles, because different terms mostly have the same obstacles.
    private var known: [[ConvexPolygon]: Ground] = [:]
    private var knownWays: [[ConvexPolygon]: Ways] = [:]
    /// Whether the person's chair can turn here, and whether it gets from door to door, as far as
    /// computed: by how much what it passes under is supposed to be lower than measured.
    var turning: [Int: ChairAssessment] = [:]
    var knownGoing: [Int: Going] = [:]

    /// The result for the chair's path; nil if there is no path to check.
    struct Going {
        let finding: ChairAssessment?
    }

    /// The paths through the room, and where they begin: before its doors.
    struct Ways {
        let widest: WidestWay
        let fronts: [WayEnd]
    }

    init(_ room: Room, in layout: PlanLayout) {
        floor = RoomFloor(room, in: layout)
        self.layout = layout
    }

    /// The free level floor under some terms, and its largest circle.
    struct Ground {
        let space: FreeSpace
        let circle: FreeSpace.Circle?

        var diameter: Double { 2 * (circle?.radius ?? 0) }
    }

    mutating func ground(_ terms: FloorTerms) -> Ground {
        let obstacles = floor.obstacles(terms, for: .staying)
        if let ground = known[obstacles] { return ground }
        let space = FreeSpace(areas: [floor.outline], obstacles: obstacles.map(\.polygon))
        let ground = Ground(space: space, circle: space.largestCircle())
        known[obstacles] = ground
        return ground
    }

    /// The paths through the room with closed doors.
    /// - Parameter isAway: returns true for elements to ignore.
    mutating func ways(
        _ terms: FloorTerms, without isAway: (Element) -> Bool = { _ in false }
    ) -> Ways {
        var terms = terms
        // People go through the doors, so they are open or shut as needed.
        terms.swings = false
        let obstacles = floor.obstacles(terms, for: .going, without: isAway)
        if let ways = knownWays[obstacles] { return ways }
        let widest = WidestWay(floor.outline, obstacles)
        let fronts = floor.doorways.filter(\.opening.isPassable)
            .map { WayEnd(before: $0, floor, widest) }
        let ways = Ways(widest: widest, fronts: fronts)
        knownWays[obstacles] = ways
        return ways
    }
}
