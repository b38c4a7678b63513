import FloorPlan
import Messages
import Phrases

/// A plan with the things of guessed size as small and as large as they may be, and with doors that
/// open nowhere, or in all ways in which they may be hung.
struct GuessedLayouts: Sendable {
    private(set) var least: PlanLayout
    private(set) var most: PlanLayout

    /// Nil if nothing is a guess.
    init?(_ plan: FloorPlan) {
        guard plan.hasGuesses else { return nil }
        least = PlanLayout(plan, supposing: .least)
        most = PlanLayout(plan, supposing: .most)
    }

    /// Applies a change, which the layout of the plan has already.
    mutating func apply(_ change: ItemChange, in layout: PlanLayout) {
        put(change, in: layout.plan)
        // How large something may be depends on its room.
        for case .room(let room)? in [change.before?.item, change.after?.item] {
            for id in layout.elements(meeting: room.polygon.bounds) {
                guard let item = layout.plan.item(id), item.isGuessed else { continue }
                put(ItemChange(before: item, after: item), in: layout.plan)
            }
        }
    }

    private mutating func put(_ change: ItemChange, in plan: FloorPlan) {
        func sized(_ size: GuessedSize) -> ItemChange {
            ItemChange(before: change.before, after: change.after?.sized(size, in: plan))
        }
        least.apply(sized(.least))
        most.apply(sized(.most))
    }

    /// The things of guessed size that may extend into some bounds, by id.
    private func things(meeting place: Bounds) -> [PlanItem] {
        most.elements(meeting: place).compactMap(most.plan.item).filter(\.isGuessed)
    }

    /// The doors of a room whose hanging is a guess, by id.
    private func doors(of room: Room) -> [PlanItem] {
        least.doorways(of: room).filter(\.opening.isUnhung)
            .map { PlanItem(item: .opening($0.opening)) }
    }

    /// What is guessed about a door and in its rooms, the door first.
    func things(around doorway: Doorway) -> [PlanItem] {
        let own = PlanItem(item: .opening(doorway.opening))
        let rooms = [doorway.rooms.left, doorway.rooms.right].compactMap { $0 }
            .compactMap { least.plan.rooms[$0] }
        let place = rooms.reduce(least.bounds(of: own) ?? Bounds([])) {
            $0.union($1.polygon.bounds)
        }
        let doors = rooms.flatMap(self.doors(of:)).filter { $0.id != own.id }
        return [own].filter(\.isGuessed) + things(meeting: place) + doors
    }

    /// The room with its guessed things at their smallest and at their largest, to be checked; nil
    /// if it has none.
    func surveys(of room: Room) -> GuessedSurveys? {
        let things = things(meeting: room.polygon.bounds) + doors(of: room)
        guard !things.isEmpty else { return nil }
        return GuessedSurveys(
            things: things, least: Survey(room, in: least), most: Survey(room, in: most))
    }

    /// What a rule finds for a door in whatever way it is hung, and however large things are.
    func others(
        _ doorway: Doorway, _ look: (Doorway, PlanLayout) -> Assessment?
    ) -> [Assessment?] {
        [least, most].flatMap { layout in doorway.hangings.map { look($0, layout) } }
    }
}

/// A room being checked with the things of guessed size as small and as large as they may be.
struct GuessedSurveys {
    let things: [PlanItem]
    private var least: Survey
    private var most: Survey

    init(things: [PlanItem], least: Survey, most: Survey) {
        (self.things, self.least, self.most) = (things, least, most)
    }

    /// A result for the room as it is drawn, but uncertain if it depends on these sizes.
    /// - Parameter isAsked: false if the rule may not apply.
    mutating func allow(
        for found: Assessment?, by judge: Judge, isAsked: Bool = true,
        _ look: (inout Survey) -> Assessment?
    ) -> Assessment? {
        let others = [look(&least), look(&most)] + (isAsked ? [] : [nil])
        return judge.allow(for: found, things, others)
    }
}

extension Judge {
    /// The most things that are named as guesses.
    static let mostNamed = 3

    /// The same, but uncertain if something else is found when things of guessed size are smaller
    /// or larger, or doors are hung in other ways. What a rule doesn't ask for then doesn't fail.
    func allow(
        for drawn: Assessment?, _ things: [PlanItem], _ others: [Assessment?]
    ) -> Assessment? {
        let named = things.prefix(Self.mostNamed).map { item -> Said<FindingPhrase> in
            let phrase: FindingPhrase =
                if case .opening = item.item { .unhung } else { .sizeUnmeasured }
            return Said(phrase, ["item": phrases.nameValue(item)])
        }
        return allow(for: drawn, because: named, others)
    }

    /// The same for other things that aren't known, in sentences.
    func allow(
        for drawn: Assessment?, because named: [Said<FindingPhrase>], _ others: [Assessment?]
    ) -> Assessment? {
        let failing = others.lazy.compactMap { $0 }.first { $0.verdict == .fail }
        guard let found = drawn ?? failing else { return nil }
        let isAskedAlways = drawn != nil && !others.contains { $0 == nil }
        let others = others.compactMap { $0 }
        guard let first = named.first else { return drawn }
        var result = found
        let isDecided = found.verdict == .pass || found.verdict == .fail
        let isOther = others.contains { $0.verdict != found.verdict }
        if isDecided, isOther || found.verdict == .fail && !isAskedAlways {
            (result.verdict, result.measured, result.margin) = (.uncertain, nil, nil)
            result.text = named
        }
        guard let person = found.person, person.verdict == .pass || person.verdict == .fail,
            others.compactMap(\.person).contains(where: { $0.verdict != person.verdict })
        else { return result }
        result.person = ChairAssessment(
            verdict: .uncertain, text: first, goesBySize: person.goesBySize)
        return result
    }
}

extension PlanInspection {
    /// Applies a change, which the plan has already, to the plans with other sizes.
    mutating func applyToGuesses(_ change: ItemChange) {
        if guesses == nil, change.after?.isGuessed == true {
            guesses = GuessedLayouts(layout.plan)
        } else {
            guesses?.apply(change, in: layout)
        }
    }
}
