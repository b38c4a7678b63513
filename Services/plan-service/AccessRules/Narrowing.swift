import FloorPlan
import Messages

/// Something that stands in a doorway.
struct Narrowing {
    let item: PlanItem
    /// The widest gap beside everything there, in millimetres.
    let width: Double

    /// The height of a doorway: that of ``FloorTerms/upright``, in millimetres.
    fileprivate static let height: UInt32 = 2_000
}

extension PlanLayout {
    /// The thing in a doorway: the first element by its id, or else the first wall; nil if there is
    /// none.
    func narrowing(of doorway: Doorway) -> Narrowing? {
        let clear = Double(doorway.opening.passage.width)
        guard clear > 0 else { return nil }
        let start = doorway.middle.dot(doorway.along) - clear / 2
        let region = doorway.wall.doorway(doorway.opening)
        var first: PlanItem?
        var taken: [(lower: Double, upper: Double)] = []
        func take(_ outline: ConvexPolygon, of item: PlanItem) {
            let inside = outline.intersection(region).corners.map {
                $0.dot(doorway.along) - start
            }
            guard let lower = inside.min(), let upper = inside.max() else { return }
            taken.append((lower, upper))
            first = first ?? item
        }
        for id in elements(meeting: region.bounds) {
            guard let element = plan.elements[id], element.isSolid, element.kind != .wheelchair,
                element.elevation < Narrowing.height, Overlap(element.outline, region) != nil
            else { continue }
            take(element.outline, of: PlanItem(item: .element(element)))
        }
        for wall in walls(meeting: region.bounds).compactMap({ plan.walls[$0] }) {
            for piece in plan.pieces(of: wall, in: doorway.opening, of: doorway.wall) {
                take(piece, of: PlanItem(item: .wall(wall)))
            }
        }
        guard let first else { return nil }
        var (free, widest) = (0.0, 0.0)
        for stretch in taken.sorted(by: { $0.lower < $1.lower }) {
            widest = max(widest, stretch.lower - free)
            free = max(free, stretch.upper)
        }
        return Narrowing(item: first, width: max(widest, clear - free))
    }
}
