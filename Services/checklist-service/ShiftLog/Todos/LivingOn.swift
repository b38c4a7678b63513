import Messages

extension ShiftState {
    /// The to-dos that are open and outlast the shift, in the form in which the next one gets them.
    ///
    /// - Parameter number: gives the to-do of a task the number that it has from now on.
    package func handedOver(
        number: () throws -> UInt32
    ) rethrows -> [CarriedTodo] {
        try todos.filter { $0.mark == .open }.map { todo in
            try carried(todo, number: todo.task == nil ? UInt32(clamping: todo.number) : number())
        }
    }

    /// A to-do in the form in which it leaves this shift.
    ///
    /// - Parameters:
    ///   - todo: the to-do.
    ///   - number: the number that it has from now on.
    package func carried(_ todo: Todo, number: UInt32) -> CarriedTodo {
        let origin = todo.origin
        let task = todo.task ?? origin?.task
        let marked = todo.done ?? todo.removed
        return CarriedTodo(
            id: carriedID(of: todo.id),
            content: AddTodo(
                title: todo.title, section: todo.section, area: todo.area, priority: todo.priority,
                number: number, assignee: todo.assignee, due: todo.due ?? 0,
                photos: todo.photos),
            made: TodoDeed(todo.made), shift: origin?.shift ?? shift.id, list: task?.list ?? "",
            task: task?.task ?? "", mark: todo.mark, marked: marked.map { TodoDeed($0) },
            notes: Self.newest(notes(of: todo)),
            handovers: UInt32(clamping: (origin?.handovers ?? 0) + 1))
    }

    /// The id that a to-do of this shift has in the next one: its own or, for the to-do of a task,
    /// which every shift may have, the shift's id and its own.
    package func carriedID(of todo: String) -> String {
        TaskKey(todo: todo).flatMap(lists.position) == nil || ownTodoPositions[todo] != nil
            ? todo : "\(shift.id)/\(todo)"
    }

    private func notes(of todo: Todo) -> [ShiftNote] {
        let standing =
            todo.standingNote.isEmpty
            ? [] : [ShiftNote(text: todo.standingNote, stamp: todo.made)]
        return standing + (todo.taskNotes + todo.notes).sorted { $0.stamp.time < $1.stamp.time }
    }

    /// The maximum size in bytes of the notes that go with a to-do; the log of its shift keeps all.
    private static let mostBytes = 16_000

    /// As many of the newest notes as fit, oldest first.
    private static func newest(_ notes: [ShiftNote]) -> [TodoDeed] {
        var bytes = 0
        let kept = notes.reversed().prefix { note in
            bytes += note.text.utf8.count + note.stamp.name.utf8.count + 100
            return bytes <= mostBytes
        }
        return kept.reversed().map { TodoDeed($0.stamp, $0.text) }
    }

    /// The shift with what was done to its to-dos after its end. The shift itself stays as it was
    /// sealed.
    package func withLateTodos() -> ShiftState {
        guard !appendix.isEmpty else { return self }
        var state = self
        state.clear()
        for operation in log {
            var operation = operation
            switch operation.change {
            case .ended: continue
            case .addTodo, .markTodo, .noteTodo, .changeTodo: operation.late = false
            default: break
            }
            state.apply(operation)
        }
        return state
    }
}

extension TodoDeed {
    init(_ stamp: Stamp, _ text: String = "") {
        self.init(account: stamp.account, name: stamp.name, time: stamp.time, text: text)
    }
}
