import FloorPlan
import Messages

/// A thing in a plan and its place in the drawing order.
struct DrawnItem: Hashable, Sendable {
    let position: Int64
    let item: PlanItem
}

/// A change of a thing that has, or had, this place in the drawing order.
struct DrawnChange: Hashable, Sendable {
    let change: ItemChange
    let position: Int64

    var reversed: DrawnChange { DrawnChange(change: change.reversed, position: position) }
}

/// A plan with its contents, ready to be edited.
struct OpenPlan: Sendable {
    /// The maximum number of things in a plan.
    static let mostItems = 10_000
    /// The maximum number of corners of all rooms together: drawing a plan takes memory and time
    /// for each.
    static let mostCorners = 50_000

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

    /// Everything in it, in drawing order.
    var items: [DrawnItem] {
        plan.order.compactMap { id in
            guard let position = plan.place(of: id), let item = plan.item(id) else { return nil }
            return DrawnItem(position: position, item: item)
        }
    }

    /// Makes an edit, completely or not at all.
    ///
    /// - Parameters:
    ///   - actions: the actions, in order.
    ///   - force: whether things may overlap afterwards.
    ///   - complete: completes an action: chooses ids and looks things up.
    /// - Throws: a refusal of the action that can't be done; nothing is changed then.
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
        if let refusal = refusal(after: outcome.changes) {
            editor.apply(outcome.changes.reversed)
            editor.forgetPlaces(of: outcome.changes)
            throw refusal
        }
        let changes = outcome.changes.map {
            DrawnChange(change: $0, position: plan.place(of: $0.id) ?? 0)
        }
        // A removed thing comes back at the place kept in its step, or else as a new thing.
        editor.forgetPlaces(of: outcome.changes)
        return Made(
            changes: changes, text: StepWords.sentence(words, of: actions.count),
            warnings: Array(
                (outcome.warnings + outcome.crossings).prefix(PlanEditor.mostWarnings)))
    }

    /// The refusal of changes that made the plan too large; nil if it isn't. A plan from before
    /// the limit may keep its corners, but gets no more.
    private func refusal(after changes: [ItemChange]) -> Refusal? {
        if plan.count > Self.mostItems { return .tooManyItems }
        let more = changes.reduce(0) {
            $0 + ($1.after?.cornerCount ?? 0) - ($1.before?.cornerCount ?? 0)
        }
        guard more > 0 else { return nil }
        let corners = plan.rooms.values.reduce(0) { $0 + $1.corners.count }
        return corners > Self.mostCorners ? .tooManyCorners : nil
    }

    /// Makes changes that were made before, or undoes them.
    mutating func apply(_ changes: [DrawnChange]) {
        let places = Dictionary(changes.map { ($0.change.id, $0.position) }) { $1 }
        editor.apply(changes.map(\.change), at: places)
        editor.forgetPlaces(of: changes.map(\.change))
    }
}

extension PlanItem {
    /// The number of its corners if it is a room.
    fileprivate var cornerCount: Int {
        if case .room(let room) = item { room.corners.count } else { 0 }
    }
}

extension Refusal {
    /// A plan has a maximum size.
    static var tooManyItems: Refusal {
        .invalid(
            "a plan has at most \(OpenPlan.mostItems) things; draw the rest in a plan of its own")
    }

    /// The outlines of its rooms too.
    static var tooManyCorners: Refusal {
        .invalid(
            "the rooms of a plan have at most \(OpenPlan.mostCorners) corners together; draw "
                + "simpler outlines, or the rest in a plan of its own")
    }
}
