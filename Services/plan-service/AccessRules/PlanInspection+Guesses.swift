import FloorPlan
import Messages
import Phrases

/// A plan with the things of guessed size as small and as large as they may be.
struct GuessedLayouts: Sendable {
    private(set) var least: PlanLayout
    private(set) var most: PlanLayout

    /// Nil if no size is a guess.
    init?(_ plan: FloorPlan) {
        guard plan.hasGuesses else { return nil }
        least = PlanLayout(plan.sized(.least))
        most = PlanLayout(plan.sized(.most))
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
    private func things(meeting place: Bounds) -> [Element] {
        most.elements(meeting: place).compactMap { most.plan.elements[$0] }.filter(\.isGuessed)
    }

    /// Those that may be in one of the rooms of a door, or in its way.
    func things(around doorway: Doorway) -> [Element] {
        let opening = least.bounds(of: PlanItem(item: .opening(doorway.opening))) ?? Bounds([])
        let place = [doorway.rooms.left, doorway.rooms.right].compactMap { $0 }
            .compactMap { least.plan.rooms[$0]?.polygon.bounds }
            .reduce(opening) { $0.union($1) }
        return things(meeting: place)
    }

    /// What is found of a room if they are so small or large; nil if there are none.
    func surveys(of room: Room) -> GuessedSurveys? {
        let things = things(meeting: room.polygon.bounds)
        guard !things.isEmpty else { return nil }
        return GuessedSurveys(
            things: things, least: Survey(room, in: least), most: Survey(room, in: most))
    }
}

/// A room being checked with the things of guessed size as small and as large as they may be.
struct GuessedSurveys {
    let things: [Element]
    private var least: Survey
    private var most: Survey

    init(things: [Element], least: Survey, most: Survey) {
        (self.things, self.least, self.most) = (things, least, most)
    }

    /// A result for the room as it is drawn, but uncertain if it depends on these sizes.
    mutating func allow(
        for found: Assessment?, by judge: Judge, _ look: (inout Survey) -> Assessment?
    ) -> Assessment? {
        guard let found else { return nil }
        return judge.allow(for: found, things, [look(&least), look(&most)])
    }
}

extension Judge {
    /// The most things that are named as of unknown size.
    private static let mostNamed = 3

    /// The same, but uncertain if something else is found when things of guessed size are smaller
    /// or larger.
    func allow(
        for found: Assessment, _ things: [Element], _ others: [Assessment?]
    ) -> Assessment {
        let others = others.compactMap { $0 }
        let named = things.prefix(Self.mostNamed).map { thing -> Said<FindingPhrase> in
            Said(.sizeUnmeasured, ["item": phrases.nameValue(PlanItem(item: .element(thing)))])
        }
        guard let first = named.first else { return found }
        var result = found
        let isDecided = found.verdict == .pass || found.verdict == .fail
        if isDecided, others.contains(where: { $0.verdict != found.verdict }) {
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
