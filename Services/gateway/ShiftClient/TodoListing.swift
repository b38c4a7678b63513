import Messages
import ShiftLog
import Speech

/// Prepares to-dos for listings.
package struct TodoListing {
    /// A to-do in JSON.
    package struct Report: Encodable {
        let number: Int
        let id: String
        let title: String
        let section: String
        let area: String
        let priority: String
        let state: String
        let standingNote: String
        let taskNotes: [String]
        let notes: [String]
        let inReview: Bool
        /// When it was added.
        let made: Moment
        /// When it was done; absent until then.
        let done: Moment?
        let doneBy: String
        let madeBy: String
        /// Who should do it; empty for nobody in particular.
        let assignee: String
        /// When it is due; absent without a time.
        let due: Moment?
        /// How many times it was handed over from one shift to the next.
        let handovers: Int
        /// The SHA-256s of its photos.
        let photos: [String]
    }

    private let state: ShiftState

    /// The to-dos of a shift in its present state.
    package init(_ state: ShiftState) { self.state = state }

    /// A to-do in JSON.
    package func report(_ todo: Todo) -> Report {
        Report(
            number: todo.number, id: todo.id, title: todo.title, section: todo.section,
            area: todo.area, priority: todo.priority, state: todo.mark.word,
            standingNote: todo.standingNote, taskNotes: todo.taskNotes.map(\.text),
            notes: todo.notes.map(\.text), inReview: todo.isInReview,
            made: Moment(milliseconds: todo.made.time),
            done: (todo.done?.time).map(Moment.init), doneBy: todo.done?.name ?? "",
            madeBy: todo.made.name, assignee: todo.assignee, due: todo.due.map(Moment.init),
            handovers: todo.origin?.handovers ?? 0, photos: todo.photos.map(\.digits))
    }

    /// A to-do as one line.
    package func line(_ todo: Todo) -> String {
        "\(todo.number) \(todo.title.printable)"
    }

    /// A to-do as one line, with its due time: a day that was left out or mistyped shows at once.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func line(_ todo: Todo, at now: Int64) -> String {
        guard let due = todo.due else { return line(todo) }
        return line(todo) + ", due \(state.moment(due))" + (due < now ? ", which has passed" : "")
    }

    /// To-dos as a table.
    package func table(_ todos: [Todo]) -> TextTable {
        // A column that would be empty is left out.
        let hasDue = todos.contains { $0.due != nil }
        let hasAssignee = todos.contains { !$0.assignee.isEmpty }
        var table = TextTable(
            [
                .number("NO"), .text(""), .text("PRIORITY"), .text("SECTION"), .text("TO DO"),
                .text("AREA"),
            ] + (hasDue ? [.time("DUE")] : []) + (hasAssignee ? [.text("WHO")] : [])
                + [.text("NOTES")])
        let titles = Dictionary(
            state.settings.priorities.map { ($0.name, $0.title(in: state.language)) },
            uniquingKeysWith: { first, _ in first })
        let first = state.settings.priorities.first?.name
        for todo in todos {
            let isOpen = todo.mark == .open
            let written = todo.taskNotes.map(\.text) + todo.notes.map(\.text)
            let notes = ([todo.standingNote] + written + todo.photos.map(\.name))
                .filter { !$0.isEmpty }.joined(separator: " · ")
            table.add(
                [
                    "\(todo.number)",
                    .init(isOpen ? "[ ]" : "[\(TaskBox.sign(.ok))]", isOpen ? nil : .green),
                    .init(
                        titles[todo.priority] ?? todo.priority,
                        isOpen && todo.priority == first ? .alarm : nil),
                    .init(todo.section), .init(todo.title, isOpen ? nil : .dim), .init(todo.area),
                ] + (hasDue ? [.init(todo.due.map(state.moment) ?? "")] : [])
                    + (hasAssignee ? [.init(todo.assignee)] : []) + [.init(notes)])
        }
        return table
    }
}

extension TodoMark {
    /// The word for a to-do's state.
    package var word: String {
        switch self {
        case .open: "open"
        case .done: "done"
        case .removed: "deleted"
        default: description
        }
    }
}
