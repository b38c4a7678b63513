import FloorPlan
import Messages
import Phrases

/// The rules about the floor around an element, and about the element itself.
extension Judge {
    /// The free floor on both sides, the better of which is for the transfer.
    func sideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        allow(forThingsAside: {
            sideSpace(rule, terms, element, in: floor, off: $0)
        })
    }

    private func sideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor,
        off error: Double
    ) -> Assessment {
        let views = sides(element, rule, off: error)
        let obstacles = floor.obstacles(
            terms.upright, for: .staying, without: { $0.id == element.id })
        let (wanted, other) = (rule.atLeast ?? 0, rule.other ?? 0)
        // Either side may be the one for the transfer. Of the two, the one that lacks more, or has
        // less to spare, counts.
        let choices = [(views.east, views.west), (views.west, views.east)].map { side, rest in
            (
                most: side.margin(wanted, in: floor.outline, obstacles),
                least: rest.margin(other, in: floor.outline, obstacles)
            )
        }
        let isFirst =
            min(choices[0].most, choices[0].least) >= min(choices[1].most, choices[1].least)
        let best = choices[isFirst ? 0 : 1]
        let isOther = best.least < best.most
        let limit = isOther ? other : wanted
        var found = length(
            .sideSpace, limit + min(best.most, best.least), atLeast: limit, at: element.place)
        let east = views.east.extent(in: floor.outline, obstacles)
        let west = views.west.extent(in: floor.outline, obstacles)
        found.required = phrases.say(
            .sides, ["value": String(Int(wanted)), "other": String(Int(other))])
        found.text.append(
            Said(
                .sidesFound,
                [
                    "left": .number(Int(Self.whole(west))),
                    "right": .number(Int(Self.whole(east))),
                ]))
        found.person = standing(max(east, west))
        return found
    }

    /// The free floor at one side, whichever has more.
    func oneSideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        allow(forThingsAside: {
            oneSideSpace(rule, terms, element, in: floor, off: $0)
        })
    }

    private func oneSideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor,
        off error: Double
    ) -> Assessment {
        let views = sides(element, rule, off: error)
        let obstacles = floor.obstacles(
            terms.upright, for: .staying, without: { $0.id == element.id })
        let wanted = rule.atLeast ?? 0
        let both = [views.east, views.west]
        let margin =
            both.map { $0.margin(wanted, in: floor.outline, obstacles) }.max() ?? -wanted
        var found = length(.oneSideSpace, wanted + margin, atLeast: wanted, at: element.place)
        found.person = standing(both.map { $0.extent(in: floor.outline, obstacles) }.max() ?? 0)
        return found
    }

    /// The views from its two sides.
    private func sides(
        _ element: Element, _ rule: Rule, off error: Double
    ) -> (east: View, west: View) {
        let fixture = Fixture(element)
        func view(_ east: Bool) -> View {
            fixture.side(
                east: east, from: fixture.halfWidth, exceptRear: rule.exceptRear ?? 0, off: error)
        }
        return (view(true), view(false))
    }

    /// The free floor in front; for a bath, along its length on either side. With a depth
    /// it includes the space below the element, such as for knees under a basin that hangs high
    /// enough. Floor that is wider than the element may extend to either side of it. In a kitchen
    /// it begins at the front of what the element is built into. Whether anyone has to come close
    /// to a cupboard that hangs over a bed isn't known, nor where the controls of a bath are.
    func frontSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        var found = allow(forThingsAside: {
            frontSpace(rule, terms, element, in: floor, off: $0, without: [])
        })
        guard found.verdict == .fail else { return found }
        func isEnough(without ids: Set<String>) -> Bool {
            guard !ids.isEmpty else { return false }
            return frontSpace(rule, terms, element, in: floor, off: 0, without: ids).verdict
                != .fail
        }
        let below = Set(floor.elements.filter { element.hangs(over: $0) }.map(\.id))
        if isEnough(without: below) {
            let name = phrases.nameValue(PlanItem(item: .element(element)))
            found.text = [Said(.hangsOver, ["item": name])]
        } else if rule.endBasin == true,
            element.basinsAtEnds(among: floor.elements).contains(where: isEnough(without:))
        {
            found.text = [Said(.basinAtEnd)]
        } else {
            // The floor on either side of a bath counts, so turning one changes nothing.
            if element.approaches.count == 1,
                Fixture(element).hasFrontAtWall(of: floor.outline, floor.walls)
            {
                let name = phrases.nameValue(PlanItem(item: .element(element)))
                found.text.append(Said(.frontAtWall, ["item": name]))
            }
            return found
        }
        (found.verdict, found.measured, found.margin) = (.uncertain, nil, nil)
        return found
    }

    private func frontSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor,
        off error: Double, without others: Set<String>
    ) -> Assessment {
        let wanted = rule.depth ?? rule.atLeast ?? 0
        let best =
            element.approaches.map {
                frontMargin(rule, wanted, terms, $0, in: floor, off: error, without: others)
            }.max() ?? -wanted
        return length(.frontSpace, wanted + best, atLeast: wanted, at: element.place)
    }

    /// How much more free floor there is in front than is wanted, in millimetres.
    private func frontMargin(
        _ rule: Rule, _ wanted: Double, _ terms: FloorTerms, _ element: Element,
        in floor: RoomFloor, off error: Double, without others: Set<String>
    ) -> Double {
        let fixture = Fixture(element)
        let unit = floor.elements.compactMap { thing in
            element.before(asOneUnitWith: thing).map { (id: thing.id, before: $0) }
        }
        let ahead = unit.map { $0.before }.max() ?? 0
        let own = others.union(unit.map { $0.id } + [element.id])
        var obstacles = floor.obstacles(terms, for: .staying, without: { own.contains($0.id) })
        if rule.encroach == 0 {
            obstacles += kneeBasins(terms, in: floor).filter { !own.contains($0.id) }
                .map(\.outline)
        }
        let half = max(fixture.halfWidth, (rule.width ?? 0) / 2)
        let play = half - fixture.halfWidth
        let hasKnees = rule.depth != nil && terms.leaveKnees(under: element)
        // The floor behind it counts only up to a wall near it.
        let most = 2 * fixture.halfDepth + fixture.gap(in: floor.outline)
        let deepest = min(terms.underDepth ?? most, most)
        func margin(_ range: ClosedRange<Double>) -> Double {
            let under =
                hasKnees
                ? fixture.under(range, off: error).extent(in: floor.outline, obstacles) : 0
            return fixture.front(range, ahead: ahead, off: error)
                .margin(wanted - min(under, deepest), in: floor.outline, obstacles)
        }
        return stride(from: -1.0, through: 1, by: 0.25).map { share in
            margin((play * share - half)...(play * share + half))
        }.max() ?? -wanted
    }

    /// The basins that only the knees pass under.
    private func kneeBasins(_ terms: FloorTerms, in floor: RoomFloor) -> [Element] {
        floor.elements.filter {
            $0.kind == .washbasin && terms.leaveKnees(under: $0)
                && !terms.upright.leaveKnees(under: $0)
        }
    }

    /// The free floor around a toilet: from its centre line to one side and to the other, or in
    /// total, and its depth from the wall behind it.
    func toiletZone(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let obstacles = floor.obstacles(
            terms, for: .staying, without: { $0.id == element.id })
        // Those that knees pass under are no obstacles there.
        let basins = kneeBasins(terms, in: floor).map(\.outline)
        let solid = rule.encroach == 0 ? obstacles + basins : obstacles
        let fixture = Fixture(element)
        // The zone may be to either side; the better one counts.
        let best = [true, false].compactMap { isEast -> (margin: Double, required: Double)? in
            let found = fixture.zone(rule, floor.outline, solid, isEast: isEast)
            guard let whole = found, let most = rule.encroach, !basins.isEmpty,
                let inner = fixture.zone(
                    rule, lessBy: most, floor.outline, obstacles + basins, isEast: isEast)
            else { return found }
            return inner.margin < whole.margin ? inner : whole
        }.max { $0.margin < $1.margin }
        let (margin, wanted) = best ?? (0, 0)
        var found = length(.toiletZone, wanted + margin, atLeast: wanted, at: element.place)
        let across = rule.width ?? (rule.atLeast ?? 0) + (rule.other ?? 0)
        found.required = "\(Int(across)) x \(Int(rule.depth ?? 0)) mm"
        if found.verdict == .fail, isExcused(rule, terms, fixture, in: floor) {
            (found.verdict, found.measured, found.margin) = (.uncertain, nil, nil)
            found.text = [Said(.homeBasin)]
        }
        return found
    }

    /// True if only basins are in the space of a toilet that may be there in a home, and the space
    /// is deep enough for that.
    private func isExcused(
        _ rule: Rule, _ terms: FloorTerms, _ fixture: Fixture, in floor: RoomFloor
    ) -> Bool {
        guard let basin = rule.homeBasin else { return false }
        let gap = fixture.gap(in: floor.outline)
        let basins = floor.elements.filter { $0.kind == .washbasin }
        let excused = basins.filter {
            fixture.isBeside($0.outline, basin, behind: gap, off: Double(tolerance))
        }
        guard !excused.isEmpty else { return false }
        let ids = Set(excused.map(\.id))
        let rest = basins.filter {
            !ids.contains($0.id) && !terms.upright.leaveKnees(under: $0)
        }
        let obstacles =
            floor.obstacles(
                terms, for: .staying,
                without: { $0.id == fixture.element.id || ids.contains($0.id) })
            + rest.map(\.outline)
        return [true, false].contains { isEast in
            fixture.zone(rule, upTo: basin.depth, floor.outline, obstacles, isEast: isEast).map {
                Self.verdict(Self.whole($0.margin), tolerance: tolerance) != .fail
            } ?? false
        }
    }

    /// The distance from the centre line of an element to the nearer wall at its side.
    func centreLine(
        _ rule: Rule, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let fixture = Fixture(element)
        let walls = floor.walls
        let nearest =
            [true, false].map {
                fixture.side(east: $0, from: 0).extent(in: floor.outline, walls)
            }.min() ?? 0
        let (least, most) = (rule.atLeast ?? 0, rule.atMost ?? .infinity)
        var found =
            nearest - least < most - nearest
            ? length(.centreLine, nearest, atLeast: least, at: element.place)
            : length(.centreLine, nearest, atMost: most, at: element.place)
        found.required = phrases.say(
            .between, ["low": String(Int(least)), "high": "\(Int(most)) mm"])
        return found
    }
}

