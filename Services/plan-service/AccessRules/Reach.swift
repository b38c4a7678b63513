import FloorPlan
import Messages
import Phrases

/// Where a chair can go in a plan, in which rooms it can turn, and which doors are too narrow for
/// it, or may be. Without a door marked as an entrance it is unknown where the chair starts: then
/// no room counts as reached, but the rest is still reported. Each dwelling is examined by itself.
/// - Parameters:
///   - tolerance: how far the measures of the plan may be off, in millimetres.
///   - language: `en`, `nb` or `sv`; empty for English.
///   - remember: returns the earlier result for a dwelling, or else examines it.
/// - Throws: for an unknown language.
package func reach(
    _ plan: FloorPlan, chair: PersonChair, tolerance: UInt32 = 0, language: String = "",
    remember: (FloorPlan, _ look: () throws(Refusal) -> [RoomReach]) throws(Refusal)
        -> [RoomReach] = { (_, look) throws(Refusal) in try look() }
) throws(Refusal) -> PlanReach {
    let phrases = try Words<FindingPhrase>.of(language)
    let slack = Double(tolerance)
    let dwelling = Dwelling(plan)
    let doors = dwelling.doors(tooNarrowFor: chair.wholeWidth, slack: slack).map {
        TightDoor(
            door: $0.id, name: plan.item($0.id).map(phrases.name) ?? "", passage: $0.passage,
            measured: $0.isMeasured, missing: $0.missing,
            stoppedBy: $0.stoppedBy.flatMap(plan.item).map(phrases.obstacleName) ?? "",
            verdict: $0.isCertain ? .fail : .uncertain)
    }
    var rooms: [RoomReach] = []
    let hasEntrance = plan.openings.values.contains { $0.entrance && $0.isPassable }
    if hasEntrance {
        for part in DwellingPart.all(of: plan) {
            let isEntered = part.plan.openings.values.contains { $0.entrance && $0.isPassable }
            rooms += try remember(part.plan) { () throws(Refusal) in
                isEntered
                    ? try reachedRooms(Dwelling(part.plan), chair, slack, phrases)
                    : unreachedRooms(part.plan, chair, phrases)
            }.filter { part.rooms.contains($0.room) }
        }
        rooms.sort { ($0.name, $0.room) < ($1.name, $1.room) }
    } else {
        rooms = turnedRooms(plan, chair, slack, phrases)
    }
    if chair.isEstimated {
        for index in rooms.indices { rooms[index].allow(forGuessIn: phrases) }
    }
    return PlanReach(
        width: chair.wholeWidth, length: UInt32(chair.body.length.rounded(.up)),
        rooms: rooms, doors: doors, guessed: chair.isEstimated)
}

extension PersonChair {
    /// Its width, in whole millimetres.
    fileprivate var wholeWidth: UInt32 { UInt32(body.width.rounded(.up)) }
}

extension RoomReach {
    /// Downgrades a pass to uncertain, because the size of the chair is a guess.
    fileprivate mutating func allow(forGuessIn phrases: Words<FindingPhrase>) {
        if turned == .pass { turned = .uncertain }
        guard reached == .pass else { return }
        reached = .uncertain
        obstruction = phrases.say(.measureChair)
    }
}

/// What the chair can do in each room when it comes in by an entrance.
private func reachedRooms(
    _ dwelling: Dwelling, _ chair: PersonChair, _ slack: Double, _ phrases: Words<FindingPhrase>
) throws(Refusal) -> [RoomReach] {
    var rooms: [RoomReach] = []
    var searches: [Certainty: ObstructionSearch] = [:]
    var wider: ObstructionSearch?
    func cause(_ id: String) -> String { dwelling.cause(id, chair, slack, phrases) }
    let covered = phrases.list(
        dwelling.coveredEntrances(for: chair.body.grown(by: slack)).sorted()
            .compactMap(dwelling.plan.item).map(phrases.quotedName))
    let closed = dwelling.closedEntrances(chair, slack, phrases)
    for access in try dwelling.access(for: chair.body, slack: slack) {
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
            // What keeps out even the chair that is smaller by all that the measures may be off;
            // for certain, if it does so however low a threshold is that nobody measured.
            if searches[access.reached] == nil {
                searches[access.reached] = try ObstructionSearch(
                    access.reached == .no
                        ? dwelling.hopeful.off(by: Dwelling.best(slack)) : dwelling,
                    chair.body.grown(by: -slack))
            }
            if let obstruction = try searches[access.reached]?.obstruction(of: access.room) {
                found.blockedBy = obstruction.ids
                if !obstruction.ids.isEmpty {
                    found.obstruction = phrases.list(obstruction.ids.map(cause))
                } else if !obstruction.isLeast {
                    found.obstruction = phrases.say(.tooMuch)
                } else if access.reached == .uncertain, !covered.isEmpty {
                    found.obstruction = phrases.say(.byFloor, ["item": covered])
                } else {
                    let fits = room.polygon.hasPlace(for: chair.body.grown(by: -slack))
                    found.obstruction =
                        fits && access.reached == .no && !closed.isEmpty
                        ? closed : phrases.say(fits ? .noWayThere : .roomTooSmall)
                }
            } else {
                // It is uncertain. Whatever keeps a slightly larger chair out shows where to
                // measure.
                if wider == nil {
                    wider = try ObstructionSearch(
                        dwelling.feared.off(by: Dwelling.worst(slack)),
                        chair.body.grown(by: closeness + slack), seen: fewSeen)
                }
                let ids = try wider?.obstruction(of: access.room)?.ids ?? []
                found.obstruction =
                    ids.isEmpty
                    ? phrases.say(.tightBend)
                    : phrases.say(.tightAt, ["item": phrases.list(ids.map(cause))])
            }
        }
        rooms.append(found)
    }
    return rooms.sorted { ($0.name, $0.room) < ($1.name, $1.room) }
}

