import LocalTime
import Messages
import Phrases
import ShiftLog
import Speech

/// An operation in a few words.
struct OperationLine {
    private let words: Words<ScreenPhrase>
    private let papers: Words<PaperPhrase>

    /// Operations in a language; titles stay as they are.
    init(in language: Language = .english) { (words, papers) = (Words(language), Words(language)) }

    /// `Fryer oil was changed: not ok`.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - lists: the lists of its shift.
    ///   - titleOfTodo: returns the title of a to-do, if it is known.
    func text(
        _ operation: ShiftOperation, _ lists: [ChecklistTemplate],
        todo titleOfTodo: (String) -> String? = { _ in nil }
    ) -> String {
        func task(_ list: String, _ id: String) -> ChecklistTask? {
            lists.first { $0.id == list }?.sections.flatMap(\.tasks).first { $0.id == id }
        }
        func title(_ list: String, _ id: String) -> String { task(list, id)?.title ?? id }
        func name(of todo: String) -> String {
            if let known = titleOfTodo(todo) { return words.say(.todoTitled, ["title": known]) }
            let parts = todo.split(separator: "/").map(String.init)
            guard parts.count == 2 else { return words.say(.todoUntitled) }
            return words.say(.todoTitled, ["title": title(parts[0], parts[1])])
        }
        func note(_ text: String, on subject: String) -> String {
            words.say(.noteOn, ["subject": subject, "text": text])
        }
        switch operation.change {
        case .mark(let mark):
            let reason = mark.notApplicable
            let word =
                reason.isEmpty
                ? finding(mark.finding)
                : papers.say(.notApplicableBecause, ["reason": reason])
            let rule = task(mark.list, mark.task)?.answer
            let separator = words.language.decimalSeparator
            let answer = mark.answer.flatMap { rule?.text(of: $0, separator: separator) }
            return "\(title(mark.list, mark.task)): \(answer.map { $0 + ", " } ?? "")\(word)"
        case .note(let one): return note(one.text, on: title(one.list, one.task))
        case .addTodo(let todo): return words.say(.todoAdded, ["title": todo.title])
        case .markTodo(let mark): return "\(name(of: mark.todo)): \(word(mark.mark))"
        case .noteTodo(let one): return note(one.text, on: name(of: one.todo))
        case .changeTodo(let change):
            return "\(name(of: change.todo)): \(papers.say(.todoChanged))"
        case .carry(let carry):
            return words.say(.todoCarried, ["title": carry.todo.content.title])
        case .beginTravelPath: return words.say(.pathBegun)
        case .logTravelPath(let log):
            return words.say(.pathWalked) + (log.text.isEmpty ? "" : ": \(log.text)")
        case .figure(let one): return "\(figure(one)): \(value(one))"
        case .letCrew(let change):
            let list = lists.first { $0.id == change.list }?.name ?? change.list
            let who = change.account.isEmpty ? words.say(.crewMembers) : change.account
            let what = word(change.crewMay ?? .unspecified)
            return words.say(.crewLet, ["list": list, "who": who, "what": what])
        case .review(let review):
            let reviewed = title(review.list, review.task)
            return words.say(.reviewed, ["title": reviewed, "mark": finding(review.finding)])
        case .begun: return words.say(.shiftBegan)
        case .ended: return words.say(.shiftEnded)
        case nil: return words.say(.unknownOperation)
        }
    }

    /// The title of what an operation is about, in the language in which it was written; for the
    /// few that have none, the operation in a few words.
    func title(_ operation: ShiftOperation, _ lists: [ChecklistTemplate]) -> String {
        func title(_ list: String, _ task: String) -> String {
            lists.first { $0.id == list }?.sections.flatMap(\.tasks).first { $0.id == task }?.title
                ?? task
        }
        return switch operation.change {
        case .mark(let mark): title(mark.list, mark.task)
        case .note(let note): title(note.list, note.task)
        case .addTodo(let todo): todo.title
        default: text(operation, lists)
        }
    }

    /// `sales at 12:00`
    func figure(_ figure: EnterFigure) -> String {
        let what =
            switch figure.kind {
            case .salesPlanned: words.say(.salesPlanned)
            case .salesActual: words.say(.salesActual)
            case .crewPlanned: words.say(.crewPlanned)
            case .crewActual: words.say(.crewActual)
            default: figure.name
            }
        let clock = LocalTime.text(minutes: Int(min(figure.hour, 23)) * 60)
        return words.say(.figureAt, ["figure": what, "clock": clock])
    }

    /// `2345.50`, `14 h 30 min`
    func value(_ figure: EnterFigure) -> String {
        let separator = words.language.decimalSeparator
        return switch figure.kind {
        case .salesPlanned, .salesActual: FigureText.decimal(figure.value, 100, separator)
        case .crewPlanned, .crewActual: FigureText.hours(figure.value)
        default: FigureText.decimal(figure.value, 1000, separator)
        }
    }

    /// The state of a task in a word.
    func word(_ state: TaskState) -> String {
        switch state {
        case .unchecked: papers.say(.notMarked)
        case .ok: papers.say(.ok)
        case .notOk: papers.say(.notOk)
        case .notApplicable: papers.say(.notApplicable)
        }
    }

    /// The state of a to-do in a word.
    func word(_ mark: TodoMark) -> String {
        switch mark {
        case .open: papers.say(.todoOpen)
        case .done: papers.say(.todoDone)
        case .removed: papers.say(.todoRemoved)
        default: mark.word
        }
    }

    private func word(_ crewMay: CrewMay) -> String {
        switch crewMay {
        case .tick: words.say(.crewMayTick)
        case .inspect: words.say(.crewMayInspect)
        default: words.say(.crewMayNothing)
        }
    }

    private func finding(_ finding: Finding) -> String {
        switch finding {
        case .ok: papers.say(.ok)
        case .notOk: papers.say(.notOk)
        default: words.say(.markTakenBack)
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
    package static func decimal(
        _ value: Int64, _ scale: Int64, _ separator: String = "."
    ) -> String {
        var digits = String(value.magnitude % scale.magnitude + scale.magnitude).dropFirst()
        if scale == 1000 { while digits.last == "0" { digits = digits.dropLast() } }
        let whole = "\(value < 0 ? "-" : "")\(value.magnitude / scale.magnitude)"
        return digits.isEmpty ? whole : whole + separator + digits
    }
}

extension Shift {
    /// `the day shift of 2026-11-21 at Harbour`
    package var line: String {
        "the \(dayPartWord) shift of \(date) at \(siteName.printable)"
    }

    /// The shift in JSON, with its part of the day and the kinds of its lists as words.
    package var report: Extended<Shift> {
        let lists = lists.map { list in
            Extended(list, ["kind": ListKind(rawValue: Int32(clamping: list.kind))])
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
