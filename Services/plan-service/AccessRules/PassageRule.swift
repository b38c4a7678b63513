import FloorPlan
import Messages
import Phrases

/// The rules about paths through a room.
extension Judge {
    /// The narrowest place on the paths from the room's doors; nil if there is no door, or no
    /// target.
    func passage(_ rule: Rule, _ terms: FloorTerms, in survey: inout Survey) -> Assessment? {
        let wanted = rule.atLeast ?? 0
        guard let found = survey.narrowest(rule, terms) else { return nil }
        var assessment = length(.passage, found.width, atLeast: wanted, at: found.place)
        if rule.obstructed != nil {
            let error = Double(tolerance)
            assessment = obstructed(rule, terms, found, off: error, in: &survey)
            if error > 0, assessment.verdict == .fail,
                obstructed(rule, terms, found, off: 1 - error, in: &survey).verdict != .fail
            {
                assessment.verdict = .uncertain
                assessment.text = [Said(.obstructionUncertain)]
            }
        }
        if found.width < 1 {
            assessment.text = [Said(.noWay, ["noun": .word(.passage)])]
        } else if assessment.verdict != .pass, let gap = survey.floor.sides(of: found) {
            assessment.text.append(
                Said(
                    .gapBetween,
                    [
                        "width": .number(Int(Judge.whole(found.width))),
                        "first": gap.first.map(phrases.nameValue) ?? .word(.wall),
                        "second": gap.second.map(phrases.nameValue) ?? .word(.wall),
                    ]))
        }
        if rule.to?.contains(.doors) == true {
            assessment.person = survey.going(self, off: terms.error)
        }
        return assessment
    }
}

extension Judge {
    /// The result where local obstructions leave less width than is required elsewhere.
    /// - Parameter error: by how much they may be larger than drawn, in millimetres.
    private func obstructed(
        _ rule: Rule, _ terms: FloorTerms, _ found: WidestWay.Narrowest, off error: Double,
        in survey: inout Survey
    ) -> Assessment {
        let (wanted, least) = (rule.atLeast ?? 0, rule.obstructed ?? 0)
        let local = LocalObstructions(
            survey.floor, terms.upright, turningInto: wanted, off: error
        ).ids
        let clear = survey.narrowest(rule, terms, without: { local.contains($0.id) }) ?? found
        // Both are required; the one that lacks more, or has less to spare, counts.
        return found.width - least < clear.width - wanted
            ? length(.passage, found.width, atLeast: least, at: found.place)
            : length(.passage, clear.width, atLeast: wanted, at: clear.place)
    }
}

extension Survey {
    /// The narrowest place on the paths that a rule is about.
    mutating func narrowest(
        _ rule: Rule, _ terms: FloorTerms, without isAway: (Element) -> Bool = { _ in false }
    ) -> WidestWay.Narrowest? {
        let known = ways(terms.upright, without: isAway)
        let ways = known.widest
        let goals = (rule.to ?? []).flatMap { target in
            switch target {
            case .doors: known.fronts
            case .windows:
                floor.doorways.filter { $0.opening.kind == .window }
                    .map { WayEnd(before: $0, floor, ways) }
            case .toilets: own(.toilet).map { WayEnd(beside: $0, ways) }
            case .showers:
                own(.shower).map {
                    $0.isSolid ? WayEnd(around: $0, ways) : WayEnd(on: $0, ways)
                }
            }
        }
        guard let start = known.fronts.first, !goals.isEmpty else { return nil }
        return ways.narrowest(joining: [start] + goals)
    }

    /// The elements of a kind in this room.
    private func own(_ kind: ElementKind) -> [Element] {
        floor.elements.filter { $0.kind == kind && floor.outline.contains($0.place) }
    }

    /// Whether the person's chair gets from door to door; nil without a chair or a second door.
    /// - Parameter error: by how much what it passes under may be lower, in millimetres.
    mutating func going(_ judge: Judge, off error: Int) -> ChairAssessment? {
        if let known = knownGoing[error] { return known.finding }
        let finding = lookGoing(judge, FloorTerms.person.off(by: error))
        knownGoing[error] = Going(finding: finding)
        return finding
    }

