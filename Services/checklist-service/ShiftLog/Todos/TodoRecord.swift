import Messages

/// An entry that opens, completes or removes a to-do.
struct TodoEntry: Hashable, Sendable {
    let mark: TodoMark
    let stamp: Stamp
    /// True when a person marked the to-do; false when it was made. A mark can't contradict that,
    /// because whoever marks a to-do knows that it was made.
    let isMark: Bool
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
    /// Who should do it; empty for nobody in particular.
    private(set) var assignee = ""
    /// When it is due, in milliseconds since 1970; 0 for no time.
    private(set) var due: Int64 = 0
    /// The priority that was set since it was made; empty for none.
    private(set) var priority = ""
    /// The place in the log at which it last got another time; 0 if it never did.
    private(set) var timed: UInt64 = 0
    /// The place in the log at which it was last given to somebody else; 0 if it never was.
    private(set) var given: UInt64 = 0

    init() {}

    /// The record of a to-do that a person adds.
    init(_ content: AddTodo) { (assignee, due) = (content.assignee, content.due) }

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
        enter(.open, stamp, isMark: false)
        if made == nil || anew || !wasOpen && mark == .open { made = stamp }
    }

    mutating func change(_ change: ChangeTodo, _ stamp: Stamp) {
        let before = (assignee, due)
        if let assignee = change.assignee { self.assignee = assignee }
        if change.due != 0 || change.neverDue { due = change.due }
        if assignee != before.0 { given = stamp.sequence }
        if due != before.1 { timed = stamp.sequence }
        if !change.priority.isEmpty { priority = change.priority }
    }

    /// True while entries that were made independently contradict each other.
    var isContradictory: Bool {
        let marks = standing.filter { entries[$0].isMark }
        guard let first = marks.first else { return false }
        return marks.contains { entries[$0].mark != entries[first].mark }
    }

    /// The standing marks that contradict a new one whose author could not know them.
    func contradicted(by mark: TodoMark, _ stamp: Stamp) -> [TodoEntry] {
        standing.map { entries[$0] }
            .filter { $0.isMark && !stamp.knows($0.stamp) && $0.mark != mark }
    }

    mutating func enter(_ mark: TodoMark, _ stamp: Stamp, isMark: Bool = true) {
        standing.removeAll { stamp.knows(entries[$0].stamp) }
        standing.append(entries.count)
        entries.append(TodoEntry(mark: mark, stamp: stamp, isMark: isMark))
        standing.dropRepeated {
            entries[$0].mark == entries[$1].mark && entries[$0].isMark == entries[$1].isMark
        }
    }
}

extension TodoMark {
    /// The states that a to-do can have.
    static let known: Set<TodoMark> = [.open, .done, .removed]
}

/// A to-do that a person added, or that an earlier shift left open.
struct OwnTodo: Hashable, Sendable {
    let id: String
    /// Its number for people.
    let number: Int
    let content: AddTodo
    let made: Stamp
    var record: TodoRecord
    /// Where it comes from; nil if it was added in this shift.
    var origin: TodoOrigin?
}

/// The origin of a to-do that is older than its shift.
package struct TodoOrigin: Hashable, Sendable {
    /// The id of the shift in which it was made; empty if none was open.
    package let shift: String
    /// The task that it was generated from; nil if a person added it.
    package let task: TaskKey?
    /// How many times it was handed over.
    package let handovers: Int
}

extension OwnTodo {
    /// Takes over a to-do of an earlier shift.
    init(_ todo: CarriedTodo, number: Int, carriedBy stamp: Stamp) {
        let made = todo.made.map { Stamp($0, carriedBy: stamp) } ?? stamp
        var record = TodoRecord(todo.content)
        record.open(made, anew: true)
        if todo.mark == .done || todo.mark == .removed {
            record.enter(todo.mark, todo.marked.map { Stamp($0, carriedBy: stamp) } ?? stamp)
        }
        record.notes = todo.notes.map {
            ShiftNote(text: $0.text, stamp: Stamp($0, carriedBy: stamp))
        }
        self.init(
            id: todo.id, number: number, content: todo.content, made: made, record: record,
            origin: TodoOrigin(
                shift: todo.shift,
                task: todo.task.isEmpty ? nil : TaskKey(list: todo.list, task: todo.task),
                handovers: Int(clamping: todo.handovers)))
    }
}
