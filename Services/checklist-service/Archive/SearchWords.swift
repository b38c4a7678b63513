import Messages
import ShiftLog

extension ShiftState {
    /// The words by which a shift is found: its manager, the notes, the to-dos, and the tasks that
    /// were not ok.
    var searchText: String {
        var lines = [shift.managerName]
        for (position, list) in lists.templates.enumerated() {
            for result in results(of: list.id) where result.listed.list == position {
                if result.state == .notOk, result.listed.isLeaf {
                    lines.append(result.listed.task.title(in: language))
                }
                lines += result.notes.map(\.text)
            }
        }
        for todo in todos + removedTodos {
            // A to-do of an earlier shift is found in that shift; only its new notes are found
            // here.
            if todo.task == nil, todo.origin == nil { lines.append(todo.title) }
            lines += todo.notes.filter { todo.origin == nil || $0.stamp.time >= shift.started }
                .map(\.text)
        }
        lines += travelPaths.map(\.text)
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// A typed search for shifts, as an FTS5 expression: every typed word must occur as a word or as
/// the beginning of one.
struct SearchWords {
    /// The expression; empty when there are no words.
    let expression: String

    init(_ typed: String) {
        expression = typed.split { !$0.isLetter && !$0.isNumber }
            .map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