extension Fixture {
    /// How much more free floor there is around a toilet than a rule asks for, and what it asks
    /// for, in millimetres, with the larger part of the floor on one side; nil if it can't be
    /// there.
    /// - Parameters:
    ///   - less: how much smaller the floor may be on each side, in millimetres.
    ///   - deep: how far it must extend from the wall, in millimetres; nil as the rule says.
    fileprivate func zone(
        _ rule: Rule, lessBy less: Double = 0, upTo deep: Double? = nil, _ outline: Polygon,
        _ obstacles: [ConvexPolygon], isEast: Bool
    ) -> (margin: Double, required: Double)? {
        let gap = gap(in: outline)
        let asked = deep ?? rule.depth ?? 0
        let depth = max(asked - less, 0)
        let back = 2 * halfDepth + gap
        // If the room isn't deep enough, the depth is missing, not the sides beyond it.
        let reach = min(depth, front().extent(in: outline, obstacles) + back)
        func extent(_ east: Bool) -> Double {
            side(east: east, from: 0, reaching: reach, behind: gap).extent(in: outline, obstacles)
        }
        let (larger, smaller) = (extent(isEast), extent(!isEast))
        let sizes: [(found: Double, asked: Double)]
        let near: Double
        let far: Double
        if let width = rule.width {
            // It contains the toilet, and all the floor up to a wall beside that.
            let most = width - min(halfWidth, width / 2)
            guard smaller <= larger || larger >= most else { return nil }
            sizes = [(larger + smaller, width)]
            near = min(smaller, most)
            far = min(width - near, larger)
        } else {
            let (wide, narrow) = (rule.atLeast ?? 0, rule.other ?? 0)
            sizes = [(larger + less, wide), (smaller + less, narrow)]
            near = min(max(narrow - less, 0), smaller)
            far = min(max(wide - less, 0), larger)
        }
        let range = isEast ? -near...far : -far...near
        let found = front(range).extent(in: outline, obstacles) + back
        let all = sizes + [(found: found + less, asked: asked)]
        return all.map { (margin: $0.found - $0.asked, required: $0.asked) }
            .min { $0.margin < $1.margin }
    }

