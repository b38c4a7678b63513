import Messages
import Phrases
import ShiftClient
import ShiftLog
import Speech

/// A line of a board: a task that is overdue, marks that contradict each other, or a to-do.
struct BoardItem: Hashable, Sendable {
    /// How it is marked.
    enum Kind: Sendable {
        /// A task that is overdue.
        case late
        /// Marks that contradict each other.
        case review
        /// A to-do of the first priority.
        case urgent
        /// Any other to-do.
        case plain
    }

    let kind: Kind
    /// The text in front of it: a time, an area, or why it is there.
    let before: String
    /// The text of the item.
    let text: String
}

extension BoardItem {
    /// The tasks that are overdue, and those that were marked differently on two devices.
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
        let reviews = shift.reviews.map {
            BoardItem(
                kind: .review, before: Words<WebPhrase>(language).say(.reviewTasks),
                text: $0.listed.task.title(in: shift.language))
        }
        return late + reviews
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
