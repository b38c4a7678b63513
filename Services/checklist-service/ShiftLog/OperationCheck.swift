import Messages

extension ShiftState {
    /// Validates an operation that a device sent.
    ///
    /// The caller first looks for an operation that was already accepted, with ``operation(_:)``.
    /// An operation isn't refused because its author did not know those of others.
    ///
    /// - Throws: what is wrong, where, and how to fix it.
    package func validate(_ operation: ShiftOperation) throws(Refusal) {
        guard MessageID(bytes: operation.id) != nil else {
            throw Refusal.invalid("an operation's id has 16 bytes, not \(operation.id.count)")
                .because(.operationUnknown)
        }
        guard operation.shift == shift.id else {
            throw Refusal.invalid("the operation belongs to a shift other than \(shift.id)")
                .because(.operationUnknown)
        }
        try validateText(operation.device, "the device's name", 1...100)
        let wanted = newestNumber(of: operation.device) + 1
        guard operation.deviceSequence == wanted else {
            throw .conflict(
                "operation \(wanted) of the device \(operation.device) is expected next, not "
                    + "\(operation.deviceSequence)")
        }
        guard MessageTime.range.contains(operation.deviceTime) else {
            throw Refusal.invalid(
                "the clock of the device \(operation.device) is not in 1970 to 9999"
            ).because(.deviceClock)
        }
        guard operation.seen <= head else {
            throw Refusal.conflict(
                "the device \(operation.device) has seen operation \(operation.seen), but the "
                    + "newest of the shift is \(head): load the shift again"
            ).because(.logBehind)
        }
        try validateChange(operation.change)
    }

    /// The maximum number of operations of an account in a shift: one every two seconds for twelve
    /// hours.
    package static let mostOperations = 20_000

    /// Validates the number of operations of an account. The state is computed from all of them
    /// again and again, so one account could make the shift slow for everyone. Refused ones count,
    /// too, because they are remembered.
    ///
    /// - Parameters:
    ///   - operations: the operations that were sent.
    ///   - account: the account.
    ///   - refused: the ids of its operations that were refused before.
    /// - Throws: what is wrong, and how to go on. What was answered before may be sent again.
    package func validateRoom(
        for operations: [ShiftOperation], of account: String, refused: Set<[UInt8]> = []
    ) throws(Refusal) {
        let made = log.count { $0.actor == account } + refused.count
        guard made + operations.count > Self.mostOperations else { return }
        let known = refused.union(log.map(\.id))
        let new = operations.count { !known.contains($0.id) }
        guard new > 0, made + new > Self.mostOperations else { return }
        throw Refusal.conflict(
            "this account has recorded \(made) operations in the shift, and at most "
                + "\(Self.mostOperations) are possible; end the shift and begin the next one, or "
                + "record with another account"
        ).because(.operationLimit, ["most": "\(Self.mostOperations)"])
    }

    private func validateChange(_ change: ShiftOperation.Change?) throws(Refusal) {
        switch change {
        case .mark(let mark): try validate(mark)
        case .note(let note):
            _ = try task(note.list, note.task)
            try validateText(note.text, "a note", 1...1_000)
        case .addTodo(let todo): try validate(todo)
        case .markTodo(let mark):
            try validateTodo(mark.todo)
            guard TodoMark.known.contains(mark.mark) else {
                throw Refusal.invalid("a to-do is marked open, done or removed")
                    .because(.operationUnknown)
            }
        case .changeTodo(let change): try validate(change)
        case .noteTodo(let note):
            try validateTodo(note.todo)
            try validateText(note.text, "a note", 1...1_000)
        case .beginTravelPath: break
        case .logTravelPath(let log):
            try validateBeginning(log.begun)
            try validateText(log.text, "what was seen on a travel path", 0...1_000)
        case .figure(let figure): try validate(figure)
        case .review(let review):
            let task = try leaf(review.list, review.task)
            try validate(review.finding, of: task)
        case .letCrew(let change): try validate(change)
        case .begun, .ended, .carry:
            throw Refusal.invalid("only the service begins and ends a shift")
                .because(.operationUnknown)
        case nil:
            throw Refusal.invalid("the operation says nothing that this version knows")
                .because(.operationUnknown)
        }
    }

    private func validate(_ mark: MarkTask) throws(Refusal) {
        let task = try leaf(mark.list, mark.task)
        try validate(mark.finding, of: task)
        try validateAnswer(mark, of: task)
        guard !mark.notApplicable.isEmpty else { return }
        guard mark.finding == .unspecified else {
            throw Refusal.invalid(
                "the task \(task.key.todo) is either found \(mark.finding) or doesn't apply"
            ).because(.operationUnknown)
        }
        try validateText(mark.notApplicable, "why a task doesn't apply", 1...200)
    }

