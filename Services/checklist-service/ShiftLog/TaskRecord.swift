import Messages

/// What is known of a task in a shift.
package enum TaskState: String, Hashable, Sendable, Codable, CaseIterable {
    /// No one has looked yet, or the mark was taken back.
    case unchecked
    /// It is as it should be, or it is done.
    case ok
    /// It isn't as it should be.
    case notOk
    /// It doesn't apply today.
    case notApplicable

    init(_ finding: Finding, reason: String) {
        switch finding {
        case .ok: self = .ok
        case .notOk: self = .notOk
        case .unspecified, .unrecognized: self = reason.isEmpty ? .unchecked : .notApplicable
        }
    }
}

/// A mark of a task, or a decision between marks.
package struct TaskMark: Hashable, Sendable {
    /// What it says.
    package let state: TaskState
    /// Why the task doesn't apply; empty otherwise.
    package let reason: String
    /// Who made it, and when.
    package let stamp: Stamp
    /// True when it is a decision between marks that were made apart.
    package let isReview: Bool
    /// True when it contradicted a mark that its person could not know.
    package let contradicts: Bool
}

/// A note that someone wrote.
package struct ShiftNote: Hashable, Sendable {
    /// The note.
    package let text: String
    /// Who wrote it, and when.
    package let stamp: Stamp
}

/// All that was said of one task.
struct TaskRecord: Hashable, Sendable {
    /// Every mark, in order of effect.
    var marks: [TaskMark] = []
    /// The positions of the marks that nobody has overruled who knew them.
    var standing: [Int] = []
    var notes: [ShiftNote] = []
    /// The life of the task's to-do.
    var todo = TodoRecord()

    /// The mark that is shown: one that is not ok before the others, then the latest.
    var shown: TaskMark? {
        let position = standing.last { marks[$0].state == .notOk } ?? standing.last
        return position.map { marks[$0] }
    }

    /// What is shown of the task.
    var state: TaskState { shown?.state ?? .unchecked }

    /// True when marks that were made apart contradict each other and nobody has decided.
    var isInReview: Bool {
        guard let first = standing.first else { return false }
        return standing.contains { marks[$0].state != marks[first].state }
    }

    /// The marks that stand and contradict a new one whose person could not know them.
    func contradicted(by state: TaskState, _ stamp: Stamp) -> [TaskMark] {
        standing.map { marks[$0] }.filter { !stamp.knows($0.stamp) && $0.state != state }
    }

    mutating func mark(_ state: TaskState, reason: String, _ stamp: Stamp, isReview: Bool) {
        let wasNotOk = self.state == .notOk
        let contradicts = standing.contains {
            !stamp.knows(marks[$0].stamp) && marks[$0].state != state
        }
        standing.removeAll { stamp.knows(marks[$0].stamp) }
        standing.append(marks.count)
        marks.append(
            TaskMark(
                state: state, reason: reason, stamp: stamp, isReview: isReview,
                contradicts: contradicts))
        if state == .notOk { todo.open(stamp, anew: !wasNotOk) }
    }
}

/// How a task stands in a shift.
package struct TaskResult: Hashable, Sendable {
    /// The task in its place.
    package let listed: ListedTask
    /// What is shown of it; a parent's follows from its children.
    package let state: TaskState
    /// The mark that is shown; nil for a parent and for a task that no one has looked at.
    package let shown: TaskMark?
    /// The marks that stand; more than one with another state when it is in review.
    package let standing: [TaskMark]
    /// Every mark, in order of effect.
    package let marks: [TaskMark]
    /// The notes written in this shift; the standing note is `listed.task.note`.
    package let notes: [ShiftNote]
    /// True when marks that were made apart contradict each other and nobody has decided.
    package let isInReview: Bool
}
