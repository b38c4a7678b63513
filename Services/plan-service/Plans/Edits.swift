import FloorPlan
import Messages
import ServiceRuntime

/// The handlers that edit plans, undo, redo and list steps.
enum Edits {
    static var handlers: [MessageHandler] {
        [
            .command(edit, .member),
            .command(undo, .member),
            .command(redo, .member),
            .query(readHistory, .member),
        ]
    }

    /// The maximum number of actions in an edit.
    static let mostActions = ActionReader.mostActions
    /// The maximum number of changes in an answer, and about how many bytes of them.
    static let mostChanges = 200
    static let changeBytes = 400_000

    static func edit(_ command: EditPlan, in transaction: Transaction) throws -> PlanEdited {
        let row = try transaction.plan(command.plan)
        let seen = command.expectedRevision
        guard seen == 0 || seen == row.plan.revision else {
            throw Refusal.conflict(
                "the plan is at revision \(row.plan.revision) and your edit was made from "
                    + "\(seen); read it again"
            ).because(.changedSince)
        }
        guard (1...mostActions).contains(command.actions.count) else {
            throw Refusal.invalid(
                "an edit has 1 to \(mostActions) actions, not \(command.actions.count)")
        }
        try OrganisationLimits.requireRoom(in: row.plan.organisation, transaction.db)
        var reader = ActionReader(reserved: row.details.chair) {
            try LibraryHandling.find($0, for: row.plan.organisation, in: transaction)
        }
        var open = try row.take(transaction)
        let outcome = Result<OpenPlan.Made, any Error> {
            try open.make(command.actions, force: command.force) {
                try reader.complete($0, in: $1)
            }
        }
        guard case .success(let made) = outcome, !made.changes.isEmpty else {
            OpenPlans.shared.put(open, of: row)
            return PlanEdited(plan: row.plan, warnings: try outcome.get().warnings)
        }
        return try keep(made, open, row, in: transaction)
    }

    private static func keep(
        _ made: OpenPlan.Made, _ open: consuming OpenPlan, _ row: PlanRow,
        in transaction: Transaction
    ) throws -> PlanEdited {
        var row = row
        row.step += 1
        try ItemStore.save(made.changes, of: row.plan.id, transaction.db)
        row.plan.undoable = try StepStore.add(
            PlanStep(
                number: row.step, text: made.text, time: transaction.now,
                by: transaction.principal.name),
            made.changes, to: row.plan.id, transaction.db)
        row.plan.redoable = 0
        var warnings = made.warnings
        let changes = made.changes.map(\.change)
        warnings += row.lossOfChair(by: changes)
        try advance(&row, to: open, in: transaction)
        return answer(row, changes, warnings)
    }

    static func undo(_ command: UndoEdits, in transaction: Transaction) throws -> PlanEdited {
        let row = try transaction.plan(command.plan)
        try require(command.expectedRevision, in: row)
        let count = max(command.steps, 1)
        guard count <= row.plan.undoable else {
            throw Refusal.conflict(
                row.plan.undoable == 0
                    ? "there is no edit of the plan to undo"
                    : "only \(row.plan.undoable) edits can be undone")
        }
        let numbers = (0..<UInt64(count)).map { row.step - $0 }
        return try walk(row, along: numbers, by: -Int64(count), in: transaction) {
            $0.reversed().map(\.reversed)
        }
    }

    static func redo(_ command: RedoEdits, in transaction: Transaction) throws -> PlanEdited {
        let row = try transaction.plan(command.plan)
        try require(command.expectedRevision, in: row)
        let count = max(command.steps, 1)
        guard count <= row.plan.redoable else {
            throw Refusal.conflict(
                row.plan.redoable == 0
                    ? "there is nothing to redo"
                    : "only \(row.plan.redoable) edits can be redone")
        }
        let numbers = (1...UInt64(count)).map { row.step + $0 }
        return try walk(row, along: numbers, by: Int64(count), in: transaction) { $0 }
    }

    /// Refuses to undo or redo something in a revision other than the one that the sender has seen;
    /// 0 for any.
    private static func require(_ seen: UInt64, in row: PlanRow) throws(Refusal) {
        guard seen == 0 || seen == row.plan.revision else {
            throw .conflict(
                "the plan is at revision \(row.plan.revision) and no longer at \(seen); see what "
                    + "others have done: steward plan history")
        }
    }

    /// Walks through the steps of a plan one by one, because all of them together may be too large
    /// for the memory.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the steps.
    ///   - count: the number of steps; negative to undo them.
    ///   - turned: returns the changes to make for those of a step.
    private static func walk(
        _ row: PlanRow, along numbers: [UInt64], by count: Int64, in transaction: Transaction,
        _ turned: ([DrawnChange]) -> [DrawnChange]
    ) throws -> PlanEdited {
        var row = row
        var open = try row.take(transaction)
        var gathered = GatheredChanges()
        for number in numbers {
            let changes = turned(
                try StepStore.changes(of: number, in: row.plan.id, transaction.db))
            open.apply(changes)
            try ItemStore.save(changes, of: row.plan.id, transaction.db)
            gathered.add(changes.map(\.change))
        }
        row.step = UInt64(clamping: Int64(row.step) + count)
        row.plan.undoable = UInt32(Int64(row.plan.undoable) + count)
        row.plan.redoable = UInt32(Int64(row.plan.redoable) - count)
        try advance(&row, to: open, in: transaction)
        return answer(row, gathered.changes, row.lossOfChair(by: gathered.changes))
    }

    static func readHistory(
        _ query: ReadPlanHistory, in transaction: Transaction
    ) throws -> PlanHistory {
        let row = try transaction.plan(query.plan)
        var steps = try StepStore.all(
            of: row.plan.id, before: query.before == 0 ? .max : query.before,
            limit: pageLimit(query.limit, usual: 50, most: 500), transaction.db)
        for index in steps.indices { steps[index].undone = steps[index].number > row.step }
        return PlanHistory(steps: Page.first(of: steps))
    }

    // MARK: What the handlers share

    /// The next revision of a plan, with these items.
    private static func advance(
        _ row: inout PlanRow, to open: consuming OpenPlan, in transaction: Transaction
    ) throws {
        row.plan.revision += 1
        row.plan.items = UInt32(open.count)
        row.mark = "\(transaction.id)"
        row.sign(transaction)
        try row.keep(transaction)
        OpenPlans.shared.put(open, of: row)
    }

    private static func answer(
        _ row: PlanRow, _ changes: [ItemChange], _ warnings: [String]
    ) -> PlanEdited {
        var bytes = 0
        let told = changes.prefix(mostChanges).prefix {
            bytes += $0.packed().count
            return bytes <= changeBytes
        }
        return PlanEdited(
            plan: row.plan, changes: Array(told), changed: UInt32(changes.count),
            warnings: warnings)
    }
}

extension PlanRow {
    /// A remark if the plan's chair was removed: there are no findings about a chair until it comes
    /// back or another is chosen.
    fileprivate func lossOfChair(by changes: [ItemChange]) -> [String] {
        let chair = details.chair
        guard !chair.isEmpty, let change = changes.first(where: { $0.id == chair }),
            change.before?.isWheelchair == true, change.after?.isWheelchair != true
        else { return [] }
        return ["\(chair) was the chair that findings and routes are about; choose another"]
    }
}