    private mutating func lookGoing(_ judge: Judge, _ terms: FloorTerms) -> ChairAssessment? {
        guard let chair = judge.chair?.body else { return nil }
        let doors = floor.doorways.filter(\.opening.isPassable)
        guard doors.count > 1 else { return nil }
        let ways = ways(terms)
        let slack = Double(judge.tolerance)
        let widest = ways.widest.narrowest(joining: ways.fronts).width
        let least = min(chair.width, chair.length) - slack - 0.25
        // Here the whole opening of each door counts, because the chair may come askew.
        func isTooNarrow() -> Bool {
            let openings = doors.map { WayEnd(inOpeningOf: $0, floor, upTo: least) }
            return least > 0 && !ways.widest.joins(openings, for: least)
        }
        var verdict = Verdict.fail
        if widest >= chair.spinSquare + slack,
            chair.goesStraight(outBy: doors, of: floor, terms, slack),
            doors.allSatisfy({ layout.gap(in: $0, for: floor.room, terms).isWhole })
        {
            verdict = .pass
        } else if widest >= least || !isTooNarrow() {
            let gaps = doors.map { layout.gap(in: $0, for: floor.room, terms) }
            verdict = chair.going(on: floor, terms, between: doors, gaps, slack: slack)
        }
        // Which end of the ramp is a step isn't known.
        if verdict == .fail, floor.hasFreeRamp { verdict = .uncertain }
        let phrase: FindingPhrase =
            switch verdict {
            case .pass: .chairGoes
            case .fail: .chairGoesNot
            default: .chairGoesPerhaps
            }
        return ChairAssessment(
            verdict: verdict,
            text: Said(
                phrase,
                ["width": .number(Int(chair.width)), "length": .number(Int(chair.length))]))
    }
}

extension Chair {
    /// True if the floor before each door is free for a chair that stands somewhere before the
    /// opening in the circle in which it turns: it gets before the middle and straight out.
    fileprivate func goesStraight(
        outBy doors: [Doorway], of floor: RoomFloor, _ terms: FloorTerms, _ slack: Double
    ) -> Bool {
        let obstacles = floor.obstacles(terms, for: .going)
        return doors.allSatisfy { door in
            if WorkLimit.isOver { return false }
            // Here, too, the opening of a door counts that is too narrow.
            let opening = Double(door.opening.width)
            let zone = floor.region(
                before: door, width: max(min(width + slack, opening), opening - width),
                depth: (spinSquare + length) / 2 + slack)
            return floor.isFree(zone, obstacles)
        }
    }

    /// Whether it gets from one door of a room to all the others.
    ///
    /// It certainly does if it gets half out by each, with nothing but the opening beyond the room.
    /// It certainly doesn't if its centre gets nowhere near one of them.
    fileprivate func going(
        on floor: RoomFloor, _ terms: FloorTerms, between doors: [Doorway], _ gaps: [DoorGap],
        slack: Double
    ) -> Verdict {
        let (larger, smaller) = (grown(by: slack), grown(by: -slack))
        let inside = floor.free(terms, for: .going)
        let ways = zip(doors, gaps).compactMap { door, gap in
            WorkLimit.isOver ? nil : floor.way(outBy: door, gap, for: larger)
        }
        let groups = WayOut.groups(ways)
        let fronts = doors.map {
            floor.region(before: $0, width: Double($0.opening.width), depth: smaller.length)
        }
        for resolution in [ChairSpace.Resolution(cell: 50, headings: 36), .standard] {
            if ways.count == doors.count,
                larger.goes(outBy: groups, of: floor.outline, inside, resolution)
            {
                return .pass
            }
            if !smaller.mayGo(on: inside, fronts, resolution) { return .fail }
        }
        return .uncertain
    }

