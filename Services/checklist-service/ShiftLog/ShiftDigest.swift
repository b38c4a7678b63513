import Messages

extension ShiftState {
    /// The SHA-256 of the state of the shift. Two copies with the same operations have the same
    /// digest; copies that differ in anything visible don't.
    package var digest: [UInt8] {
        let chain = log.reduce([]) { ArchiveChain.hash(after: $0, $1.packed()) }
        var lines = ["log \(chain)", "head \(head)"]
        for position in lists.tasks.indices {
            let result = result(at: position)
            lines.append(
                "task \(result.listed.key.todo) \(result.state) \(result.isInReview) "
                    + "\(result.standing.map(\.stamp.sequence)) "
                    + "\(result.notes.map(\.stamp.sequence))")
        }
        for todo in todos + removedTodos {
            lines.append(
                "todo \(todo.id) \(todo.number) \(todo.priority) \(todo.assignee.utf8.count) "
                    + "\(todo.assignee) \(todo.due ?? 0) "
                    + "\(todo.mark) \(todo.made.sequence) \(todo.done?.sequence ?? 0) "
                    + "\(todo.notes.map(\.stamp.sequence))")
        }
        for path in travelPaths {
            lines.append("path \(path.begun) \(path.logged?.sequence ?? 0) \(path.slot ?? 0)")
        }
        for (key, entry) in figures {
            lines.append("figure \(key.hour) \(key.kind) \(key.name) \(entry.value)")
        }
        // The figures are unordered; no two lines are equal.
        let text = lines.sorted().map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
        return ArchiveChain.digest(Array(text.utf8))
    }
}
