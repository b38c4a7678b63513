import FloorPlan
import Messages
import Phrases

/// Where a chair can go in a plan, in which rooms it can turn, and which doors are too narrow for
/// it. Without a door marked as an entrance it is unknown where the chair starts: then no room
/// counts as reached, but the rest is reported all the same.
/// - Parameter language: `en`, `nb` or `sv`; empty for English.
/// - Throws: for an unknown language.
package func reach(
    _ plan: FloorPlan, chair: PersonChair, language: String = ""
) throws(Refusal) -> PlanReach {
    let phrases = try Words<FindingPhrase>.of(language)
    let dwelling = Dwelling(plan)
    let doors = dwelling.doors(tooNarrowFor: UInt32(chair.body.width.rounded(.up))).map {
        TightDoor(
            door: $0.id, name: plan.item($0.id).map(phrases.name) ?? "", passage: $0.passage,
            measured: $0.isMeasured, missing: $0.missing,
            stoppedBy: $0.stoppedBy.flatMap(plan.item).map(phrases.name) ?? "")
    }
    let hasEntrance = plan.openings.values.contains { $0.entrance && $0.isPassable }
    return PlanReach(
        width: UInt32(chair.body.width.rounded(.up)),
        length: UInt32(chair.body.length.rounded(.up)),
        rooms: hasEntrance
            ? try reachedRooms(dwelling, chair, phrases) : turnedRooms(plan, chair, phrases),
        doors: doors)
}

/// What the chair can do in each room when it comes in by an entrance.
private func reachedRooms(
    _ dwelling: Dwelling, _ chair: PersonChair, _ phrases: Words<FindingPhrase>
) throws(Refusal) -> [RoomReach] {
    var rooms: [RoomReach] = []
    var search: ObstructionSearch?
    for access in try dwelling.access(for: chair.body) {
        let room = dwelling.plan.rooms[access.room] ?? Room()
        var found = RoomReach(room: access.room, name: phrases.name(PlanItem(item: .room(room))))
        switch access.reached {
        case .yes: found.reached = .pass
        case .no: found.reached = .fail
        case .uncertain: found.reached = .uncertain
        }
        switch access.turned {
        case .yes: found.turned = .pass
        case .no: found.turned = .fail
        case .uncertain: found.turned = .uncertain
        }
        if access.reached != .yes {
            if search == nil { search = try ObstructionSearch(dwelling, chair.body) }
            if let obstruction = try search?.obstruction(of: access.room) {
                found.blockedBy = obstruction.ids
                found.obstruction =
                    obstruction.ids.isEmpty && !obstruction.isLeast
                    ? phrases.say(.tooMuch)
                    : phrases.list(obstruction.ids.compactMap(dwelling.plan.item))
            }
        }
        rooms.append(found)
    }
    return rooms.sorted { ($0.name, $0.room) < ($1.name, $1.room) }
}

/// The rooms in which the chair could turn if it were there.
private func turnedRooms(
    _ plan: FloorPlan, _ chair: PersonChair, _ phrases: Words<FindingPhrase>
) -> [RoomReach] {
    let layout = PlanLayout(plan)
    return plan.rooms.values.map { room in
        let floor = RoomFloor(room, in: layout).free(.person)
        let circle = 2 * (floor.largestCircle()?.radius ?? 0)
        return RoomReach(
            room: room.id, name: phrases.name(PlanItem(item: .room(room))), reached: .unknown,
            turned: circle >= chair.turningDiameter
                ? .pass
                : chair.body.turning(on: floor, room.polygon, circle: circle, slack: 0))
    }.sorted { ($0.name, $0.room) < ($1.name, $1.room) }
}

extension Words<FindingPhrase> {
    /// The names of items, or a phrase that no path leads there if there are none.
    func list(_ items: [PlanItem]) -> String {
        guard let last = items.last else { return say(.noWayThere) }
        let first = items.dropLast().map(quotedName).joined(separator: ", ")
        return first.isEmpty
            ? quotedName(last) : "\(first) \(say(.and)) \(quotedName(last))"
    }
}
