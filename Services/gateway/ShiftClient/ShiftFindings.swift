import Messages
import ShiftLog
import Speech
import WorkingCopy

/// What a person has to know about a shift after its devices were apart: contradictions, and what
/// came after its end.
package struct ShiftFindings {
    private let state: ShiftState

    /// The findings of a shift in its present state.
    package init(_ state: ShiftState) { self.state = state }

    /// The findings of a working copy, in the service's order; nil if it can't be read.
    init?(_ copy: WorkingCopy) {
        do {
            var state = try ShiftState(snapshot: copy.snapshot)
            for operation in copy.operations { state.apply(operation) }
            self.init(state)
        } catch { return nil }
    }

    /// The contradictions that involve a device, and whose second statement comes after a position.
    func contradictions(of device: String, after sequence: UInt64) -> [String] {
        state.contradictions.filter {
            $0.second.stamp.sequence > sequence
                && [$0.first.stamp.device, $0.second.stamp.device].contains(device)
        }.map { one in
            switch one.subject {
            case .task:
                let other = one.first.stamp.device == device ? one.second : one.first
                let clock = Wording.time(other.stamp.time, in: state.shift.timeZone)
                return "someone else had marked \(title(one.subject)) differently "
                    + "(\(word(other.value, one.subject)), \(other.stamp.name.printable) at "
                    + "\(clock)); it counts as not ok if either said so, until it is reviewed"
            case .todo, .figure: return line(one) + "; " + Self.advice(one.subject)
            }
        }
    }

    /// The contradictions that nobody has decided, one line each; those of tasks are listed as
    /// reviews.
    package var open: [String] {
        state.openContradictions.filter {
            if case .task = $0.subject { false } else { true }
        }.map { line($0) + "; " + Self.advice($0.subject) }
    }

    /// All contradictions of the shift, one line each.
    package var all: [String] { state.contradictions.map(line) }

    private static func advice(_ subject: Contradiction.Subject) -> String {
        switch subject {
        case .task: "look again and tick it"
        case .todo: "tick, open or delete it again"
        case .figure: "the later one counts; enter the right one"
        }
    }

    /// Operations that came after the end, one line each.
    func late(_ operations: [ShiftOperation]) -> [String] {
        operations.map {
            "the shift had ended before this came, so it is in its archive as late: " + words($0)
        }
    }

    /// An operation in a few words.
    package func words(_ operation: ShiftOperation) -> String {
        OperationLine.words(operation, state.lists.templates) { title(ofTodo: $0) }.printable
    }

    private func line(_ one: Contradiction) -> String {
        let sides = [one.first, one.second].map { side in
            let clock = Wording.time(side.stamp.time, in: state.shift.timeZone)
            return "\(word(side.value, one.subject)) by \(side.stamp.name.printable) at \(clock)"
        }
        return "contradictory: \(title(one.subject)), " + sides.joined(separator: ", ")
    }

    private func title(_ subject: Contradiction.Subject) -> String {
        switch subject {
        case .task(let key):
            "“\((state.lists.task(key)?.task.title(in: state.language) ?? key.task).printable)”"
        case .todo(let id): "to-do “\((title(ofTodo: id) ?? id).printable)”"
        case .figure(let hour, let kind, let name):
            OperationLine.figure(EnterFigure(hour: hour, kind: kind, name: name)).printable
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
        case .task(let state): return OperationLine.word(state)
        case .todo(let mark): return mark.word
        case .figure(let value):
            guard case .figure(_, let kind, _) = subject else { return "\(value)" }
            return OperationLine.value(EnterFigure(kind: kind, value: value))
        }
    }
}
