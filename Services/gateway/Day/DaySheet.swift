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
    /// Milliseconds since 1970.
    private let now: Int64
    /// What is current; nil for nothing.
    private let current: Day.Place?
    private var words: Words<DayPhrase> { Words(language) }

    /// The list of a day at a time, milliseconds since 1970.
    init(_ day: Day, at now: Int64, language: Language) {
        (self.day, self.now, self.language) = (day, now, language)
        time = DayTime(of: day)
        current = day.current(at: now)
    }

    /// The word for the state of the action at a place.
    func state(of place: Day.Place) -> String { words.say(phrase(of: place)) }

    /// An appointment begins and ends by itself, even in a proposal, and in a day that this device
    /// has while the service can't be reached.
    private func phrase(of place: Day.Place) -> DayPhrase {
        let step = day[place]
        guard place != current else { return .stateNow }
        guard day.items[place.item].isAppointment, step.isToCome, step.start <= now else {
            return step.state.phrase
        }
        return step.end <= now ? .stateDone : .stateNow
    }

    /// Prints the list.
    func show(on printer: Printer) {
        let isProposal = day.state != .confirmed
        let heading = day.date + (isProposal ? "  " + words.say(.isProposal) : "")
        printer.result(StyledLine(heading, .bold))
        var table = TextTable([
            .id("NO"), .time("TIME"), .text(""), .text("WHAT"), .number("MINUTES"),
            .text("STATE"), .whole("WHY"),
        ])
        for place in day.places {
            let (item, step) = (day.items[place.item], day[place])
            guard !item.isAppointment else {
                if place.step == 0 { add(place, item.id, to: &table) }
                continue
            }
            if place.step == 0 {
                table.add([
                    .init(item.id), .init(clock(step)), .init(item.emoji),
                    .init(item.title, .bold), .init(""), .init(""), .init(""),
                ])
            }
            add(place, step.id, to: &table)
        }
        printer.table(table)
        for change in day.changes.prefix(1) where change.account != day.person {
            let text = change.text?.text(in: language) ?? ""
            printer.remark(
                words.say(
                    .changedDay,
                    [
                        "person": change.by.printable, "change": text,
                        "command": "steward day undo",
                    ]))
        }
        if day.paused > 0 { printer.remark(words.say(.isPaused)) }
        if day.isFinished { printer.remark(words.say(.dayDone)) }
        if isProposal {
            printer.remark(words.say(.isItRight, ["command": "steward day confirm"]))
        }
    }

    private func add(_ place: Day.Place, _ number: String, to table: inout TextTable) {
        let step = day[place]
        guard let action = step.action else { return }
        let phrase = phrase(of: place)
        table.add([
            .init(number, .dim), .init(clock(step)), .init(action.emoji),
            .init(
                action.title(in: language),
                phrase == .stateNow || phrase == .stateOpen ? nil : .dim),
            .init("\(action.minutes)"),
            .init(
                words.say(phrase),
                phrase == .stateNow ? .bold : phrase == .stateDone ? .green : .dim),
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
