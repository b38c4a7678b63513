import Messages

/// The state of a task in a shift.
package enum TaskState: String, Hashable, Sendable, Codable, CaseIterable {
    /// No one has marked it yet, or the mark was withdrawn.
    case unchecked
    /// It is as it should be, or done.
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
    /// The state that it sets.
    package let state: TaskState
    /// Why the task doesn't apply; empty otherwise.
    package let reason: String
    /// What was answered; nil if nothing was.
    package let answer: Answer?
    /// Who made it, and when.
    package let stamp: Stamp
    /// True when it decides between marks that were made independently.
    package let isReview: Bool
}

/// A note that someone wrote.
package struct ShiftNote: Hashable, Sendable {
    /// The note.
    package let text: String
    /// Who wrote it, and when.
    package let stamp: Stamp
}

/// Everything recorded about one task.
struct TaskRecord: Hashable, Sendable {
    /// Every mark, in order of effect.
    var marks: [TaskMark] = []
    /// The indexes of the marks that nobody who knew them has overruled.
    var standing: [Int] = []
    var notes: [ShiftNote] = []
    /// The record of the task's to-do.
    var todo = TodoRecord()

    /// The mark that is shown: the latest that is not ok, else the latest.
    var shown: TaskMark? {
        let position = standing.last { marks[$0].state == .notOk } ?? standing.last
        return position.map { marks[$0] }
    }

    /// The state that is shown.
    var state: TaskState { shown?.state ?? .unchecked }

    /// True when independent marks contradict each other and nobody has decided.
    var isInReview: Bool {
        guard let first = standing.first else { return false }
        return standing.contains { marks[$0].state != marks[first].state }
    }

    /// The standing marks that contradict a new one whose author could not know them.
    func contradicted(by state: TaskState, _ stamp: Stamp) -> [TaskMark] {
        standing.map { marks[$0] }.filter { !stamp.knows($0.stamp) && $0.state != state }
    }

    mutating func mark(_ mark: TaskMark) {
        let wasNotOk = state == .notOk
        standing.removeAll { mark.stamp.knows(marks[$0].stamp) }
        standing.append(marks.count)
        marks.append(mark)
        standing.dropRepeated { marks[$0].state == marks[$1].state }
        if mark.state == .notOk { todo.open(mark.stamp, anew: !wasNotOk) }
    }
}

extension [Int] {
    /// The maximum number of standing entries about one thing, each of which may contradict the
    /// next: more than a site has devices that work apart.
    static var mostStanding: Int { 30 }

    /// Drops the oldest standing entry that a later one repeats when there are too many. What is
    /// shown, and whether there is a contradiction, stays the same.
    mutating func dropRepeated(_ isSame: (Int, Int) -> Bool) {
        guard count > Self.mostStanding else { return }
        let repeated = indices.first { place in
            self[(place + 1)...].contains { isSame(self[place], $0) }
        }
        if let repeated { remove(at: repeated) }
    }
}

/// The result of a task in a shift.
package struct TaskResult: Hashable, Sendable {
    /// The task and its place.
    package let listed: ListedTask
    /// The state that is shown; a parent's follows from its children.
    package let state: TaskState
    /// The mark that is shown; nil for a parent and for an unmarked task.
    package let shown: TaskMark?
    /// The standing marks; they differ in their states when it is in review.
    package let standing: [TaskMark]
    /// Every mark, in order of effect.
    package let marks: [TaskMark]
    /// The notes written in this shift; the standing note is `listed.task.note`.
    package let notes: [ShiftNote]
    /// True when independent marks contradict each other and nobody has decided.
    package let isInReview: Bool

    /// What was answered, as people read it: `4.2 °C`; empty if nothing was.
    ///
    /// - Parameter separator: the decimal separator.
    package func answer(separator: String = ".") -> String {
        shown.map { answer(of: $0, separator: separator) } ?? ""
    }

    /// What was answered with one of its marks.
    package func answer(of mark: TaskMark, separator: String = ".") -> String {
        guard let answer = mark.answer, let rule = listed.task.answer else { return "" }
        return rule.text(of: answer, separator: separator)
    }
}
