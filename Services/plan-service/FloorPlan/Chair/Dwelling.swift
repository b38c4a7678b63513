import Messages

/// The floor of a dwelling for someone in a chair.
package struct Dwelling: Sendable {
    package let plan: FloorPlan
    package let terms: Terms
    /// The walls that are wholly or partly inside a room, or in a doorway.
    private let standing: [Wall]
    /// What stops doors before they are fully open, by the id of the door, in the order in which
    /// the door meets it.
    private let stops: [String: [DoorStop]]
    let ramps: [Element]
    /// The steps that ramps leave at doors, in millimetres, and those that nobody measured, by the
    /// id of the door.
    private var ramped: [String: UInt32] = [:]
    /// The steps that are lower if a ramp can be set to the height that is needed, or if there is
    /// no threshold where nobody measured it.
    private var hoped: [String: UInt32] = [:]
    /// The ramps that lead to no door: one of their ends is a step.
    private var freeRamps: [Element] = []
    /// True if whatever isn't known is assumed to turn out well.
    private var isHopeful = false
    /// What is assumed about clear widths that nobody measured.
    private var widths = Widths.estimated
    /// By how much thresholds are assumed to be higher than measured, and what one passes under to
    /// be lower, in millimetres.
    private var error = 0

    package init(_ plan: FloorPlan, _ terms: Terms = Terms()) {
        self.plan = plan
        self.terms = terms
        standing = plan.standingWalls
        stops = plan.doorStops(amongWalls: standing)
        let ramps = plan.ramps
        self.ramps = ramps
        freeRamps = ramps.filter { ramp in
            !ramp.rampEnds.isEmpty && !WorkLimit.isOver
                && !plan.openings.values.contains { plan.leads(ramp, to: $0) }
        }
        for (id, opening) in plan.openings where opening.isPassable && !WorkLimit.isOver {
            guard !opening.isRiseUnknown else {
                ramped[id] = UInt32.max
                hoped[id] = 0
                continue
            }
            guard !ramps.isEmpty else { continue }
            let sides = plan.sides(of: opening, terms.ramps, among: ramps)
            guard let surely = sides.map(\.surely).max(), let hope = sides.map(\.step).max()
            else { continue }
            ramped[id] = surely
            if hope < surely { hoped[id] = hope }
        }
    }

    /// The step at a door, with its ramps, in millimetres: more than any limit if it isn't known.
    package func step(at opening: Opening) -> UInt32 {
        ramped[opening.id] ?? opening.rise
    }

    /// True if it isn't known whether some ramp can be set to the height that is needed, how high
    /// some threshold is, how wide some door is, which end of some ramp is a step, how large
    /// something is, how a door is hung, or, for a chair of some length, whether there is room
    /// before an entrance.
    func isDoubtful(for chair: Chair) -> Bool {
        !hoped.isEmpty || !freeRamps.isEmpty || plan.hasGuesses
            || plan.openings.values.contains { $0.isPassable && $0.widthUncertainty > 0 }
            || !coveredEntrances(for: chair).isEmpty
    }

    /// The same dwelling, assuming that every ramp can be set to the height that is needed, that
    /// there is no threshold where nobody measured it, that no end of a ramp is a step, that things
    /// of guessed size are small, that doors open far and are as wide as their leaves or openings
    /// allow, and that there is room before each entrance.
    package var hopeful: Dwelling {
        var dwelling = plan.hasGuesses ? Dwelling(plan.supposed(.least), terms) : self
        dwelling.ramped.merge(hoped) { _, hope in hope }
        dwelling.hoped = [:]
        dwelling.freeRamps = []
        (dwelling.isHopeful, dwelling.widths, dwelling.error) = (true, .most, error)
        return dwelling
    }

    /// The same dwelling, assuming that things of guessed size are large, that doors open least far
    /// if nobody knows how they are hung, and that those that nobody measured are narrow.
    package var feared: Dwelling {
        var dwelling = plan.hasGuesses ? Dwelling(plan.supposed(.most), terms) : self
        (dwelling.widths, dwelling.error) = (.least, error)
        return dwelling
    }

    /// The same dwelling, assuming that thresholds are higher than measured by this many
    /// millimetres, and what one passes under is lower; the reverse for a negative number. Where
    /// there is no threshold, anyone can see that, without a tape.
    package func off(by error: Int) -> Dwelling {
        var dwelling = self
        dwelling.error = error
        return dwelling
    }

    /// True if the step at a door is low enough for a chair.
    package func isLow(_ opening: Opening) -> Bool {
        let step = step(at: opening)
        guard step > 0 || opening.rise > 0 else { return true }
        return Int(step) + error <= Int(terms.threshold)
    }

    /// A ramp that leaves too high a step at a door, or an unknown one.
    package func poorRamp(at opening: Opening) -> Element? {
        plan.sides(of: opening, terms.ramps, among: ramps)
            .first { $0.surely > terms.threshold && $0.ramp != nil }?.ramp
    }

    /// What is assumed about an estimated clear width: the estimate itself, or the least or the
    /// most that it may be.
    private enum Widths {
        case estimated, least, most
    }

    /// What counts as an obstacle. The floor that a door sweeps doesn't: people open and shut it
    /// as they go.
    package struct Terms: Hashable, Sendable {
        /// The height above the floor from which the knees fit under what one sits at, in
        /// millimetres. 670 is the height in the guidance to TEK17 § 12-9.
        package var kneeHeight: UInt32
        /// The highest threshold that can be passed, in millimetres.
        package var threshold: UInt32
        /// What ramps have to be like.
        package var ramps: RampLimits

        package init(
            kneeHeight: UInt32 = 670, threshold: UInt32 = 25, ramps: RampLimits = .driven
        ) {
            self.kneeHeight = kneeHeight
            self.threshold = threshold
            self.ramps = ramps
        }
    }

    /// A door that is too narrow, or may be.
    package struct NarrowDoor: Hashable, Sendable {
        package let id: String
        /// The clear width, in millimetres.
        package let passage: UInt32
        /// False if the width was derived from the leaf or the opening and not measured.
        package let isMeasured: Bool
        /// How much width is missing, in millimetres.
        package let missing: UInt32
        /// The id of what keeps it from opening fully, or stands in it; nil if nothing does.
        package let stoppedBy: String?
        /// False if it may be wide enough: its width is too close to the limit, or depends on a
        /// guess.
        package var isCertain = true
    }

    /// The clear widths of the doors and passages, by their ids.
    private var clearWidths: [String: ClearWidth] {
        plan.clearWidths(amongWalls: standing, stops: stops)
    }

    /// The doors that are too narrow for a width, narrowest first, then those that may be.
    /// - Parameter slack: how far the measures of the plan may be off, in millimetres.
    package func doors(tooNarrowFor width: UInt32, slack: Double = 0) -> [NarrowDoor] {
        let drawn = clearWidths
        let supposed =
            plan.hasGuesses ? [drawn, hopeful.clearWidths, feared.clearWidths] : [drawn]
        return plan.openings.values.filter(\.isPassable).compactMap { opening -> NarrowDoor? in
            guard let clear = drawn[opening.id] else { return nil }
            let error = slack + Double(opening.widthUncertainty)
            let answers = Set(
                supposed.compactMap { $0[opening.id]?.isEnough(for: width, off: error) })
            guard answers != [.yes] else { return nil }
            return NarrowDoor(
                id: opening.id, passage: clear.millimetres,
                isMeasured: opening.passage.isMeasured,
                missing: width - min(width, clear.millimetres), stoppedBy: clear.hindrance,
                isCertain: answers == [.no])
        }.sorted {
            ($0.isCertain ? 0 : 1, $0.passage, $0.id) < ($1.isCertain ? 0 : 1, $1.passage, $1.id)
        }
    }

    /// The free floor of one room, without its doors; nil if there is no such room.
    package func floor(of room: String) -> FreeSpace? {
        plan.rooms[room].map {
            FreeSpace(areas: [$0.polygon], obstacles: obstacles(without: []))
        }
    }

    /// The free floor of all rooms and the doors between them.
    /// - Parameters:
    ///   - without: elements to ignore, and doors to treat as wide.
    ///   - wide: the width of such a door, in millimetres.
    func floor(without: Set<String> = [], wide: Double = 0, landings: [Polygon] = []) -> FreeSpace {
        let holes = plan.openings.values.compactMap { opening -> Polygon? in
            width(of: opening, without, wide).flatMap {
                hole(opening, without: without, atLeast: $0)
            }
        }
        return FreeSpace(
            areas: plan.rooms.values.map(\.polygon) + holes + landings,
            obstacles: obstacles(without: without, wide: wide))
    }

    /// How far an opening extends into the rooms on both sides, in millimetres, so that an outline
    /// drawn slightly off the wall is still connected to it.
    private static let beyond = 20.0

    /// The clear width of an opening, in millimetres: less than that of the opening itself if
    /// something keeps its door from opening fully.
    /// - Parameter without: elements to ignore.
    package func passage(of opening: Opening, without: Set<String> = []) -> UInt32 {
        let stop = stops[opening.id]?.first { !without.contains($0.id) }
        return assumed(min(opening.passage.width, stop?.passage ?? .max), of: opening)
    }

    /// What a clear width of an opening is assumed to be, in millimetres.
    private func assumed(_ width: UInt32, of opening: Opening) -> UInt32 {
        let error = opening.widthUncertainty
        return switch widths {
        case .estimated: width
        case .least: width - min(width, error)
        // A door that can't be opened leaves nothing, however wide it is.
        case .most: width == 0 ? 0 : min(width, .max - error) + error
        }
    }

    /// The clear width of an opening whose door opens fully, in millimetres.
    private func whole(_ opening: Opening) -> UInt32 {
        assumed(opening.passage.width, of: opening)
    }

    func hole(
        _ opening: Opening, without: Set<String> = [], atLeast wide: Double = 0
    ) -> Polygon? {
        let gap = gap(in: opening, without, atLeast: wide)
        guard let wall = plan.walls[opening.wall], gap.upperBound > gap.lowerBound else {
            return nil
        }
        return wall.hole(gap, beyond: Self.beyond)
    }

    /// The range of offsets of an opening that is clear. A leaf that doesn't open fully stands in
    /// the opening at its hinges, so the rest is at the other end.
    private func gap(
        in opening: Opening, _ without: Set<String>, atLeast wide: Double
    ) -> ClosedRange<Double> {
        let passage = Double(passage(of: opening, without: without))
        let most = Double(whole(opening))
        guard passage >= wide, passage < most else {
            return opening.middle(max(passage, wide))
        }
        let range = opening.middle(most)
        return opening.hingesAtEnd
            ? range.lowerBound...range.lowerBound + passage
            : range.upperBound - passage...range.upperBound
    }

    /// The elements that are obstacles. Wheelchairs are not: they move.
    var barriers: [Element] {
        plan.elements.values.filter {
            $0.isSolid && !$0.isPassedUnder(kneeHeight: terms.kneeHeight, off: error)
                && $0.kind != .wheelchair
        }
    }

    /// The passable width of an opening; nil if it is impassable.
    private func width(of opening: Opening, _ without: Set<String>, _ wide: Double) -> Double? {
        let isWide = without.contains(opening.id)
        guard opening.isPassable, isWide || isLow(opening) else { return nil }
        return max(Double(passage(of: opening, without: without)), isWide ? wide : 0)
    }

    private func obstacles(without: Set<String>, wide: Double = 0) -> [Polygon] {
        var obstacles = barriers.filter { !without.contains($0.id) }.map(\.outline.polygon)
        for ramp in ramps where !without.contains(ramp.id) {
            obstacles += ramp.rampEdges.map(\.polygon)
        }
        for ramp in freeRamps where !without.contains(ramp.id) {
            obstacles += ramp.rampEnds.map(\.polygon)
        }
        for wall in standing {
            let holes = plan.openings(in: wall.id).compactMap { opening in
                width(of: opening, without, wide)
                    .map { gap(in: opening, without, atLeast: $0) }
            }
            obstacles += wall.pieces(between: holes).map(\.polygon)
        }
        return obstacles
    }

    /// Where a chair with this length starts: in or before the entrances. The floor before them is
    /// assumed to be free, straight out and as wide as the door. Where a part of it is in a room,
    /// nobody knows how someone gets there: the hopeful assume that there is room on all sides.
    /// - Parameters:
    ///   - without: elements to ignore, and doors to treat as wide, with the floor before them.
    ///   - wide: the width of such a door, in millimetres.
    func entrances(
        for length: Double, without: Set<String> = [], wide: Double = 0
    ) -> (doors: [Polygon], landings: [Polygon], covered: Set<String>) {
        let doors = plan.openings.values.filter { $0.entrance && $0.isPassable }
        var landings: [Polygon] = []
        var covered: Set<String> = []
        // Where something keeps a door from opening, that thing is the cause, not the door.
        func least(_ door: Opening) -> Double {
            let isStopped = passage(of: door, without: without) < whole(door)
            return without.contains(door.id) && !isStopped ? max(wide, 1) : 1
        }
        for door in doors where !WorkLimit.isOver {
            guard let wall = plan.walls[door.wall],
                let hole = hole(door, without: without, atLeast: least(door))
            else { continue }
            let (along, middle) = (wall.line.along.unit, hole.bounds.centre)
            let half = max(Double(passage(of: door, without: without)) / 2, 0.5)
            let wider = max(0, least(door) / 2 - half)
            var (isReached, partly): (Bool, [Polygon]) = (false, [])
            for side in [along.left, -along.left] {
                let landing = Landing(
                    face: middle + side * (Double(wall.thickness) / 2), along: along, out: side,
                    half: half)
                // In an inner corner of a building it could extend into another room.
                if roomArea(in: landing.strip(length / 8, length - 1)) <= 1 {
                    landings.append(landing.strip(-1, length - 1, wider: wider))
                    isReached = true
                } else if isOutside(landing) {
                    partly.append(landing.strip(-1, length - 1, wider: length))
                }
            }
            // The other side of a door that has free floor outside is inside.
            guard !isReached, !partly.isEmpty else { continue }
            covered.insert(door.id)
            if isHopeful { landings += partly }
        }
        // A door that can't be opened has no opening, but the chair stands in front of it.
        return (
            doors.compactMap { hole($0, without: without, atLeast: least($0)) }, landings, covered
        )
    }

    /// The ids of the entrances before which a part of the floor that a chair needs is in a room.
    package func coveredEntrances(for chair: Chair) -> Set<String> {
        entrances(for: chair.length + 200).covered
    }

    /// True if no room begins there, or only along part of the door.
    private func isOutside(_ landing: Landing) -> Bool {
        // A room's outline is at the surface of a wall, or slightly away from it.
        let begins = landing.strip(150, 200)
        return roomArea(in: begins) < 0.9 * begins.area
    }

    /// The area of a polygon that is in rooms, in square millimetres.
    private func roomArea(in polygon: Polygon) -> Double {
        plan.rooms.values.reduce(0) { $0 + $1.polygon.commonArea(with: polygon) }
    }
}

/// The floor before a door, on one side.
private struct Landing {
    /// The middle of the door on the surface of the wall.
    let face: Vector
    let along: Vector
    let out: Vector
    /// Half the clear width of the door, in millimetres.
    let half: Double

    /// The part between two distances from the wall, as wide as the door or wider to both sides.
    func strip(_ near: Double, _ far: Double, wider: Double = 0) -> Polygon {
        let across = along * (half + wider)
        let (start, end) = (face + out * near, face + out * far)
        return Polygon([start - across, start + across, end + across, end - across])
    }
}
