import LocalTime
import Messages
import ShiftLog
import Speech

/// An operation in a few words.
enum OperationLine {
    /// `Fryer oil was changed: not ok`.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - lists: the lists of its shift.
    ///   - titleOfTodo: returns the title of a to-do, if it is known.
    static func words(
        _ operation: ShiftOperation, _ lists: [ChecklistTemplate],
        todo titleOfTodo: (String) -> String? = { _ in nil }
    ) -> String {
        func task(_ list: String, _ id: String) -> ChecklistTask? {
            lists.first { $0.id == list }?.sections.flatMap(\.tasks).first { $0.id == id }
        }
        func title(_ list: String, _ id: String) -> String { task(list, id)?.title ?? id }
        func name(of todo: String) -> String {
            if let known = titleOfTodo(todo) { return "to-do “\(known)”" }
            let parts = todo.split(separator: "/").map(String.init)
            return parts.count == 2 ? "to-do “\(title(parts[0], parts[1]))”" : "to-do"
        }
        switch operation.change {
        case .mark(let mark):
            let reason = mark.notApplicable
            let word = reason.isEmpty ? finding(mark.finding) : "does not apply: \(reason)"
            let rule = task(mark.list, mark.task)?.answer
            let answer = mark.answer.flatMap { rule?.text(of: $0) }.map { $0 + ", " } ?? ""
            return "\(title(mark.list, mark.task)): \(answer)\(word)"
        case .note(let note): return "\(title(note.list, note.task)): note “\(note.text)”"
        case .addTodo(let todo): return "to-do “\(todo.title)” added"
        case .markTodo(let mark): return "\(name(of: mark.todo)): \(mark.mark.word)"
        case .noteTodo(let note): return "\(name(of: note.todo)): note “\(note.text)”"
        case .changeTodo(let change): return "\(name(of: change.todo)): changed"
        case .carry(let carry): return "to-do “\(carry.todo.content.title)” of an earlier shift"
        case .beginTravelPath: return "travel path begun"
        case .logTravelPath(let log):
            return "travel path walked" + (log.text.isEmpty ? "" : ": \(log.text)")
        case .figure(let figure): return "\(Self.figure(figure)): \(value(figure))"
        case .letCrew(let change):
            let list = lists.first { $0.id == change.list }?.name ?? change.list
            let who = change.account.isEmpty ? "crew members" : change.account
            return "\(list): \(who) may \((change.crewMay ?? .unspecified).word)"
        case .review(let review):
            return "\(title(review.list, review.task)): reviewed, \(finding(review.finding))"
        case .begun: return "the shift began"
        case .ended: return "the shift ended"
        case nil: return "something that this version does not know"
        }
    }

    /// The title of what an operation is about, in the language in which it was written; for the
    /// few that have none, the operation in a few words.
    static func title(_ operation: ShiftOperation, _ lists: [ChecklistTemplate]) -> String {
        func title(_ list: String, _ task: String) -> String {
            lists.first { $0.id == list }?.sections.flatMap(\.tasks).first { $0.id == task }?.title
                ?? task
        }
        return switch operation.change {
        case .mark(let mark): title(mark.list, mark.task)
        case .note(let note): title(note.list, note.task)
        case .addTodo(let todo): todo.title
        default: words(operation, lists)
        }
    }

    /// `sales at 12:00`
    static func figure(_ figure: EnterFigure) -> String {
        let what =
            switch figure.kind {
            case .salesPlanned: "planned sales"
            case .salesActual: "sales"
            case .crewPlanned: "planned crew time"
            case .crewActual: "crew time"
            default: figure.name
            }
        return "\(what) at \(LocalTime.text(minutes: Int(min(figure.hour, 23)) * 60))"
    }

    /// `2345.50`, `14 h 30 min`
    static func value(_ figure: EnterFigure) -> String {
        switch figure.kind {
        case .salesPlanned, .salesActual: FigureText.decimal(figure.value, 100)
        case .crewPlanned, .crewActual: FigureText.hours(figure.value)
        default: FigureText.decimal(figure.value, 1000)
        }
    }

    /// The state of a task in a word.
    static func word(_ state: TaskState) -> String {
        switch state {
        case .unchecked: "not marked"
        case .ok: "ok"
        case .notOk: "not ok"
        case .notApplicable: "does not apply"
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

extension CrewMay {
    /// The word as it is typed and shown.
    package var word: String {
        switch self {
        case .tick: "tick"
        case .inspect: "inspect"
        default: "nothing"
        }
    }
}

/// Figures of the sales report as they are printed.
package enum FigureText {
    /// Minutes as `14 h 30 min`.
    package static func hours(_ minutes: Int64) -> String {
        "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }

    /// A value in its whole unit; thousandths without trailing zeros.
    package static func decimal(_ value: Int64, _ scale: Int64) -> String {
        var digits = String(value.magnitude % scale.magnitude + scale.magnitude).dropFirst()
        if scale == 1000 { while digits.last == "0" { digits = digits.dropLast() } }
        let whole = "\(value < 0 ? "-" : "")\(value.magnitude / scale.magnitude)"
        return digits.isEmpty ? whole : "\(whole).\(digits)"
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
