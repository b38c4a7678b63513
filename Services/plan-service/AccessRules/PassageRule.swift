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
        if let obstructed = rule.obstructed {
            let local = LocalObstructions(survey.floor, terms.upright, turningInto: wanted).ids
            let clear = survey.narrowest(rule, terms, without: { local.contains($0.id) }) ?? found
            // Both are required; the one that lacks more, or has less to spare, counts.
            let isObstructed = found.width - obstructed < clear.width - wanted
            assessment =
                isObstructed
                ? length(.passage, found.width, atLeast: obstructed, at: found.place)
                : length(.passage, clear.width, atLeast: wanted, at: clear.place)
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
            assessment.person = survey.going(self)
        }
        return assessment
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
    mutating func going(_ judge: Judge) -> ChairAssessment? {
        if let known = knownGoing { return known.finding }
        let finding = lookGoing(judge)
        knownGoing = Going(finding: finding)
        return finding
    }

    private mutating func lookGoing(_ judge: Judge) -> ChairAssessment? {
        guard let chair = judge.chair?.body else { return nil }
        let doors = floor.doorways.filter(\.opening.isPassable)
        guard doors.count > 1 else { return nil }
        let ways = ways(.person)
        let slack = Double(judge.tolerance)
        let widest = ways.widest.narrowest(joining: ways.fronts).width
        let verdict: Verdict
        if widest >= chair.spinSquare + slack {
            verdict = .pass
        } else if widest + 0.25 < min(chair.width, chair.length) - slack {
            verdict = .fail
        } else {
            verdict = chair.going(on: floor, between: doors, slack: slack)
        }
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
    /// Whether it gets from one door of a room to all the others.
    ///
    /// It certainly does if it gets half out by each, with nothing but the opening beyond the room.
    /// It certainly doesn't if its centre gets nowhere near one of them.
    fileprivate func going(
        on floor: RoomFloor, between doors: [Doorway], slack: Double
    ) -> Verdict {
        let (larger, smaller) = (grown(by: slack), grown(by: -slack))
        let inside = floor.free(.person, for: .going)
        let ways = doors.compactMap { floor.way(outBy: $0, for: larger) }
        let through = FreeSpace(
            areas: inside.areas + ways.map(\.floor), obstacles: inside.obstacles)
        let middles = ways.map(\.middle)
        let fronts = doors.map { floor.region(before: $0, depth: smaller.length) }
        for resolution in [ChairSpace.Resolution(cell: 50, headings: 36), .standard] {
            if ways.count == doors.count, larger.goes(on: through, middles, resolution, .surely) {
                return .pass
            }
            if !smaller.goes(on: inside, fronts, resolution, .possibly) { return .fail }
        }
        return .uncertain
    }

    /// Whether its centre gets from one part of a floor to all the others.
    private func goes(
        on floor: FreeSpace, _ parts: [Polygon], _ resolution: ChairSpace.Resolution,
        _ bound: ChairSpace.Bound
    ) -> Bool {
        let space = ChairSpace(.rectangle(length, width), in: floor, resolution, bound)
        let reached = space.flood(from: space.places(in: parts[0]))
        return parts.dropFirst().allSatisfy { space.reaches($0, reached) }
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

    /// The floor straight out by a door, as wide as the door is clear, and the part of it where the
    /// centre of a chair is that is half out; nil if that floor is in this room too. A door that is
    /// too narrow for the chair is reported by itself: here its opening counts.
    fileprivate func way(
        outBy doorway: Doorway, for chair: Chair
    ) -> (floor: Polygon, middle: Polygon)? {
        let surface = surface(of: doorway)
        let out = -doorway.out(left: doorway.isLeft(room.id) ?? true)
        let depth = chair.length / 2 + 200
        let opening = doorway.opening
        let clear = Double(min(opening.passage.width, opening.width))
        let width = clear < chair.width ? Double(opening.width) : clear
        let half = doorway.along * (width / 2)
        // A room's outline may be drawn to the middle of the wall.
        let beyond = surface + out * Double(doorway.wall.thickness)
        let isOutside = (1...8).allSatisfy {
            !outline.contains(beyond + out * (depth * Double($0) / 8))
        }
        guard isOutside else { return nil }
        func strip(_ from: Double, _ to: Double) -> Polygon {
            Polygon([
                surface - half + out * from, surface + half + out * from,
                surface + half + out * to, surface - half + out * to,
            ])
        }
        return (strip(-Self.overlap, depth), strip(0, 100))
    }

    /// How far the floor of a door extends into the room, in millimetres, so that the two are
    /// connected.
    private static let overlap = 20.0

    /// The floor before a door, as wide as its opening.
    fileprivate func region(before doorway: Doorway, depth: Double) -> Polygon {
        let start = surface(of: doorway)
        let out = doorway.out(left: doorway.isLeft(room.id) ?? true)
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        return Polygon([
            start - half, start + half, start + half + out * depth, start - half + out * depth,
        ])
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
