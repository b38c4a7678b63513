import FloorPlan
import Messages

/// What was checked, what wasn't, and what a change affects.
extension PlanInspection {
    /// The standards that it checks against, without the rules about aids, which belong to every
    /// check.
    package var standards: [Standard] {
        sets.filter { $0.standard != RuleBook.aids.standard || sets.count == 1 }.map(\.published)
    }

    /// What its rules pass over: rooms of unknown use, and the things that they are about but that
    /// are in no room.
    package var passedOver: PassedOver {
        let rules = sets.flatMap(\.rules).filter { $0.elements != nil }
        let things = layout.plan.elements.values.filter { element in
            rules.contains { $0.isAbout(element) } && layout.room(at: element.place) == nil
        }
        return PassedOver(layout.plan, things: Array(things))
    }

    /// Records the bounds of an item, and the doors that depend on it.
    func note(_ item: PlanItem?, _ places: inout [Bounds], _ openings: inout Set<String>) {
        guard let item = item?.outermost else { return }
        guard let bounds = layout.bounds(of: item) else { return }
        switch item.item {
        case .element(let element):
            places.append(bounds)
            // A thing in a doorway, or a ramp at a door, may be outside every room.
            let near = layout.openings(meeting: bounds.grown(by: FloorPlan.rampGap + 10))
            openings.formUnion(near)
            if judge.chair != nil, layout.isOutside(element) {
                places += near.compactMap(layout.plan.item).compactMap(layout.bounds)
                    .map { $0.grown(by: 200) }
            }
        // A door belongs to the rooms on both sides of its wall, which may begin slightly away from
        // it.
        default:
            places.append(bounds.grown(by: 200))
            // A ramp ends at the walls that it is drawn through, and its high end is at its door:
            // both decide about doors that may be elsewhere.
            for id in layout.elements(meeting: bounds.grown(by: 200)) {
                guard let ramp = layout.plan.elements[id], ramp.aidRole == .ramp else { continue }
                openings.formUnion(layout.openings(near: ramp))
            }
        }
        switch item.item {
        case .opening(let opening): openings.insert(opening.id)
        case .room(let room):
            // This includes doors that lead into no other room once this one is removed.
            openings.formUnion(layout.openings(meeting: room.polygon.bounds.grown(by: 200)))
        case .wall(let wall):
            for opening in layout.plan.openings(in: wall.id) {
                openings.insert(opening.id)
                let bounds = layout.bounds(of: PlanItem(item: .opening(opening)))
                if let bounds { places.append(bounds.grown(by: 200)) }
            }
        default: break
        }
    }
}
