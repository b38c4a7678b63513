import FloorPlan
import Messages

/// What a rule is about.
extension Rule {
    /// True if the rule applies to a room.
    func isAbout(_ floor: RoomFloor) -> Bool {
        guard rooms?.contains(floor.room.use) ?? true else { return false }
        if swept == true, !floor.isSwept(surely: false) { return false }
        guard let entered else { return true }
        return entered
            == floor.doorways.contains { $0.opening.entrance && $0.opening.isPassable }
    }

    /// True if the rule applies to an element in a room, or may apply.
    /// - Parameter error: how far off the width of the element may be, in millimetres.
    func isAbout(_ element: Element, in room: Room, off error: UInt32) -> Bool {
        (isAbout(element) || nearLimit(element, off: error) != nil)
            && rooms?.contains(room.use) ?? true
    }

    /// True if the rule applies to an element in some rooms, or in all.
    func isAbout(_ element: Element) -> Bool {
        guard isAbout(kindOf: element) else { return false }
        let width = Double(element.width)
        return width >= widerThan ?? 0 && width < upToWidth ?? .infinity
    }

    /// The width that decides whether the rule applies to an element, in millimetres, if the width
    /// of the element is too close to it to tell; otherwise nil.
    func nearLimit(_ element: Element, off error: UInt32) -> Double? {
        guard isAbout(kindOf: element) else { return nil }
        return [widerThan, upToWidth].compactMap { $0 }
            .first { abs(Double(element.width) - $0) < Double(error) }
    }

    private func isAbout(kindOf element: Element) -> Bool {
        guard elements?.contains(element.kind) == true else { return false }
        return role.map { element.aidRole == $0.role } ?? true
    }

    /// True if the rule applies to a door, or to an opening without a leaf.
    func isAbout(_ doorway: Doorway, in layout: PlanLayout) -> Bool {
        guard doors?.includes(doorway.opening) == true else { return false }
        guard let rooms else { return true }
        return [doorway.rooms.left, doorway.rooms.right].contains { id in
            id.flatMap { layout.plan.rooms[$0] }.map { rooms.contains($0.use) } ?? false
        }
    }
}

extension Rule.DoorChoice {
    /// True if a door is one of them.
    func includes(_ door: Opening) -> Bool {
        switch self {
        case .entrance: door.entrance
        case .inside: !door.entrance
        case .all: true
        }
    }
}
