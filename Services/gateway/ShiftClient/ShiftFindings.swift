import Messages
import Phrases
import ShiftLog
import Speech
import WorkingCopy

/// What a person has to know about a shift whose devices were apart: contradictions, and operations
/// that came after its end.
package struct ShiftFindings {
    private let state: ShiftState
    private let words: Words<ScreenPhrase>
    private let line: OperationLine

    /// The findings of a shift in its present state.
    package init(_ state: ShiftState, in language: Language = .english) {
        (self.state, words) = (state, Words(language))
        line = OperationLine(in: language)
    }

    /// The findings of a working copy, in the service's order; nil if it can't be read.
    init?(_ copy: WorkingCopy, in language: Language) {
        do {
            var state = try ShiftState(snapshot: copy.snapshot)
            for operation in copy.operations { state.apply(operation) }
            self.init(state, in: language)
        } catch { return nil }
    }

    /// The contradictions that involve a device, and whose second statement comes after a position.
    func contradictions(of device: String, after sequence: UInt64) -> [String] {
        state.contradictions.filter {
            $0.second.stamp.sequence > sequence
                && [$0.first.stamp.device, $0.second.stamp.device].contains(device)
        }.map { one in
            guard case .task = one.subject else { return decidable(one) }
            let other = one.first.stamp.device == device ? one.second : one.first
            return words.say(
                .markedApart,
                [
                    "task": title(one.subject), "mark": word(other.value, one.subject),
                    "name": other.stamp.name.printable, "clock": clock(other.stamp),
                ])
        }
    }

    /// The contradictions that nobody has decided, one line each; those of tasks are listed as
    /// reviews.
    package var open: [String] {
        state.openContradictions.filter {
            if case .task = $0.subject { false } else { true }
        }.map(decidable)
    }

    /// All contradictions of the shift, one line each.
    package var all: [String] { state.contradictions.map(text) }

    /// A contradiction about a to-do or a figure, with what to do about it.
    private func decidable(_ one: Contradiction) -> String {
        let isFigure = if case .figure = one.subject { true } else { false }
        return text(one) + "; " + words.say(isFigure ? .decideFigure : .decideTodo)
    }

    /// Operations that came after the end, one line each.
    func late(_ operations: [ShiftOperation]) -> [String] {
        operations.map { words.say(.lateOperation, ["operation": text($0)]) }
    }

    /// An operation in a few words.
    package func text(_ operation: ShiftOperation) -> String {
        line.text(operation, state.lists.templates) { title(ofTodo: $0) }.printable
    }

    private func text(_ one: Contradiction) -> String {
        let sides = [one.first, one.second].map { side in
            words.say(
                .statementBy,
                [
                    "value": word(side.value, one.subject), "name": side.stamp.name.printable,
                    "clock": clock(side.stamp),
                ])
        }
        return words.say(
            .contradictory,
            ["subject": title(one.subject), "first": sides[0], "second": sides[1]])
    }

    private func clock(_ stamp: Stamp) -> String {
        Wording.time(stamp.time, in: state.shift.timeZone)
    }

    private func title(_ subject: Contradiction.Subject) -> String {
        switch subject {
        case .task(let key):
            let title = state.lists.task(key)?.task.title(in: state.language) ?? key.task
            return words.say(.taskTitled, ["title": title.printable])
        case .todo(let id):
            return words.say(.todoTitled, ["title": (title(ofTodo: id) ?? id).printable])
        case .figure(let hour, let kind, let name):
            return line.figure(EnterFigure(hour: hour, kind: kind, name: name)).printable
        }
    }

    private func title(ofTodo id: String) -> String? {
        if let todo = state.todo(id) { return todo.title }
        if let id = MessageID(id), case .addTodo(let late) = state.operation(id.bytes)?.change {
            return late.title
        }
        return TaskKey(todo: id).flatMap(state.lists.task)?.task.title(in: state.language)
    }

    private func word(_ value: Contradiction.Value, _ subject: Contradiction.Subject) -> String {
        switch value {
        case .task(let state): return line.word(state)
        case .todo(let mark): return line.word(mark)
        case .figure(let value):
            guard case .figure(_, let kind, _) = subject else { return "\(value)" }
            return line.value(EnterFigure(kind: kind, value: value))
        }
    }
}
