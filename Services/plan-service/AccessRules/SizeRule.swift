import FloorPlan
import Messages
import Phrases

/// The rule about the two measures of an element.
extension Judge {
    /// The two sizes of an element, in either order. Where a square is enough, too, it must be
    /// exact: whether a larger element is close enough to it isn't known.
    func size(_ rule: Rule, _ element: Element, in floor: RoomFloor) -> Assessment {
        let (first, second) = (rule.atLeast ?? 0, rule.other ?? 0)
        var found = size(first, second, element, in: floor)
        guard let side = rule.square else { return found }
        let required = "\(Int(side)) x \(Int(side)) mm \(phrases.say(.or)) \(found.required)"
        if found.verdict == .fail {
            let square = size(side, side, element, in: floor)
            let isExact = element.width == element.depth && Double(element.width) == side
            if square.verdict == .fail {
                if square.margin ?? .min > found.margin ?? .min { found = square }
            } else if isExact {
                found = square
            } else {
                (found.verdict, found.measured, found.margin) = (.uncertain, nil, nil)
                found.text = [Said(.nearSquare, ["side": .number(Int(side))])]
            }
        }
        found.required = required
        return found
    }

    /// Whether an element has two sizes, in either order. Things in a shower make it smaller, and
    /// so do the walls of the room.
    private func size(
        _ first: Double, _ second: Double, _ element: Element, in floor: RoomFloor
    ) -> Assessment {
        var found = size(first, second, element)
        guard element.kind == .shower, let margin = found.margin else { return found }
        let area = element.outline
        // What isn't turned by right angles is rounded, like the corners of its room.
        let rounding =
            element.angle % 90_000 == 0 ? Overlap.tolerance : 2 * FloorPlan.rounding
        let inside = floor.obstacles(.shower, for: .reaching, without: { $0.id == element.id })
            .filter { Overlap($0, area) != nil }
        let sides = floor.outline.sides.filter { $0.length > 0 }.map {
            ConvexPolygon(counterClockwise: [$0.start, $0.end])
        }.filter { Overlap($0, area, tolerance: rounding) != nil }
        guard !inside.isEmpty || !sides.isEmpty else { return found }
        let space = FreeSpace(areas: [area.polygon], obstacles: (inside + sides).map(\.polygon))
        let best = [0, Double.pi / 2].compactMap {
            space.bestPlace(for: .rectangle(first, second), at: element.turn + $0)
        }.filter { floor.outline.contains($0.centre) }.map(\.margin).max()
        // The margin is the same at each side. If more is missing than is searched for, all counts
        // as missing.
        let left = best.map { Self.whole(2 * $0) } ?? Int32(clamping: -Int64(first))
        guard left < margin else { return found }
        let required = found.required
        found = length(.size, first + Double(left), atLeast: first, at: element.place)
        found.required = required
        return found
    }

    private func size(_ first: Double, _ second: Double, _ element: Element) -> Assessment {
        let (width, depth) = (Double(element.width), Double(element.depth))
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
