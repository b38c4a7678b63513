import ArgumentParser
import Bus
import FloorPlan
import Messages
import PlanSpeech
import Speech
import Terminal

/// A command that changes the items of a plan. Scripts accept it too, see ``PlanScript``.
protocol PlanEditCommand: ParsableCommand {
    /// The plan, and how the edit is sent.
    var options: PlanEditOptions { get set }

    /// The actions of the edit.
    ///
    /// - Parameter plan: the plan before the edit, for actions that refer to its items.
    func actions(_ plan: PlanAtHand) throws -> [PlanAction]
}

extension PlanEditCommand {
    func run() throws { try options.edit(actions) }
}

/// The options of every edit.
struct PlanEditOptions: ParsableArguments {
    @OptionGroup var target: PlanOption
    @Flag(help: "Allow things to overlap.")
    var force = false
    @OptionGroup var repeating: RepeatOptions
    @OptionGroup var output: OutputOptions

    /// True if an option is given that a line of a script can't have.
    var isForOneCommand: Bool {
        target.named != nil || force || repeating.id != nil || output.json
    }

    /// Makes an edit and prints what it did.
    func edit(_ actions: (PlanAtHand) throws -> [PlanAction]) throws {
        let session = try Session()
        let name = try target.plan(session)
        let reply = try repeating.retrying { version in
            // The plan is read only if an action needs it.
            var seen: UInt64?
            let plan = PlanAtHand(
                {
                    let read = try PlanContentsRead(name, session)
                    seen = read.plan.revision
                    return read.drawing
                }, placing: session.placeable)
            let actions = try actions(plan)
            version = seen
            return try session.askPlan(
                EditPlan(plan: name, expectedRevision: seen ?? 0, actions: actions, force: force),
                for: PlanEdited.self, repeating: repeating)
        } version: {
            try PlanContentsRead(name, session).plan.revision
        }
        try Self.show(reply, session, output)
    }

    /// Prints what an edit did: each item, then remarks.
    static func show(_ edited: PlanEdited, _ session: Session, _ output: OutputOptions) throws {
        if output.json { return try session.printer.json(.edits, [edited]) }
        for line in PlanWords.lines(edited) { session.printer.result(line) }
        for warning in edited.warnings { session.printer.remark("note: \(warning.printable)") }
    }
}

/// The name and the id of a new item.
struct NewItemOptions: ParsableArguments {
    @Option(help: "Its name, for people.")
    var label: String = ""
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Its id in the plan. Default: what it is and the next number, e.g. bed-2.",
            valueName: "id"))
    var id: String = ""
}

extension EditPlan {
    /// An edit of a plan as it was read. It is refused if somebody has changed the plan since, even
    /// when it is repeated under its id. If it was already made, repeating it only returns the same
    /// answer.
    init(of plan: Plan, _ actions: [PlanAction], force: Bool = false) {
        self.init(
            plan: plan.id, expectedRevision: plan.revision, actions: actions, force: force)
    }
}

extension PlanAction {
    /// Adds items.
    static func add(_ items: [PlanItem.Item]) -> PlanAction {
        PlanAction(action: .add(AddItems(items: items.map { PlanItem(item: $0) })))
    }

    /// Replaces an item, which keeps its id.
    static func replace(_ item: PlanItem.Item) -> PlanAction {
        PlanAction(action: .replace(PlanItem(item: item)))
    }
}
