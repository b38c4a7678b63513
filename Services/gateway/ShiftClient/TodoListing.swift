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
    }

    private let state: ShiftState
    private let names: ShiftNames

    /// The to-dos of a shift in its present state.
    package init(_ state: ShiftState) {
        self.state = state
        names = ShiftNames(state)
    }

    /// A to-do in JSON.
    package func report(_ todo: Todo) -> Report {
        Report(
            number: names.number(of: todo), id: todo.id, title: todo.title, section: todo.section,
            area: todo.area, priority: todo.priority, state: todo.mark.word,
            standingNote: todo.standingNote, taskNotes: todo.taskNotes.map(\.text),
            notes: todo.notes.map(\.text), inReview: todo.isInReview,
            made: Moment(milliseconds: todo.made.time),
            done: (todo.done?.time).map(Moment.init), doneBy: todo.done?.name ?? "")
    }

    /// A to-do as one line.
    package func line(_ todo: Todo) -> String {
        "\(names.number(of: todo)) \(todo.title.printable)"
    }

    /// To-dos as a table.
    package func table(_ todos: [Todo]) -> TextTable {
        var table = TextTable([
            .number("NO"), .text(""), .text("PRIORITY"), .text("SECTION"), .text("TO DO"),
            .text("AREA"), .text("NOTES"),
        ])
        let titles = Dictionary(
            state.settings.priorities.map { ($0.name, $0.title(in: state.language)) },
            uniquingKeysWith: { first, _ in first })
        let first = state.settings.priorities.first?.name
        for todo in todos {
            let isOpen = todo.mark == .open
            let notes = ([todo.standingNote] + todo.taskNotes.map(\.text) + todo.notes.map(\.text))
                .filter { !$0.isEmpty }.joined(separator: " · ")
            table.add([
                "\(names.number(of: todo))",
                .init(isOpen ? "[ ]" : "[x]", isOpen ? nil : .green),
                .init(
                    titles[todo.priority] ?? todo.priority,
                    isOpen && todo.priority == first ? .alarm : nil),
                .init(todo.section), .init(todo.title, isOpen ? nil : .dim), .init(todo.area),
                .init(notes),
            ])
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
