import LocalTime
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

/// A day as a list: what is done when, with what result and why.
struct DaySheet {
    private let day: Day
    private let language: Language
    private let time: DayTime?
    private var words: Words<DayPhrase> { Words(language) }

    init(_ day: Day, language: Language) {
        (self.day, self.language) = (day, language)
        time = DayTime(of: day)
    }

    /// Prints the list.
    func show(on printer: Printer) {
        let isProposal = day.state != .confirmed
        printer.result(StyledLine(day.date + (isProposal ? "  proposal" : ""), .bold))
        var table = TextTable([
            .id("NO"), .time("TIME"), .text(""), .text("WHAT"), .number("MINUTES"),
            .text("STATE"), .text("WHY"),
        ])
        for item in day.items {
            guard !item.isAppointment, let first = item.steps.first else {
                if let step = item.steps.first { add(step, item.id, to: &table) }
                continue
            }
            table.add([
                .init(item.id), .init(clock(first)), .init(item.emoji), .init(item.title, .bold),
                .init(""), .init(""), .init(""),
            ])
            for step in item.steps { add(step, step.id, to: &table) }
        }
        printer.table(table)
        for change in day.changes.prefix(1) where change.account != day.person {
            let text = change.text?.text(in: language) ?? ""
            printer.remark(
                "\(change.by.printable) changed this day: \(text); take it back: steward day undo")
        }
        if day.paused > 0 { printer.remark(words.say(.isPaused)) }
        if day.isFinished { printer.remark(words.say(.dayDone)) }
        if isProposal { printer.remark("is it right? steward day confirm") }
    }

    private func add(_ step: DayStep, _ number: String, to table: inout TextTable) {
        guard let action = step.action else { return }
        let isOver = step.state != .unspecified
        table.add([
            .init(number, .dim), .init(clock(step)), .init(action.emoji),
            .init(action.title(in: language), isOver ? .dim : nil), .init("\(action.minutes)"),
            .init(words.say(step.state.phrase), step.state == .done ? .green : .dim),
            .init(step.reason?.text(in: language) ?? ""),
        ])
    }

    private func clock(_ step: DayStep) -> String {
        let instant = step.began > 0 ? step.began : step.start
        return instant > 0 ? time?.clock(instant) ?? "" : ""
    }
}

extension StepState {
    /// The word for the state of an action.
    var phrase: DayPhrase {
        switch self {
        case .done: .stateDone
        case .skipped: .stateSkipped
        case .leftOut: .stateLeftOut
        default: .stateOpen
        }
    }
}
