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
    private var positions: [String: Int64]
    private var newest: Int64

    /// A plan with these things.
    init(_ items: [DrawnItem]) {
        editor = PlanEditor(FloorPlan(items.map(\.item)))
        positions = Dictionary(items.map { ($0.item.id, $0.position) }) { $1 }
        newest = items.map(\.position).max() ?? 0
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
    var count: Int { positions.count }

    /// Everything in it, in the order of drawing.
    var items: [DrawnItem] {
        positions.compactMap { id, position in
            editor.plan.item(id).map { DrawnItem(position: position, item: $0) }
        }.sorted { $0.position < $1.position }
    }

    /// Does what is asked for, all of it or nothing.
    ///
    /// - Parameters:
    ///   - actions: what is asked for, in order.
    ///   - force: things may stand in each other afterwards.
    ///   - read: makes an edit of the plan of an action.
    /// - Throws: the refusal of the action that can't be done; nothing is changed then.
    mutating func make(
        _ actions: [PlanAction], force: Bool,
        read: (PlanAction, FloorPlan) throws -> PlanEdit
    ) throws -> Made {
        var words: [String] = []
        let outcome = try editor.make(actions.count, force: force) { number, plan in
            guard plan.count <= Self.mostItems else { throw Refusal.tooManyItems }
            let edit = try read(actions[number], plan)
            if words.count < StepWords.most { words.append(edit.words(in: plan)) }
            return edit
        }
        guard editor.plan.count <= Self.mostItems else {
            editor.apply(outcome.changes.reversed)
            throw Refusal.tooManyItems
        }
        return Made(
            changes: place(outcome.changes), text: StepWords.sentence(words, of: actions.count),
            warnings: Array(outcome.warnings.prefix(Self.mostWarnings)))
    }

    /// So many warnings are told.
    static let mostWarnings = 50

    /// Makes changes that were made before, or takes them back.
    mutating func apply(_ changes: [DrawnChange]) {
        editor.apply(changes.map(\.change))
        for drawn in changes {
            positions[drawn.change.id] = drawn.change.after == nil ? nil : drawn.position
            newest = max(newest, drawn.position)
        }
    }

    /// Gives what is new its place; all else keeps its own.
    private mutating func place(_ changes: [ItemChange]) -> [DrawnChange] {
        changes.map { change in
            let id = change.id
            if change.before == nil {
                newest += 1
                positions[id] = newest
            }
            let position = positions[id] ?? newest
            if change.after == nil { positions[id] = nil }
            return DrawnChange(change: change, position: position)
        }
    }
}

/// Changes one after another, as one change for each thing, in the order of the first.
struct GatheredChanges {
    private var all: [ItemChange] = []
    private var places: [String: Int] = [:]

    /// What it comes to; what ends as it began is no change.
    var changes: [ItemChange] { all.filter { $0.before != $0.after } }

    mutating func add(_ changes: [ItemChange]) {
        for change in changes {
            if let place = places[change.id] {
                all[place].after = change.after
            } else {
                places[change.id] = all.count
                all.append(change)
            }
        }
    }
}

extension Refusal {
    /// A plan holds only so much.
    static var tooManyItems: Refusal {
        .invalid(
            "a plan has at most \(OpenPlan.mostItems) things; draw the rest in a plan of its own")
    }
}
