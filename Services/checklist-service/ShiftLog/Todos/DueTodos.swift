import LocalTime
import Messages

/// A to-do with a time at which it is due. Times are in milliseconds since 1970.
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
    /// The place in the log at which it was last opened, or last got another time.
    package let opened: UInt64
    /// The place in the log at which it was last given to somebody else.
    package let given: UInt64
}

extension ShiftState {
    /// The open to-dos that have a time, ordered by it; none when the shift has ended.
    package var dueTodos: [DueTodo] { timedTodos.filter { $0.todo.mark == .open } }

    /// The to-dos that have a time, whether they are open or not, ordered by it; none when the
    /// shift has ended.
    package var timedTodos: [DueTodo] {
        guard isOpen else { return [] }
        let own = ownTodos.filter { $0.record.due != 0 }
            .compactMap { timed(todo(own: $0), $0.record) }
        let generated = tasks.indices.compactMap { position -> DueTodo? in
            let record = tasks[position].todo
            guard record.due != 0, let todo = generatedTodo(at: position) else { return nil }
            return timed(todo, record)
        }
        return (own + generated).sorted { ($0.due, $0.todo.id) < ($1.due, $1.todo.id) }
    }

    private func timed(_ todo: Todo, _ record: TodoRecord) -> DueTodo? {
        guard let due = todo.due else { return nil }
        let overdue = max(due, shift.started) + Int64(settings.grace) * 60_000
        let opening = record.entries.last { $0.mark == .open }?.stamp.sequence ?? 0
        return DueTodo(
            todo: todo, due: due, overdue: overdue,
            escalation: overdue + Int64(settings.escalateAfter) * 60_000,
            opened: max(opening, record.timed), given: record.given)
    }

    /// The to-dos that are overdue at a time, ordered by theirs.
    package func overdueTodos(at now: Int64) -> [DueTodo] {
        dueTodos.filter { $0.overdue <= now }
    }
}

extension Shift {
    /// The local time of something that may belong to an earlier day, such as a to-do of an earlier
    /// shift: `10:15`, with the date unless it is that of the shift.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - localTime: the site's local time.
    package func moment(_ time: Int64, _ localTime: LocalTime) -> String {
        let reading = localTime.reading(at: time)
        return reading.date == date ? reading.time : "\(reading.date) \(reading.time)"
    }
}

extension ShiftState {
    /// A local time, with its date unless it is that of the shift.
    ///
    /// - Parameter time: milliseconds since 1970.
    package func moment(_ time: Int64) -> String { shift.moment(time, localTime) }
}
