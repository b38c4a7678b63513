import Messages

/// An open to-do with a time at which it is due. Times are in milliseconds since 1970.
package struct DueTodo: Hashable, Sendable {
    /// The to-do.
    package let todo: Todo
    /// When it is due.
    package let due: Int64
    /// When it becomes overdue: at its time, or at the beginning of a shift that began later, plus
    /// the grace.
    package let overdue: Int64
    /// When the shift manager's superiors are alerted.
    package let escalation: Int64
}

extension ShiftState {
    /// The open to-dos that have a time, ordered by it; none when the shift has ended.
    package var dueTodos: [DueTodo] {
        guard isOpen else { return [] }
        let grace = Int64(settings.grace) * 60_000
        let after = Int64(settings.escalateAfter) * 60_000
        let own = ownTodos.filter { $0.record.due != 0 }.map(todo)
        let generated = tasks.indices.filter { tasks[$0].todo.due != 0 }.compactMap(generatedTodo)
        return (own + generated).compactMap { todo in
            guard todo.mark == .open, let due = todo.due else { return nil }
            let overdue = max(due, shift.started) + grace
            return DueTodo(todo: todo, due: due, overdue: overdue, escalation: overdue + after)
        }.sorted { ($0.due, $0.todo.id) < ($1.due, $1.todo.id) }
    }

    /// The to-dos that are overdue at a time, ordered by theirs.
    package func overdueTodos(at now: Int64) -> [DueTodo] {
        dueTodos.filter { $0.overdue <= now }
    }
}