    /// Whether it gets for certain half out by one door and by all the others.
    ///
    /// Each group of ways out has a space of its own, and what gets from one to another has to be
    /// inside the room, because the floors of two groups cross.
    private func goes(
        outBy groups: [[WayOut]], of room: Polygon, _ inside: FreeSpace,
        _ resolution: ChairSpace.Resolution
    ) -> Bool {
        let bounds = groups.joined().reduce(room.bounds) { $0.union($1.floor.bounds) }
        func space(_ ways: [WayOut]) -> ChairSpace {
            let floor = FreeSpace(
                areas: inside.areas + ways.map(\.floor),
                obstacles: inside.obstacles + ways.flatMap(\.standing))
            return ChairSpace(
                .rectangle(length, width), in: floor, resolution, .surely, over: bounds)
        }
        let spaces = groups.map(space)
        guard let first = spaces.first, let start = groups.first?.first else { return false }
        var reached = first.flood(from: first.places(in: start.middle))
        guard groups.count > 1 else {
            return groups[0].allSatisfy { first.reaches($0.middle, reached) }
        }
        let whole = space([]).places(in: room)
        for _ in groups {
            var isEverywhere = true
            for (space, ways) in zip(spaces, groups) {
                if WorkLimit.isOver { return false }
                reached.formIntersection(whole)
                reached = space.flood(from: reached)
                if !ways.allSatisfy({ space.reaches($0.middle, reached) }) { isEverywhere = false }
            }
            if isEverywhere { return true }
        }
        return false
    }

    /// Whether its centre perhaps gets from one part of a floor to all the others.
    private func mayGo(
        on floor: FreeSpace, _ parts: [Polygon], _ resolution: ChairSpace.Resolution
    ) -> Bool {
        let space = ChairSpace(.rectangle(length, width), in: floor, resolution, .possibly)
        let reached = space.flood(from: space.places(in: parts[0]))
        return parts.dropFirst().allSatisfy { space.reaches($0, reached) }
    }
}

/// The floor straight out by a door, where nothing else is known of what is beyond the room.
private struct WayOut {
    /// All of it, with what extends into the room.
    let floor: Polygon
    /// The part of it that begins at the door.
    let outside: ConvexPolygon
    /// Where the centre of a chair is that is half out.
    let middle: Polygon
    /// What stands in the opening.
    let standing: [Polygon]

    /// The least overlap that counts: floors that are less than a millimetre apart are connected.
    static let touch = -1.0

    /// The maximum number of groups: the space of each may take 40 MB. Two are enough for the doors
    /// of most rooms.
    private static let mostGroups = 4

    /// The ways in groups such that no two of a group meet outside the room. Those of doors in the
    /// walls of an inner corner do. Empty if there would be too many groups.
    static func groups(_ ways: [WayOut]) -> [[WayOut]] {
        var groups: [[WayOut]] = []
        for way in ways {
            if WorkLimit.isOver { return [] }
            let place = groups.firstIndex { group in !group.contains { $0.meets(way) } }
            if let place {
                groups[place].append(way)
            } else if groups.count < mostGroups {
                groups.append([way])
            } else {
                return []
            }
        }
        return groups
    }

    private func meets(_ other: WayOut) -> Bool {
        Overlap(outside, other.outside, tolerance: Self.touch) != nil
    }
}

extension RoomFloor {
    /// The two things between which a place is narrowest, nil for a wall; nil if nothing is so
    /// near, as at the end of a path.
    fileprivate func sides(
        of narrow: WidestWay.Narrowest
    ) -> (first: PlanItem?, second: PlanItem?)? {
        let reach = narrow.width / 2 + 1
        var near: [(distance: Double, item: PlanItem?)] = elements.compactMap { element in
            let distance = element.outline.polygon.distanceToOutline(from: narrow.place)
            return distance <= reach ? (distance, PlanItem(item: .element(element))) : nil
        }
        let wall =
            ([outline] + walls.map(\.polygon)).map { $0.distanceToOutline(from: narrow.place) }
            .min() ?? .infinity
        if wall <= reach { near.append((wall, nil)) }
        near.sort { ($0.distance, $0.item?.id ?? "~") < ($1.distance, $1.item?.id ?? "~") }
        guard near.count > 1 else { return nil }
        return (near[0].item, near[1].item)
    }

