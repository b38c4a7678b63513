import Messages
import Phrases
import ServiceRuntime
import ShiftLog

/// The alerts about overdue to-dos: to the shift manager, and to those who should do them.
extension ShiftAlerts {
    /// The overdue to-dos among some of a recipient: those that became overdue at the same moment
    /// together, if there are many or if they already have one alert.
    ///
    /// Whether there are many depends on all to-dos, done or not. So a to-do has the same alert for
    /// as long as it is overdue, unless more get the same time.
    func overdue(
        _ todos: [DueTodo], at now: Int64, for recipient: String
    ) -> [OverdueThing] {
        var counts: [Int64: Int] = [:]
        for todo in todos { counts[todo.overdue, default: 0] += 1 }
        let overdue = todos.filter { $0.isOverdue(at: now) }
        var things: [OverdueThing] = []
        for (moment, todos) in Dictionary(grouping: overdue, by: \.overdue) {
            if counts[moment, default: 0] > Self.mostAtOnce
                || present[key(of: moment, for: recipient)] != nil
            {
                things.append(.todos(todos.sorted { $0.place < $1.place }))
            } else {
                things += todos.map { OverdueThing.todo($0) }
            }
        }
        return things
    }

    /// The alerts to those who should do what is overdue, except the shift manager, the most urgent
    /// first.
    ///
    /// - Parameters:
    ///   - todos: the to-dos with a time.
    ///   - now: the time in milliseconds since 1970.
    ///   - account: returns the recipient with a name; nil when nobody of the site has that name.
    func toAssignees(
        _ todos: [DueTodo], at now: Int64, account: (String) throws -> String?
    ) rethrows -> [StandingAlert] {
        var recipients = ["": manager]
        for todo in todos where todo.isOverdue(at: now) && recipients.count <= Self.most {
            let name = todo.todo.assignee
            if recipients[name] == nil { recipients[name] = try account(name) ?? manager }
        }
        let assigned = Dictionary(grouping: todos) {
            recipients[$0.todo.assignee] ?? manager
        }
        var alerts: [(thing: OverdueThing, recipient: String)] = []
        for (recipient, todos) in assigned where recipient != manager {
            alerts += overdue(todos, at: now, for: recipient).map {
                (thing: $0, recipient: recipient)
            }
        }
        let first = alerts.sorted { $0.thing.place < $1.thing.place }.prefix(Self.most)
        return first.compactMap { alert -> StandingAlert? in
            switch alert.thing {
            case .task, .tasks: nil
            case .todo(let todo): overdue(todo, to: alert.recipient)
            case .todos(let todos): overdue(todos, to: alert.recipient)
            }
        }
    }

    /// The alert about an overdue to-do.
    func overdue(_ todo: DueTodo, to recipient: String) -> StandingAlert {
        let key = "shift/\(shift.id)/todo/\(todo.todo.id)\(assigned(to: recipient))"
        if let before = present[key], before.occasion == todo.overdue, isFor(recipient, before) {
            return before
        }
        return alert([todo], key, to: recipient, occasion: todo.overdue, since: todo.overdue)
    }

    /// The alert about to-dos that became overdue at the same moment. Whoever has acknowledged it
    /// is alerted again when another one gets the same time, or one that was done is open again.
    func overdue(_ todos: [DueTodo], to recipient: String) -> StandingAlert {
        let moment = todos.first?.overdue ?? 0
        let key = key(of: moment, for: recipient)
        let newest = newest(todos, for: recipient)
        if let before = present[key], before.isAcknowledged, before.occasion >= newest {
            return before
        }
        return alert(todos, key, to: recipient, occasion: newest, since: moment)
    }

    private func alert(
        _ todos: [DueTodo], _ key: String, to recipient: String, occasion: Int64, since: Int64
    ) -> StandingAlert {
        var raised = AlertRaised(
            key: key, kind: "checklist.todoOverdue", severity: .warning, subject: shift.id,
            recipient: recipient, needsAcknowledgement: true, repeatEvery: Self.repetition,
            organisation: shift.organisation, site: shift.site)
        say(todos, in: &raised)
        return StandingAlert(raised, occasion: occasion, since: since)
    }

    /// Says which to-do is overdue, or how many are and which come first.
    func say(_ todos: [DueTodo], in raised: inout AlertRaised) {
        let named = todos.map { (clock: clock($0), title: $0.todo.title) }
        say(named, as: "todo", .todoOverdue, .todosOverdue, in: &raised)
    }

    /// The newest place in the log at which one of these to-dos was opened, got another time, or
    /// was given to somebody who isn't the shift manager.
    func newest(_ todos: [DueTodo], for recipient: String) -> Int64 {
        let isManager = recipient == manager
        let places = todos.map { isManager ? $0.opened : max($0.opened, $0.given) }
        return Int64(clamping: places.max() ?? 0)
    }

    /// When a to-do is due: the time, and the date unless it is that of the shift.
    private func clock(_ todo: DueTodo) -> String { state.moment(todo.due) }

    private func key(of moment: Int64, for recipient: String) -> String {
        "shift/\(shift.id)/todos/\(moment)\(assigned(to: recipient))"
    }

    /// The end of the key of an alert to a recipient.
    private func assigned(to recipient: String) -> String {
        recipient == manager ? "" : "/assignee/\(recipient)"
    }
}

extension DueTodo {
    fileprivate func isOverdue(at now: Int64) -> Bool {
        todo.mark == .open && overdue <= now
    }
}
