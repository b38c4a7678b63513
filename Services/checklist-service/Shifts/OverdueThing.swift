import ShiftLog

/// A task or a to-do that is overdue, or several that became overdue at the same moment. Times are
/// in milliseconds since 1970.
enum OverdueThing {
    case task(DueTask)
    /// At least one, in the order of urgency.
    case tasks([DueTask])
    case todo(DueTodo)
    /// At least one, in the order of urgency.
    case todos([DueTodo])

    /// When it became overdue.
    var overdue: Int64 {
        switch self {
        case .task(let task): task.overdue
        case .tasks(let tasks): tasks.first?.overdue ?? 0
        case .todo(let todo): todo.overdue
        case .todos(let todos): todos.first?.overdue ?? 0
        }
    }

    /// When the superiors are alerted; nil for never.
    var escalation: Int64? {
        switch self {
        case .task(let task): task.escalation
        case .tasks(let tasks): tasks.first?.escalation
        case .todo(let todo): todo.escalation
        case .todos(let todos): todos.first?.escalation
        }
    }

    /// Its place in the order of urgency, which differs from that of everything else.
    var place: (Int64, Int64, String) {
        switch self {
        case .task(let task): task.place
        case .tasks(let tasks): tasks.first?.place ?? (.max, .max, "")
        case .todo(let todo): todo.place
        case .todos(let todos): todos.first?.place ?? (.max, .max, "")
        }
    }

    /// How many tasks and to-dos it is.
    var count: Int {
        switch self {
        case .task, .todo: 1
        case .tasks(let tasks): tasks.count
        case .todos(let todos): todos.count
        }
    }

    func isEscalated(at now: Int64) -> Bool {
        guard let escalation else { return false }
        return now >= escalation
    }
}

extension DueTask {
    /// Its place in the order of urgency.
    var place: (Int64, Int64, String) { (escalation ?? .max, due, key.todo) }
}

extension DueTodo {
    /// Its place in the order of urgency.
    var place: (Int64, Int64, String) { (escalation, due, todo.id) }
}