    /// The middle of a door on the room's side: on the wall's surface, or on the outline if that is
    /// up to 150 mm beyond the surface.
    func surface(of doorway: Doorway) -> Vector {
        let left = doorway.isLeft(room.id) ?? true
        let out = doorway.out(left: left)
        let surface = doorway.place(beyond: 0, left: left)
        // For an outline that isn't parallel to its wall, even by rounding, the innermost place
        // counts.
        let ray = Segment(surface - out * FloorPlan.rounding, surface + out * 150)
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        let nearest =
            outline.sides.filter { $0.meets(ray) }
            .map { $0.offset(from: surface, over: half, out) }.min() ?? 0
        return surface + out * min(max(nearest, 0), 150)
    }

    /// The way out by a door, as wide as that is clear; nil if its floor is in this room too.
    ///
    /// A door that is too narrow for the chair is reported by itself: here its opening counts.
    fileprivate func way(outBy doorway: Doorway, _ gap: DoorGap, for chair: Chair) -> WayOut? {
        let surface = surface(of: doorway)
        let out = -doorway.out(left: doorway.isLeft(room.id) ?? true)
        let depth = chair.length / 2 + 200
        let half = Double(doorway.opening.width) / 2
        let isTooNarrow = gap.range.upperBound - gap.range.lowerBound < chair.width
        let range = isTooNarrow ? -half...half : gap.range
        let (start, end) = (
            surface + doorway.along * range.lowerBound, surface + doorway.along * range.upperBound
        )
        func strip(_ from: Double, _ to: Double) -> Polygon {
            Polygon([
                start + out * from, end + out * from, end + out * to, start + out * to,
            ])
        }
        // A room's outline may be drawn to the middle of the wall, or to its other surface.
        let beyond = Double(doorway.wall.thickness) + Self.overlap
        guard beyond >= depth || isOutside(strip(beyond, depth)) else { return nil }
        return WayOut(
            floor: strip(-Self.overlap, depth),
            outside: ConvexPolygon(hullOf: strip(0, depth).corners), middle: strip(0, 100),
            standing: gap.standing.map(\.polygon))
    }

    /// True if all of a rectangle is outside the room, and touches it nowhere.
    private func isOutside(_ rectangle: Polygon) -> Bool {
        let convex = ConvexPolygon(hullOf: rectangle.corners)
        return !outline.contains(rectangle.bounds.centre)
            && outline.sides.allSatisfy { side in
                side.length == 0
                    || Overlap(
                        convex, ConvexPolygon(counterClockwise: [side.start, side.end]),
                        tolerance: WayOut.touch) == nil
            }
    }

    /// How far the floor of a door extends into the room, in millimetres, so that the two are
    /// connected.
    private static let overlap = 20.0

    /// The floor before the middle of a door.
    fileprivate func region(before doorway: Doorway, width: Double, depth: Double) -> Polygon {
        let start = surface(of: doorway)
        let out = doorway.out(left: doorway.isLeft(room.id) ?? true)
        let half = doorway.along * (width / 2)
        return Polygon([
            start - half, start + half, start + half + out * depth, start - half + out * depth,
        ])
    }

    /// True if neither the room's outline nor an obstacle crosses a rectangle of its floor.
    fileprivate func isFree(_ rectangle: Polygon, _ obstacles: [ConvexPolygon]) -> Bool {
        let convex = ConvexPolygon(hullOf: rectangle.corners)
        let sides = outline.sides.filter { $0.length > 0 }.map {
            ConvexPolygon(counterClockwise: [$0.start, $0.end])
        }
        return (sides + obstacles).allSatisfy {
            Overlap(convex, $0, tolerance: 0.01) == nil
        }
    }
}

extension Segment {
    /// How far it extends beyond a place in a direction: the maximum over a stretch to both sides.
    fileprivate func offset(from place: Vector, over half: Vector, _ out: Vector) -> Double {
        let way = start - place
        let beside = along.dot(half.unit)
        guard abs(beside) > 0.1 * length else { return abs(way.dot(out)) }
        let slope = along.dot(out) / beside
        return way.dot(out) - way.dot(half.unit) * slope + abs(slope) * half.length
    }
}