    /// True if a basin may be beside a toilet in a home: on the same wall, far enough from the
    /// centre line of the toilet and not too deep.
    /// - Parameters:
    ///   - gap: the distance from the toilet's rear to the wall, in millimetres.
    ///   - error: by how much it may be less deep or farther away than drawn, in millimetres.
    fileprivate func isBeside(
        _ basin: ConvexPolygon, _ allowed: Rule.HomeBasin, behind gap: Double, off error: Double
    ) -> Bool {
        let ways = basin.corners.map { corner -> Vector in
            let way = corner - element.place
            return Vector(way.dot(across), way.dot(rear) - halfDepth - gap)
        }
        let (front, back) = (ways.map(\.y).min() ?? 0, ways.map(\.y).max() ?? 0)
        let (west, east) = (ways.map(\.x).min() ?? 0, ways.map(\.x).max() ?? 0)
        return abs(back) <= View.leaning + error && -front <= allowed.upTo + error + 0.01
            && max(west, -east) >= allowed.aside - error - 0.01
    }
}

extension Element {
    /// The element with its front turned to where people come from. They come to a bath from either
    /// of its long sides, however it is drawn.
    fileprivate var approaches: [Element] {
        guard kind == .bath else { return [self] }
        let isDeep = depth > width
        let turns: [UInt32] = isDeep ? [90_000, 270_000] : [0, 180_000]
        return turns.map { turn in
            var turned = self
            turned.angle = (angle % 360_000 + turn) % 360_000
            if isDeep { (turned.width, turned.depth) = (depth, width) }
            return turned
        }
    }

