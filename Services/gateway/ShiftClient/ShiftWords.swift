import LocalTime
import Messages
import ShiftLog
import Speech

/// An operation in a few words.
enum OperationLine {
    /// `Fryer oil was changed: not ok`.
    static func words(_ operation: ShiftOperation, _ lists: [ChecklistTemplate]) -> String {
        func title(_ list: String, _ task: String) -> String {
            lists.first { $0.id == list }?.sections.flatMap(\.tasks).first { $0.id == task }?.title
                ?? task
        }
        switch operation.change {
        case .mark(let mark):
            let reason = mark.notApplicable
            let word = reason.isEmpty ? finding(mark.finding) : "does not apply: \(reason)"
            return "\(title(mark.list, mark.task)): \(word)"
        case .note(let note): return "\(title(note.list, note.task)): note “\(note.text)”"
        case .addTodo(let todo): return "to-do “\(todo.title)” added"
        case .markTodo(let mark):
            let parts = mark.todo.split(separator: "/").map(String.init)
            let name = parts.count == 2 ? title(parts[0], parts[1]) : "to-do"
            return "\(name): \(mark.mark.description)"
        case .noteTodo(let note): return "to-do: note “\(note.text)”"
        case .beginTravelPath: return "travel path begun"
        case .logTravelPath(let log):
            return "travel path walked" + (log.text.isEmpty ? "" : ": \(log.text)")
        case .figure(let figure):
            return "figure for \(LocalTime.text(minutes: Int(figure.hour) * 60))"
        case .review(let review):
            return "\(title(review.list, review.task)): reviewed, \(finding(review.finding))"
        case .begun: return "the shift began"
        case .ended: return "the shift ended"
        case nil: return "something that this version does not know"
        }
    }

    private static func finding(_ finding: Finding) -> String {
        switch finding {
        case .ok: "ok"
        case .notOk: "not ok"
        default: "mark taken back"
        }
    }
}

extension Shift {
    /// `the day shift of 2026-11-21 at Harbour`
    package var line: String {
        "the \(dayPartWord) shift of \(date) at \(siteName.printable)"
    }

    /// The shift in JSON, with its part of the day and the kinds of its lists as words.
    var report: Extended<Shift> {
        let lists = lists.map { list in
            Extended(list, ["kind": ListKind(rawValue: Int32(clamping: list.kind)).word])
        }
        return Extended(self, ["dayPart": dayPartWord, "lists": lists])
    }

    /// `day` or `evening`.
    package var dayPartWord: String { dayPart == 2 ? "evening" : "day" }
}

extension TravelPathSlot.State {
    /// The style that makes it stand out.
    package var style: Style {
        switch self {
        case .open: .yellow
        case .done: .green
        case .late: .orange
        case .missed: .alarm
        }
    }
}
