import FloorPlan
import Messages

/// Makes simple outlines of one that folds back on itself, touches itself or crosses itself, as
/// outlines of other programs do once their corners are rounded to millimetres.
///
/// The sides are cut where they meet, and folds are dropped. What is left goes around the parts of
/// the plane that are floor (``WalkMap``), and around holes in it that a slit leads to, such as a
/// chimney. What is inside a hole is dropped with it.
struct OutlineRepair {
    /// The outlines of floor, the largest first. None overlaps another.
    let rooms: [[PlanPoint]]
    /// The outlines of holes in them.
    let holes: [[PlanPoint]]

    /// How far a corner may be from a side that goes back along it, in millimetres.
    private static let fold = 2.0
    /// The area below which an outline is dropped, in square millimetres.
    private static let least = 10_000.0
    /// The maximum number of corners after cutting: twice as many as a room may have. Each side is
    /// compared with each, and an outline that crosses itself everywhere has thousands of cuts.
    private static let mostCorners = 400
    /// The maximum number of times that sides are cut: rounding to millimetres may make others
    /// meet.
    private static let mostRounds = 8

    /// Nil if no simple outline can be made, or only with very many cuts.
    init?(_ corners: [PlanPoint]) {
        var walk = Self.unfolded(corners)
        for _ in 0..<Self.mostRounds {
            guard walk.count <= Self.mostCorners else { return nil }
            let cut = Self.cut(walk)
            guard cut.count != walk.count else { break }
            walk = cut
        }
        guard let map = WalkMap(walk) else { return nil }
        let outlines = map.outlines.map(Self.unfolded).filter {
            $0.count > 2 && $0.outline.area >= Self.least
        }.sorted { $0.outline.area > $1.outline.area }
        let gaps = outlines.filter { $0.outline.signedArea < 0 }
        func isInHole(_ outline: [PlanPoint]) -> Bool {
            let middle = (outline[0].vector + outline[1].vector) * 0.5
            return gaps.contains { $0 != outline && $0.outline.contains(middle) }
        }
        let kept = outlines.filter { !isInHole($0) }
        rooms = kept.filter { $0.outline.signedArea > 0 }
        holes = kept.filter { $0.outline.signedArea < 0 }
        guard !rooms.isEmpty, kept.allSatisfy({ !$0.outline.crossesItself }) else { return nil }
    }

    /// The corners without repeated ones, and those at which the outline turns back along the side
    /// that it came from.
    private static func unfolded(_ corners: [PlanPoint]) -> [PlanPoint] {
        var corners = corners
        var index = 0
        var unchanged = 0
        while corners.count > 2, unchanged < corners.count {
            let count = corners.count
            index %= count
            let (before, after) = ((index + count - 1) % count, (index + 1) % count)
            let (from, tip, to) = (
                corners[before].vector, corners[index].vector, corners[after].vector
            )
            let isFold =
                (tip - from).dot(to - tip) < 0
                && min(
                    Segment(tip, to).distance(to: from), Segment(from, tip).distance(to: to))
                    <= fold
            if corners[index] == corners[before] || isFold {
                corners.remove(at: index)
                index = before
                unchanged = 0
            } else {
                index += 1
                unchanged += 1
            }
        }
        return corners
    }

    /// The corners, with another wherever a side meets another side.
    private static func cut(_ corners: [PlanPoint]) -> [PlanPoint] {
        let sides = corners.outline.sides
        var result: [PlanPoint] = []
        for (index, side) in sides.enumerated() {
            var cuts: [(share: Double, place: PlanPoint)] = []
            func add(_ place: PlanPoint) {
                guard place != corners[index], place != corners[(index + 1) % corners.count] else {
                    return
                }
                let share = (place.vector - side.start).dot(side.along) / side.along.lengthSquared
                if (0...1).contains(share) { cuts.append((share, place)) }
            }
            for (number, other) in sides.enumerated() where number != index {
                if side.distance(to: other.start) < 0.8 { add(PlanPoint(other.start)) }
                if let crossing = side.crossing(with: other) { add(PlanPoint(crossing)) }
            }
            result.append(corners[index])
            for cut in cuts.sorted(by: { $0.share < $1.share }) where result.last != cut.place {
                result.append(cut.place)
            }
        }
        return result
    }
}

extension [PlanPoint] {
    fileprivate var outline: Polygon { Polygon(map(\.vector)) }
}

extension Segment {
    /// Where it crosses another, between the ends of both.
    fileprivate func crossing(with other: Segment) -> Vector? {
        let across = along.cross(other.along)
        guard abs(across) > 1e-9 else { return nil }
        let between = other.start - start
        let (own, others) = (between.cross(other.along) / across, between.cross(along) / across)
        guard own > 0, own < 1, others > 0, others < 1 else { return nil }
        return start + along * own
    }
}

extension Element {
    /// A part of the building that fills a hole in a room: a rectangle around it, along its longest
    /// side.
    init(fillingHole hole: [PlanPoint], id: String, height: UInt32) {
        let outline = Polygon(hole.map(\.vector))
        let longest = outline.sides.max { $0.length < $1.length }?.along ?? Vector(1, 0)
        let (x, y) = (longest.unit, longest.unit.left)
        let (east, north) = (
            hole.map { $0.vector.dot(x) }, hole.map { $0.vector.dot(y) }
        )
        let (low, high) = (
            Vector(east.min() ?? 0, north.min() ?? 0), Vector(east.max() ?? 0, north.max() ?? 0)
        )
        let middle = (low + high) * 0.5
        // Its centre and angle are rounded: a millimetre more on each side covers that.
        let isTurned = min(abs(longest.x), abs(longest.y)) > 1e-9
        let more = isTurned ? 2.0 : 1
        self.init(
            id: id, kind: .structure, centre: PlanPoint(x * middle.x + y * middle.y),
            width: UInt32((high.x - low.x + more).rounded(.up)),
            depth: UInt32((high.y - low.y + more).rounded(.up)), height: height,
            angle: .angle(thousandths: longest.angle * 180_000 / .pi))
    }
}
