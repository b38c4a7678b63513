import Bus
import LocalTime
import Messages
import ShiftLog
import Speech

/// The state of a shift, for people and in JSON.
package struct ShiftReport: Encodable {
    /// The progress of a list.
    package struct List: Encodable {
        let number: Int
        package let id: String
        let name: String
        let kind: ListKind
        let tasks: Int
        let ok: Int
        let notOk: Int
        let notApplicable: Int
        let unchecked: Int
        /// What crew members may do in it: `nothing`, `tick` or `inspect`.
        package let crewMay: String
    }

    /// A task that is overdue or in review.
    struct Task: Encodable {
        let number: Int
        let list: String
        let task: String
        let title: String
        /// When it was due; absent without a time.
        let due: Moment?
    }

    /// A to-do that is overdue.
    struct Todo: Encodable {
        let number: Int
        let id: String
        let title: String
        /// When it was due; absent without a time.
        let due: Moment?
    }

    /// A time at which a travel path was due.
    package struct Slot: Encodable {
        let due: Moment
        let state: TravelPathSlot.State

        /// The outcome of a travel path.
        package init(_ slot: TravelPathSlot) {
            (due, state) = (Moment(milliseconds: slot.due), slot.state)
        }
    }

    /// The shift itself.
    package let shift: Shift
    /// The progress of each of its lists.
    package let lists: [List]
    let todosOpen: Int
    let todosDone: Int
    let travelPaths: [Slot]
    /// When the next travel path is due; absent if the shift has ended.
    let nextTravelPath: Moment?
    let overdue: [Task]
    let reviews: [Task]
    /// The to-dos that are overdue.
    let overdueTodos: [Todo]
    /// The other contradictions that nobody has decided, a sentence for each.
    let contradictions: [String]
    /// The number of operations of this device that the service has not recorded yet.
    let waiting: Int
    /// The number of operations of this device that the service has refused.
    let refused: Int
    /// True while the service can't be reached.
    let offline: Bool
    /// When the service last answered; absent if it never has.
    let asOf: Moment?

    private let shown: Extended<Shift>

    private enum CodingKeys: String, CodingKey {
        case shown = "shift"
        case lists, todosOpen, todosDone, travelPaths, nextTravelPath, overdue, overdueTodos,
            reviews, contradictions
        case waiting, refused, offline, asOf
    }

    /// The state of a desk's shift at a time, milliseconds since 1970.
    package init(_ desk: ShiftDesk, at now: Int64) {
        let state = desk.state
        let names = ShiftNames(state)
        (shift, shown) = (state.shift, state.shift.report)
        lists = state.lists.templates.enumerated().map { index, list in
            let progress = state.progress(of: list.id)
            return List(
                number: index + 1, id: list.id, name: list.name(in: state.language),
                kind: list.kind, tasks: progress.tasks, ok: progress.ok,
                notOk: progress.notOk, notApplicable: progress.notApplicable,
                unchecked: progress.unchecked, crewMay: state.crewMay(list.id).word)
        }
        todosOpen = state.todos.count { $0.mark == .open }
        todosDone = state.todos.count { $0.mark == .done }
        travelPaths = state.slots(at: now).map(Slot.init)
        nextTravelPath = (state.travelPathDue(at: now)?.due ?? state.nextTravelPath(after: now))
            .map(Moment.init)
        func task(_ key: TaskKey, _ due: Int64?) -> Task {
            Task(
                number: names.number(of: key), list: key.list, task: key.task,
                title: state.lists.task(key)?.task.title(in: state.language) ?? key.task,
                due: due.map(Moment.init))
        }
        overdue = state.overdue(at: now).map { task($0.key, $0.due) }
        reviews = state.reviews.map { task($0.listed.key, nil) }
        overdueTodos = state.overdueTodos(at: now).map {
            Todo(
                number: $0.todo.number, id: $0.todo.id, title: $0.todo.title,
                due: Moment(milliseconds: $0.due))
        }
        contradictions = ShiftFindings(state).open
        (waiting, refused) = (desk.copy.waiting.count, desk.copy.refused.count)
        offline = desk.obstacle != nil
        asOf = desk.copy.lastHeard == 0 ? nil : Moment(milliseconds: desk.copy.lastHeard)
    }

    /// The shift in words: which it is, and since when.
    package var headline: String {
        "\(shift.line), begun at \(SiteClock(zone: shift.timeZone).time(shift.started)) by "
            + shift.managerName.printable
    }

    /// What needs to be done, one line each.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func remarks(at now: Int64) -> [StyledLine] {
        let zone = shift.timeZone
        var todos = "\(Wording.count(todosOpen, "to-do")) open, \(todosDone) done"
        if todosOpen > 0 { todos += ": steward todo list" }
        var lines = [StyledLine(todos)]
        if let nextTravelPath {
            let due = nextTravelPath.milliseconds
            let isLate = due <= now
            let words = "travel path due at \(Wording.time(due, in: zone))"
            lines.append(
                isLate
                    ? StyledLine(
                        words + ", now; whoever leads the shift begins it with steward tp begin",
                        .alarm) : StyledLine(words))
        }
        for task in overdue {
            let time = task.due.map { Wording.time($0.milliseconds, in: zone) } ?? ""
            lines.append(
                StyledLine("overdue since \(time): \(task.number) \(task.title)", .red))
        }
        for task in reviews {
            lines.append(
                StyledLine(
                    "marked differently by two people: \(task.number) \(task.title); look again "
                        + "and tick it", .yellow))
        }
        let localTime = LocalTime(zone: zone)
        for todo in overdueTodos {
            let due = todo.due?.milliseconds ?? 0
            let time = localTime.map { shift.moment(due, $0) } ?? ""
            lines.append(
                StyledLine("overdue since \(time): to-do \(todo.number) \(todo.title)", .red))
        }
        lines += contradictions.map { StyledLine($0, .yellow) }
        if refused > 0 {
            lines.append(
                StyledLine("\(refused) refused by the service: steward shift refused", .yellow))
        }
        return lines
    }

    /// The lists as a table.
    package var table: TextTable {
        var table = TextTable([
            .number("NO"), .text("LIST"), .text("WHEN"), .number("DONE"), .number("TASKS"),
            .number("NOT OK"), .number("N/A"),
        ])
        for list in lists {
            let done = list.tasks - list.unchecked
            table.add([
                "\(list.number)", .init(list.name), .init(list.kind.word),
                .init("\(done)", list.unchecked == 0 ? .green : nil), "\(list.tasks)",
                .init("\(list.notOk)", list.notOk > 0 ? .red : nil), "\(list.notApplicable)",
            ])
        }
        return table
    }
}

extension ListKind {
    /// The kind as it is typed and shown; in JSON it is the name of the case.
    package var word: String {
        switch self {
        case .preShift: "pre-shift"
        case .before: "before"
        case .during: "during"
        case .after: "after"
        case .travelPath: "travel-path"
        default: "other"
        }
    }
}
