import FloorPlan
import Messages
import Phrases

/// The rules about the floor around an element, and about the element itself.
extension Judge {
    /// The free floor at both sides, of which the better one is for the transfer.
    func sideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let (east, west) = sides(element, rule, terms, floor)
        let (most, least) = (max(east, west), min(east, west))
        let (wanted, other) = (rule.atLeast ?? 0, rule.other ?? 0)
        // The side that lacks more, or has less to spare, counts.
        let isOther = least - other < most - wanted
        var found = length(
            .sideSpace, isOther ? least : most, atLeast: isOther ? other : wanted,
            at: element.place)
        found.required = phrases.say(
            .sides, ["value": String(Int(wanted)), "other": String(Int(other))])
        found.text.append(
            Said(
                .sidesFound,
                [
                    "left": .number(Int(Self.whole(west))),
                    "right": .number(Int(Self.whole(east))),
                ]))
        found.person = standing(most)
        return found
    }

    /// The free floor at one side, whichever has more.
    func oneSideSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let (east, west) = sides(element, rule, terms, floor)
        var found = length(
            .oneSideSpace, max(east, west), atLeast: rule.atLeast ?? 0, at: element.place)
        found.person = standing(max(east, west))
        return found
    }

    private func sides(
        _ element: Element, _ rule: Rule, _ terms: FloorTerms, _ floor: RoomFloor
    ) -> (east: Double, west: Double) {
        let fixture = Fixture(element)
        let obstacles = floor.obstacles(terms.upright, without: { $0.id == element.id })
        func extent(_ east: Bool) -> Double {
            fixture.side(
                east: east, from: fixture.halfWidth, exceptRear: rule.exceptRear ?? 0
            ).extent(in: floor.outline, obstacles)
        }
        return (extent(true), extent(false))
    }

    /// The free floor in front. With a depth it includes the space below the element, such as for
    /// knees under a basin that hangs high enough. Floor that is wider than the element may extend
    /// to either side of it.
    func frontSpace(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let fixture = Fixture(element)
        let obstacles = floor.obstacles(terms, without: { $0.id == element.id })
        let half = max(fixture.halfWidth, (rule.width ?? 0) / 2)
        let play = half - fixture.halfWidth
        var measured =
            stride(from: -1.0, through: 1, by: 0.25).map { share in
                fixture.front((play * share - half)...(play * share + half))
                    .extent(in: floor.outline, obstacles)
            }.max() ?? 0
        if rule.depth != nil, element.elevation >= terms.kneeHeight {
            let under = 2 * fixture.halfDepth + fixture.gap(in: floor.outline)
            measured += min(under, terms.underDepth ?? under)
        }
        return length(
            .frontSpace, measured, atLeast: rule.depth ?? rule.atLeast ?? 0, at: element.place)
    }

    /// The free floor around a toilet: from its centre line to one side and to the other, or in
    /// total, and its depth from the wall behind it.
    func toiletZone(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        let fixture = Fixture(element)
        let obstacles = floor.obstacles(terms, without: { $0.id == element.id })
        let gap = fixture.gap(in: floor.outline)
        let depth = rule.depth ?? 0
        func extent(_ east: Bool) -> Double {
            fixture.side(east: east, from: 0, reaching: depth, behind: gap)
                .extent(in: floor.outline, obstacles)
        }
        let (east, west) = (extent(true), extent(false))
        // The zone may be to either side; the better one counts.
        var best: (margin: Double, required: Double)?
        for (side, other, isEast) in [(east, west, true), (west, east, false)] {
            let sizes: [(Double, Double)]
            let range: ClosedRange<Double>
            if let width = rule.width {
                sizes = [(side + other, width)]
                let near = min(side, other, width)
                range = isEast ? -near...(width - near) : (near - width)...near
            } else {
                let (wide, narrow) = (rule.atLeast ?? 0, rule.other ?? 0)
                sizes = [(side, wide), (other, narrow)]
                range = isEast ? -narrow...wide : -wide...narrow
            }
            let front =
                fixture.front(range).extent(in: floor.outline, obstacles)
                + 2 * fixture.halfDepth + gap
            let found = (sizes + [(front, depth)]).map { (margin: $0.0 - $0.1, required: $0.1) }
                .min { $0.margin < $1.margin }
            if let found, found.margin > best?.margin ?? -.infinity { best = found }
        }
        let (margin, wanted) = best ?? (0, 0)
        var found = length(.toiletZone, wanted + margin, atLeast: wanted, at: element.place)
        let across = rule.width ?? (rule.atLeast ?? 0) + (rule.other ?? 0)
        found.required = "\(Int(across)) x \(Int(depth)) mm"
        return found
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

    /// The two measures of an element, in either order.
    func size(_ rule: Rule, _ element: Element) -> Assessment {
        let (width, depth) = (Double(element.width), Double(element.depth))
        let (first, second) = (rule.atLeast ?? 0, rule.other ?? 0)
        func least(_ a: Double, _ b: Double) -> (margin: Double, required: Double) {
            a - first < b - second ? (a - first, first) : (b - second, second)
        }
        let (one, turned) = (least(width, depth), least(depth, width))
        let (margin, wanted) = one.margin >= turned.margin ? one : turned
        var found = length(.size, wanted + margin, atLeast: wanted, at: element.place)
        found.required = phrases.say(
            .sizes, ["value": String(Int(first)), "other": String(Int(second))])
        return found
    }
}
