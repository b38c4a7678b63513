import Messages

extension PassedOver {
    /// The maximum number of rooms, and of things, that are named.
    package static let most = 20

    /// What rules pass over in a plan.
    /// - Parameters:
    ///   - plan: the plan that is checked.
    ///   - things: the elements that are in no room although some rule is about them.
    package init(_ plan: FloorPlan, things: [Element] = []) {
        let rooms = plan.roomsWithoutUse
        let sorted = things.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
        self.init(
            withoutRooms: plan.rooms.isEmpty,
            rooms: rooms.prefix(Self.most).map { NamedItem(id: $0.id, name: $0.name) },
            roomCount: UInt32(clamping: rooms.count),
            things: sorted.prefix(Self.most).map { NamedItem(id: $0.id, name: $0.label) },
            thingCount: UInt32(clamping: sorted.count))
    }

    /// True if rules passed over nothing.
    package var isEmpty: Bool { !withoutRooms && roomCount == 0 && thingCount == 0 }
}
