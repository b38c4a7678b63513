import Messages

/// An entry that opens, completes or removes a to-do.
struct TodoEntry: Hashable, Sendable {
    let mark: TodoMark
    let stamp: Stamp
}

/// Everything recorded about one to-do.
struct TodoRecord: Hashable, Sendable {
    /// Every entry, in order of effect.
    private(set) var entries: [TodoEntry] = []
    /// The indexes of the entries that nobody who knew them has overruled.
    private(set) var standing: [Int] = []
    var notes: [ShiftNote] = []
    /// When it was made, or made again.
    private(set) var made: Stamp?

    /// Open if any standing entry says so, which is the safe side; else the last mark.
    var mark: TodoMark { shown?.mark ?? .open }

    /// The entry that is shown.
    var shown: TodoEntry? {
        let position = standing.last { entries[$0].mark == .open } ?? standing.last
        return position.map { entries[$0] }
    }

    /// Opens it, because its task was found not ok or because a person adds it.
    mutating func open(_ stamp: Stamp, anew: Bool) {
        let wasOpen = mark == .open
        enter(.open, stamp)
        if made == nil || anew || !wasOpen && mark == .open { made = stamp }
    }

    mutating func enter(_ mark: TodoMark, _ stamp: Stamp) {
        standing.removeAll { stamp.knows(entries[$0].stamp) }
        standing.append(entries.count)
        entries.append(TodoEntry(mark: mark, stamp: stamp))
    }
}

/// A to-do that a person added.
struct OwnTodo: Hashable, Sendable {
    let id: String
    let content: AddTodo
    let made: Stamp
    var record: TodoRecord
}
