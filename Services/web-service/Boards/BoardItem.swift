import Messages
import Phrases
import ShiftClient
import ShiftLog
import Speech

/// A line of a board: something that is overdue, marks that contradict each other, equipment that
/// doesn't work, or a to-do.
struct BoardItem: Hashable, Sendable {
    /// How it is marked.
    enum Kind: Sendable {
        /// A task or a to-do that is overdue, or equipment that must not be used.
        case late
        /// Marks that contradict each other, or equipment that is faulty.
        case review
        /// A to-do of the first priority.
        case urgent
        /// Any other to-do.
        case plain
    }

    let kind: Kind
    /// The time or area in front of it; empty for none.
    let before: String
    /// The text of the item, after the reason why it is there if it has one.
    let text: String

    /// The number of its characters, counting those that its icon replaces.
    var length: Int { (kind == .plain ? 0 : 2) + before.count + 1 + text.count }
}

extension BoardItem {
    /// The items that need attention: equipment that must not be used, then tasks and overdue
    /// to-dos, then equipment that is faulty.
    ///
    /// - Parameters:
    ///   - state: the state of the board.
    ///   - time: milliseconds since 1970.
    ///   - zone: the site's time zone.
    ///   - language: the language for the reason why something is there.
    static func attention(
        _ state: BoardState, at time: Int64, zone: String, _ language: Language
    ) -> [BoardItem] {
        let faults = state.equipment.map { fault($0, language) }
        let tasks = state.shift.map { overdue(of: $0, at: time, zone: zone, language) } ?? []
        return faults.filter { $0.kind == .late } + tasks + faults.filter { $0.kind != .late }
    }

    /// The heading of what needs attention: “Overdue” only if all of it is.
    static func heading(of attention: [BoardItem], hasShift: Bool) -> WebPhrase {
        guard hasShift else { return .equipment }
        return attention.allSatisfy { !$0.before.isEmpty } ? .overdueTasks : .problems
    }

    private static func fault(_ equipment: Equipment, _ language: Language) -> BoardItem {
        let isBroken = equipment.state == .outOfOrder
        let reason = Words<WebPhrase>(language).say(isBroken ? .outOfOrder : .faulty)
        let report = equipment.history.first?.text ?? ""
        let what = report.isEmpty ? equipment.name : "\(equipment.name): \(report.prefix(200))"
        return BoardItem(
            kind: isBroken ? .late : .review, before: "", text: "\(reason) · \(what)")
    }

    /// The tasks and to-dos that are overdue, and the tasks that were marked differently on two
    /// devices.
    ///
    /// - Parameters:
    ///   - shift: the open shift.
    ///   - time: milliseconds since 1970.
    ///   - zone: the site's time zone.
    ///   - language: the language for the reason why something is there.
    static func overdue(
        of shift: ShiftState, at time: Int64, zone: String, _ language: Language
    ) -> [BoardItem] {
        let late = shift.overdue(at: time).map { due in
            BoardItem(
                kind: .late, before: Wording.time(due.due, in: zone),
                text: shift.lists.task(due.key)?.task.title(in: shift.language) ?? "")
        }
        let todos = shift.overdueTodos(at: time).map {
            BoardItem(
                kind: .late, before: shift.moment($0.due), text: $0.todo.title)
        }
        let reason = Words<WebPhrase>(language).say(.reviewTasks)
        let reviews = shift.reviews.map {
            BoardItem(
                kind: .review, before: "",
                text: "\(reason) · \($0.listed.task.title(in: shift.language))")
        }
        return late + todos + reviews
    }

    /// The open to-dos, in the order of the shift.
    static func todos(of shift: ShiftState, _ language: Language) -> [BoardItem] {
        open(shift.todos, of: shift, language)
    }

    /// The open ones of all to-dos of a shift.
    static func open(
        _ todos: [Todo], of shift: ShiftState, _ language: Language
    ) -> [BoardItem] {
        let areas = Words<PaperPhrase>(language)
        let first = shift.settings.priorities.first?.name
        return todos.filter { $0.mark == .open }.map { todo in
            BoardItem(
                kind: todo.priority == first ? .urgent : .plain,
                before: areas.say(family: "area", todo.area) ?? todo.area, text: todo.title)
        }
    }
}
