import FloorPlan
import Messages

/// A thing of a plan and its place in the order of drawing.
struct DrawnItem: Hashable, Sendable {
    let position: Int64
    let item: PlanItem
}

/// A change of a thing that has, or had, this place in the order of drawing.
struct DrawnChange: Hashable, Sendable {
    let change: ItemChange
    let position: Int64

    var reversed: DrawnChange { DrawnChange(change: change.reversed, position: position) }
}

/// A plan with what is in it, ready to be edited.
struct OpenPlan: Sendable {
    /// Most things in a plan.
    static let mostItems = 10_000

    private(set) var editor: PlanEditor

    /// A plan with these things.
    init(_ items: [DrawnItem]) {
        editor = PlanEditor(FloorPlan(drawn: items.lazy.map { ($0.position, $0.item) }))
    }

    /// What an edit did.
    struct Made: Sendable {
        /// One change for each thing.
        let changes: [DrawnChange]
        /// What was done, in words.
        let text: String
        /// What a person should know although it is allowed.
        let warnings: [String]
    }

    var plan: FloorPlan { editor.plan }

    /// How many things are in it.
    var count: Int { plan.count }

    /// Everything in it, in the order of drawing.
    var items: [DrawnItem] {
        plan.order.compactMap { id in
            guard let position = plan.place(of: id), let item = plan.item(id) else { return nil }
            return DrawnItem(position: position, item: item)
        }
    }

    /// Does what is asked for, all of it or nothing.
    ///
    /// - Parameters:
    ///   - actions: what is asked for, in order.
    ///   - force: things may stand in each other afterwards.
    ///   - complete: what an action left open is chosen or looked up.
    /// - Throws: the refusal of the action that can't be done; nothing is changed then.
    mutating func make(
        _ actions: [PlanAction], force: Bool,
        complete: (PlanAction, FloorPlan) throws -> PlanAction
    ) throws -> Made {
        var words: [String] = []
        let outcome = try editor.make(actions.count, force: force) { number, plan in
            guard plan.count <= Self.mostItems else { throw Refusal.tooManyItems }
            let action = try complete(actions[number], plan)
            if words.count < StepWords.most { words.append(action.words(in: plan)) }
            return action
        }
        guard editor.plan.count <= Self.mostItems else {
            editor.apply(outcome.changes.reversed)
            editor.forgetPlaces(of: outcome.changes)
            throw Refusal.tooManyItems
        }
        let changes = outcome.changes.map {
            DrawnChange(change: $0, position: plan.place(of: $0.id) ?? 0)
        }
        // What was removed comes back at the place that its step has kept, or as something new.
        editor.forgetPlaces(of: outcome.changes)
        return Made(
            changes: changes, text: StepWords.sentence(words, of: actions.count),
            warnings: outcome.warnings)
    }

    /// Makes changes that were made before, or takes them back.
    mutating func apply(_ changes: [DrawnChange]) {
        let places = Dictionary(changes.map { ($0.change.id, $0.position) }) { $1 }
        editor.apply(changes.map(\.change), at: places)
        editor.forgetPlaces(of: changes.map(\.change))
    }
}

extension Refusal {
    /// A plan holds only so much.
    static var tooManyItems: Refusal {
        .invalid(
            "a plan has at most \(OpenPlan.mostItems) things; draw the rest in a plan of its own")
    }
}
