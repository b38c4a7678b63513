import Messages

extension ShiftState {
    /// Applies an operation to the state. It never fails for what the service has accepted: an
    /// operation that can't have an effect is still kept in ``log``. An operation that was already
    /// applied changes nothing.
    ///
    /// An operation without a sequence has not been accepted by the service yet: it has its effect,
    /// and ``head`` stays.
    package mutating func apply(_ operation: ShiftOperation) {
        let id = MessageID(bytes: operation.id)
        if let id, places[id] != nil { return }
        let stamp = Stamp(operation, started: shift.started, place: log.count)
        if let id { places[id] = log.count }
        log.append(operation)
        head = max(head, operation.sequence)
        if operation.deviceSequence > 0 {
            devices[operation.device, default: 0] = max(
                devices[operation.device] ?? 0, operation.deviceSequence)
        }
        guard !operation.late else {
            appendix.append(operation)
            // Its number is used up, so that it never means another to-do.
            if case .addTodo(let content) = operation.change { _ = numbers.claim(content.number) }
            return
        }
        fold(operation, stamp)
    }

    /// The sequence after which a reader asks for more: that of the operation before the newest,
    /// so that the answer begins with the newest and proves that the history is still the same.
    package var readAfter: UInt64 { log.dropLast().last?.sequence ?? 0 }

    /// Applies what the service has after ``readAfter``.
    ///
    /// - Returns: false if it has another history, because an older backup was restored. Then the
    ///   shift has to be read again.
    package mutating func follow(_ page: OperationPage) -> Bool {
        let before = head
        // Not everyone gets all operations of an ended shift, but everyone gets its end.
        if !log.isEmpty, page.ended == 0 {
            guard let first = page.operations.first, let known = operation(first.id),
                known.isRecorded(as: first)
            else { return false }
        }
        for operation in page.operations { apply(operation) }
        return page.ended == 0 || !isOpen || head > before
    }

    private mutating func fold(_ operation: ShiftOperation, _ stamp: Stamp) {
        switch operation.change {
        case nil: break
        case .begun(let begun): for todo in begun.todos { carry(todo, stamp) }
        case .carry(let carried): carry(carried.todo, stamp)
        case .mark(let mark):
            let state = TaskState(mark.finding, reason: mark.notApplicable)
            let made = TaskMark(
                state: state, reason: mark.notApplicable, answer: mark.answer, stamp: stamp,
                isReview: false)
            self.mark(TaskKey(list: mark.list, task: mark.task), made, operation.id)
        case .review(let review):
            let made = TaskMark(
                state: TaskState(review.finding, reason: ""), reason: "", answer: nil,
                stamp: stamp, isReview: true)
            self.mark(TaskKey(list: review.list, task: review.task), made, operation.id)
        case .note(let note):
            guard let task = lists.position(of: TaskKey(list: note.list, task: note.task)) else {
                return
            }
            tasks[task].notes.append(ShiftNote(text: note.text, stamp: stamp))
        case .addTodo(let content): add(content, stamp, operation.id)
        case .markTodo(let mark): markTodo(mark, stamp, operation.id)
        case .changeTodo(let change): changeTodo(change.todo) { $0.change(change, stamp) }
        case .noteTodo(let note):
            changeTodo(note.todo) { $0.notes.append(ShiftNote(text: note.text, stamp: stamp)) }
        case .beginTravelPath:
            beginnings.append(TravelPathBeginning(id: operation.id, stamp: stamp))
        case .logTravelPath(let log):
            walks.append(
                TravelPathWalk(id: operation.id, begun: log.begun, text: log.text, stamp: stamp))
        case .figure(let figure): enter(figure, stamp, operation.id)
        case .letCrew(let change): letCrew(change)
        case .ended(let done):
            self.done = done
            shift.ended = operation.time
        }
    }

    private mutating func mark(_ key: TaskKey, _ mark: TaskMark, _ id: [UInt8]) {
        guard let task = lists.position(of: key), lists.tasks[task].isLeaf else { return }
        contradictions += tasks[task].contradicted(by: mark.state, mark.stamp).map { other in
            Contradiction(
                subject: .task(key), first: .init(value: .task(other.state), stamp: other.stamp),
                second: .init(value: .task(mark.state), stamp: mark.stamp), operation: id)
        }
        tasks[task].mark(mark)
    }

    private mutating func add(_ content: AddTodo, _ stamp: Stamp, _ id: [UInt8]) {
        guard let id = MessageID(bytes: id)?.description else { return }
        var record = TodoRecord(content)
        record.open(stamp, anew: true)
        if !content.note.isEmpty { record.notes = [ShiftNote(text: content.note, stamp: stamp)] }
        ownTodoPositions[id] = ownTodos.count
        ownTodos.append(
            OwnTodo(
                id: id, number: numbers.claim(content.number), content: content, made: stamp,
                record: record))
    }

    /// Takes over a to-do of an earlier shift.
    private mutating func carry(_ todo: CarriedTodo, _ stamp: Stamp) {
        guard ownTodoPositions[todo.id] == nil else { return }
        ownTodoPositions[todo.id] = ownTodos.count
        ownTodos.append(
            OwnTodo(todo, number: numbers.claim(todo.content.number), carriedBy: stamp))
    }

    mutating func changeTodo(_ id: String, _ change: (inout TodoRecord) -> Void) {
        if let own = ownTodoPositions[id] {
            change(&ownTodos[own].record)
        } else if let task = TaskKey(todo: id).flatMap(lists.position) {
            change(&tasks[task].todo)
        }
    }
}

extension ShiftOperation {
    /// True if this is an operation of the same history. After an older backup was restored, it may
    /// have been recorded once more, in the same place but at another time.
    package func isRecorded(as other: ShiftOperation) -> Bool {
        (id, sequence, time) == (other.id, other.sequence, other.time)
    }
}