/// The rooms of a dwelling without an entrance, if another dwelling has one.
private func unreachedRooms(
    _ plan: FloorPlan, _ chair: PersonChair, _ phrases: Words<FindingPhrase>
) -> [RoomReach] {
    turnedRooms(plan, chair, 0, phrases).map { room in
        var room = room
        (room.reached, room.turned) = (.fail, .fail)
        room.obstruction = phrases.say(.noWayThere)
        return room
    }
}

/// How much larger a chair must be to certainly not get through where it is uncertain whether this
/// one does, in millimetres: the error of the coarser grid.
private let closeness = 60.0
/// How many items and doors are examined to find where to measure.
private let fewSeen = 20_000

extension Dwelling {
    /// What stops a chair at the entrances, in words; empty unless all of them are certainly too
    /// narrow for it, and one because something is in the way that the search can't remove, such
    /// as a wall.
    fileprivate func closedEntrances(
        _ chair: PersonChair, _ slack: Double, _ phrases: Words<FindingPhrase>
    ) -> String {
        let entrances = plan.openings.values.filter { $0.entrance && $0.isPassable }
        let narrow = doors(tooNarrowFor: chair.wholeWidth, slack: slack)
            .filter { $0.isCertain && plan.openings[$0.id]?.entrance == true }
        guard narrow.count == entrances.count, narrow.count <= ObstructionSearch.mostNamed,
            narrow.contains(where: { $0.stoppedBy.map { !canRemove($0) } ?? false })
        else { return "" }
        return phrases.list(
            narrow.map { door in
                let thing = door.stoppedBy.flatMap(plan.item)
                return phrases.say(
                    thing == nil ? .byWidth : .byNarrowed,
                    [
                        "item": plan.item(door.id).map(phrases.quotedName) ?? "",
                        "thing": thing.map(phrases.obstacleName) ?? "",
                        "width": String(door.passage), "needed": String(chair.wholeWidth),
                    ])
            })
    }

    /// What keeps a chair out, and by which of its sizes.
    fileprivate func cause(
        _ id: String, _ chair: PersonChair, _ slack: Double, _ phrases: Words<FindingPhrase>
    ) -> String {
        guard let item = plan.item(id) else { return "" }
        let name = phrases.quotedName(item)
        guard case .opening(let opening) = item.item else { return name }
        let passage = passage(of: opening)
        let byWidth = phrases.say(
            .byWidth,
            [
                "item": name, "width": String(passage),
                "needed": String(Int(chair.body.width.rounded(.up))),
            ])
        // What it certainly can't get through counts, whatever else isn't known.
        guard Double(passage) + Double(opening.widthUncertainty) >= chair.body.width - slack else {
            return byWidth
        }
        guard !opening.isRiseUnknown else { return phrases.say(.byUnmeasured, ["item": name]) }
        let step = step(at: opening)
        if !off(by: Self.worst(slack)).isLow(opening) {
            if let ramp = poorRamp(at: opening) {
                return phrases.say(
                    .byRamp,
                    [
                        "item": name, "height": String(opening.rise),
                        "ramp": phrases.quotedName(PlanItem(item: .element(ramp))),
                    ])
            }
            return phrases.say(
                .byThreshold,
                [
                    "item": name, "height": String(step),
                    "most": String(terms.threshold),
                ])
        }
        return Double(passage) < chair.body.width + closeness + slack ? byWidth : name
    }
}

/// The rooms in which the chair could turn if it were there.
private func turnedRooms(
    _ plan: FloorPlan, _ chair: PersonChair, _ slack: Double, _ phrases: Words<FindingPhrase>
) -> [RoomReach] {
    let plans = plan.hasGuesses ? [plan.sized(.least), plan.sized(.most)] : [plan]
    let layouts = plans.map { PlanLayout($0) }
    func turned(_ room: Room, _ floor: FreeSpace) -> Verdict {
        let circle = 2 * (floor.largestCircle()?.radius ?? 0)
        return circle >= chair.turningDiameter + slack
            ? .pass
            : chair.body.turning(on: floor, room.polygon, circle: circle, slack: slack)
    }
    return plan.rooms.values.map { room in
        let verdicts = Set(
            layouts.flatMap { RoomFloor(room, in: $0).free(off: slack) }.map { turned(room, $0) })
        return RoomReach(
            room: room.id, name: phrases.name(PlanItem(item: .room(room))), reached: .unknown,
            turned: verdicts.count == 1 ? verdicts.first ?? .uncertain : .uncertain)
    }.sorted { ($0.name, $0.room) < ($1.name, $1.room) }
}

extension RoomFloor {
    /// The free floor for a chair if what it passes under is lower than measured, and if it is
    /// higher; only one where that makes no difference.
    fileprivate func free(off slack: Double) -> [FreeSpace] {
        let (worst, best) = (Dwelling.worst(slack), Dwelling.best(slack))
        let isSure = things(atHeightsOf: .person, off: worst).isEmpty
        return (isSure ? [0] : [worst, best]).map {
            free(FloorTerms.person.off(by: $0), for: .staying)
        }
    }
}

extension Polygon {
    /// True if there is a place for all of a chair inside, if nothing stands there.
    fileprivate func hasPlace(for chair: Chair) -> Bool {
        let shape = FloorShape.rectangle(chair.length, chair.width)
        return FreeSpace(areas: [self]).place(for: shape, step: .pi / 90) != nil
    }
}

extension Words<FindingPhrase> {
    /// Names in one phrase.
    func list(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        let first = names.dropLast().joined(separator: ", ")
        return first.isEmpty ? last : "\(first) \(say(.and)) \(last)"
    }
}
