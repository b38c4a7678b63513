import Messages

extension ShiftState {
    /// SHA-256 of what the shift has come to. Two copies that have the same operations have the
    /// same digest, and copies that differ in anything that is shown don't.
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
                "todo \(todo.id) \(todo.mark) \(todo.made.sequence) \(todo.done?.sequence ?? 0) "
                    + "\(todo.notes.map(\.stamp.sequence))")
        }
        for path in travelPaths {
            lines.append("path \(path.begun) \(path.logged?.sequence ?? 0) \(path.slot ?? 0)")
        }
        for (key, entry) in figures {
            lines.append("figure \(key.hour) \(key.kind) \(key.name) \(entry.value)")
        }
        // The figures come in no order of their own; every line has another content.
        let text = lines.sorted().map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
        return ArchiveChain.digest(Array(text.utf8))
    }
}