    /// For each half of its length, the ids of the basins beside it, with the cupboards under and
    /// over them.
    fileprivate func basinsAtEnds(among things: [Element]) -> [Set<String>] {
        let across = Vector(angle: turn)
        let along = depth > width ? across.left : across
        return [along, -along].map { end in
            let basins = things.filter {
                $0.kind == .washbasin && ($0.place - place).dot(end) > 0
            }
            let cupboards = things.filter { thing in
                thing.kind == .cupboard
                    && basins.contains { Overlap($0.outline, thing.outline) != nil }
            }
            return Set((basins + cupboards).map(\.id))
        }
    }

    /// True for a cupboard that hangs over another thing.
    fileprivate func hangs(over other: Element) -> Bool {
        kind == .cupboard && elevation > other.elevation && other.id != id && other.isSolid
            && Overlap(outline, other.outline) != nil
    }

    /// The kinds of things that are built together in a kitchen.
    private static let builtTogether: [ElementKind] = [.kitchenBench, .appliance, .cupboard]
    /// How far one of them may stand out before another, in millimetres.
    private static let mostBefore = 400.0

    /// How far another thing stands out before this kitchen bench or appliance, in millimetres, if
    /// they are one unit, as an oven in a bench or a hood over it; nil if they aren't. They are if
    /// they face the same way, overlap, and share half of the depth of one of them.
    func before(asOneUnitWith other: Element) -> Double? {
        guard kind == .kitchenBench || kind == .appliance, other.id != id,
            Self.builtTogether.contains(other.kind),
            Vector(angle: turn).dot(Vector(angle: other.turn)) > 0.999,
            Overlap(outline, other.outline) != nil
        else { return nil }
        let forward = -Vector(angle: turn).left
        func range(_ element: Element) -> (rear: Double, front: Double) {
            let distances = element.outline.corners.map { $0.dot(forward) }
            return (distances.min() ?? 0, distances.max() ?? 0)
        }
        let (own, others) = (range(self), range(other))
        let shared = min(own.front, others.front) - max(own.rear, others.rear)
        let before = max(others.front - own.front, 0)
        guard 2 * shared >= min(own.front - own.rear, others.front - others.rear),
            before <= Self.mostBefore
        else { return nil }
        return before
    }
}
