import Messages

extension ShiftState {
    /// The contradictions that nobody who knew both sides has decided: about a task, until it is
    /// marked again or reviewed; about a to-do, until it is ticked, opened or removed again; about
    /// a figure, until it is entered again.
    package var openContradictions: [Contradiction] {
        contradictions.filter { one in
            switch one.subject {
            case .task(let key):
                return lists.position(of: key).map { tasks[$0].isInReview } ?? false
            case .todo(let id): return record(ofTodo: id)?.isContradictory ?? false
            case .figure(let hour, let kind, let name):
                let key = FigureKey(EnterFigure(hour: hour, kind: kind, name: name))
                guard let stamp = figures[key]?.stamp else { return false }
                return
                    !(stamp.sequence > one.second.stamp.sequence
                    && stamp.knows(one.first.stamp) && stamp.knows(one.second.stamp))
            }
        }
    }

    /// True when an accepted operation contradicted something that its author could not know.
    package func isContradiction(_ id: [UInt8]) -> Bool {
        contradictions.contains { $0.operation == id }
    }

    private func record(ofTodo id: String) -> TodoRecord? {
        if let own = ownTodoPositions[id] { return ownTodos[own].record }
        return TaskKey(todo: id).flatMap(lists.position).map { tasks[$0].todo }
    }

    /// Records that a to-do was marked, and what that contradicts.
    mutating func markTodo(_ mark: MarkTodo, _ stamp: Stamp, _ id: [UInt8]) {
        guard TodoMark.known.contains(mark.mark) else { return }
        let others = record(ofTodo: mark.todo)?.contradicted(by: mark.mark, stamp) ?? []
        contradictions += others.map { other in
            Contradiction(
                subject: .todo(mark.todo),
                first: .init(value: .todo(other.mark), stamp: other.stamp),
                second: .init(value: .todo(mark.mark), stamp: stamp), operation: id)
        }
        changeTodo(mark.todo) { $0.enter(mark.mark, stamp) }
    }

    /// Records a figure, and what it contradicts.
    mutating func enter(_ figure: EnterFigure, _ stamp: Stamp, _ id: [UInt8]) {
        let key = FigureKey(figure)
        // A value that someone who knew it has replaced no longer contradicts anything.
        if let before = figures[key], before.value != figure.value, !stamp.knows(before.stamp) {
            contradictions.append(
                Contradiction(
                    subject: .figure(hour: figure.hour, kind: figure.kind, name: figure.name),
                    first: .init(value: .figure(before.value), stamp: before.stamp),
                    second: .init(value: .figure(figure.value), stamp: stamp), operation: id))
        }
        let entry = FigureEntry(value: figure.value, stamp: stamp)
        // In place, so that the replaced values aren't copied each time.
        if figures[key]?.replace(by: entry) == nil { figures[key] = entry }
    }
}
