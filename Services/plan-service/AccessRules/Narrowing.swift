import FloorPlan
import Messages

/// Something that stands in a doorway.
struct Narrowing {
    let item: PlanItem
    /// The widest gap beside everything there, in millimetres.
    let width: Double

    /// How far from the wall a thing still counts as in the doorway, in millimetres.
    fileprivate static let near = 50.0
    /// The height of a doorway: that of ``FloorTerms/upright``, in millimetres.
    fileprivate static let height: UInt32 = 2_000
}

extension PlanLayout {
    /// The thing in a doorway, the first by its id; nil if there is none.
    func narrowing(of doorway: Doorway) -> Narrowing? {
        let clear = Double(doorway.opening.passage.width)
        let across = Double(doorway.wall.thickness) + 2 * Narrowing.near
        guard clear > 0 else { return nil }
        let middle = doorway.middle.dot(doorway.along)
        let region = ConvexPolygon(
            centre: doorway.middle, width: clear, depth: across, angle: doorway.along.angle)
        var first: PlanItem?
        var taken: [(lower: Double, upper: Double)] = []
        for id in elements(meeting: region.bounds) {
            guard let element = plan.elements[id], element.isSolid, element.kind != .wheelchair,
                element.elevation < Narrowing.height, Overlap(element.outline, region) != nil
            else { continue }
            let inside = element.outline.intersection(region).corners.map {
                $0.dot(doorway.along) - middle + clear / 2
            }
            guard let lower = inside.min(), let upper = inside.max() else { continue }
            taken.append((lower, upper))
            first = first ?? PlanItem(item: .element(element))
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
