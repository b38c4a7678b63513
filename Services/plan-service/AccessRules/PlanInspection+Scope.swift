import FloorPlan
import Messages

/// What was checked, and what wasn't.
extension PlanInspection {
    /// The standards that it goes by, without the rules about aids, which belong to every check.
    package var standards: [Standard] {
        sets.filter { $0.standard != RuleBook.aids.standard || sets.count == 1 }.map(\.published)
    }

    /// What its rules pass over: rooms of unknown use, and what they are about but is in no room.
    package var passedOver: PassedOver {
        let rules = sets.flatMap(\.rules).filter { $0.elements != nil }
        let things = layout.plan.elements.values.filter { element in
            rules.contains { $0.isAbout(element) } && layout.room(at: element.place) == nil
        }
        return PassedOver(layout.plan, things: Array(things))
    }
}