    /// Refuses a mark whose answer is missing, of another kind, or contradicts the mark. A task
    /// that can't be answered, such as the temperature of a broken fridge, may be not ok without an
    /// answer.
    private func validateAnswer(_ mark: MarkTask, of task: ListedTask) throws(Refusal) {
        let name = "the task “\(task.key.task)”"
        guard let rule = task.task.answer else {
            guard mark.answer == nil else {
                throw Refusal.invalid("\(name) asks for no answer").because(.answerWrong)
            }
            return
        }
        guard let answer = mark.answer else {
            guard mark.finding != .ok else {
                throw Refusal.invalid("\(name) asks for \(rule.wanted)").because(.answerMissing)
            }
            return
        }
        try rule.validate(answer, name)
        guard mark.finding != .unspecified else {
            throw Refusal.invalid("\(name): an answer comes with a finding")
                .because(.operationUnknown)
        }
        guard mark.finding == .notOk || !rule.fails(answer) else {
            throw Refusal.invalid("\(name): \(rule.text(of: answer)) means that it is not ok")
                .because(.answerFinding)
        }
    }

    private func validate(_ finding: Finding, of task: ListedTask) throws(Refusal) {
        switch finding {
        case .unspecified, .ok: break
        case .notOk:
            guard lists.allowsNotOk(task) else {
                throw Refusal.invalid(
                    "the task \(task.key.todo) is done or not: only tasks of pre-shift and travel "
                        + "path lists can be not ok; add a to-do instead"
                ).because(.taskFinding)
            }
        case .unrecognized(let number):
            throw Refusal.invalid("the finding \(number) isn't known to this version")
                .because(.operationUnknown)
        }
    }

    private func validate(_ todo: AddTodo) throws(Refusal) {
        try todo.validateTexts()
        try todo.validatePlace(in: settings, areas: shift.areas)
        try validateBeginning(todo.travelPath)
    }

    private func validate(_ change: ChangeTodo) throws(Refusal) {
        try validateTodo(change.todo)
        try change.validate(in: settings)
    }

    private func validate(_ figure: EnterFigure) throws(Refusal) {
        guard figure.hour < 24 else {
            throw Refusal.invalid("an hour is 0 to 23, not \(figure.hour)")
                .because(.figureWrong)
        }
        guard (0...Self.greatestFigure).contains(figure.value) else {
            throw Refusal.invalid(
                "a figure is 0 to \(Self.greatestFigure), not \(figure.value)"
            ).because(.figureWrong)
        }
        switch figure.kind {
        case .salesPlanned, .salesActual, .crewPlanned, .crewActual:
            guard figure.name.isEmpty else {
                throw Refusal.invalid("only a measurement of service has a name of its own")
                    .because(.operationUnknown)
            }
        case .service: try validateText(figure.name, "a measurement's name", 1...60)
        case .unspecified, .unrecognized:
            throw Refusal.invalid("what the figure measures isn't known to this version")
                .because(.operationUnknown)
        }
    }

    /// The maximum figure: the sum of a year of such figures still fits into 64 bits.
    private static let greatestFigure: Int64 = 1_000_000_000_000

    private func task(_ list: String, _ task: String) throws(Refusal) -> ListedTask {
        guard let template = lists.template(list) else {
            throw Refusal.notFound("the shift doesn't use a list “\(list)”")
                .because(.taskMissing)
        }
        guard let found = lists.task(TaskKey(list: list, task: task)) else {
            throw Refusal.notFound("the list “\(template.name)” has no task “\(task)”")
                .because(.taskMissing)
        }
        return found
    }

    private func leaf(_ list: String, _ task: String) throws(Refusal) -> ListedTask {
        let found = try self.task(list, task)
        guard found.isLeaf else {
            let children = found.children.map { lists.tasks[$0].task.id }
            throw Refusal.invalid(
                "the task “\(task)” has no state of its own: mark "
                    + children.joined(separator: ", ")
            ).because(.taskParent)
        }
        return found
    }

    /// Refuses an unknown to-do. One that was added after the end is only in the appendix, and so
    /// are the operations on it.
    private func validateTodo(_ id: String) throws(Refusal) {
        if ownTodoPositions[id] != nil { return }
        if let added = MessageID(id), case .addTodo = operation(added.bytes)?.change { return }
        if let task = TaskKey(todo: id).flatMap(lists.task), task.isLeaf, lists.allowsNotOk(task) {
            return
        }
        throw Refusal.notFound("there is no to-do “\(id)”").because(.todoMissing)
    }

    private func validateBeginning(_ id: [UInt8]) throws(Refusal) {
        if id.isEmpty { return }
        guard case .beginTravelPath = operation(id)?.change else {
            throw Refusal.notFound("the beginning of that travel path isn't in the shift")
                .because(.pathMissing)
        }
    }
}
