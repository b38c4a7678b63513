import Messages
import ShiftLog
import Speech

/// Prepares the tasks of a shift's lists for listings.
package struct TaskListing {
    /// A task in JSON.
    package struct Report: Encodable {
        /// Its number in listings.
        package let number: Int
        let list: String
        let section: String
        let task: String
        /// Its title in the language of the shift.
        package let title: String
        let state: TaskState
        let reason: String
        let general: Bool
        let securityRound: Bool
        let area: String
        let priority: String
        /// When it is due; absent without a time.
        let due: Moment?
        let overdue: Bool
        let inReview: Bool
        let note: String
        let notes: [String]
        let by: String
        /// When it was marked; absent until then.
        let time: Moment?
        /// What it asks for in addition to the finding, e.g. `a number from 0 to 5 °C`; empty for
        /// nothing.
        let asks: String
        /// The answer, with its unit; empty until there is one.
        let answer: String

        /// The state in a few words.
        package var words: String {
            let word =
                switch state {
                case .unchecked: "open"
                case .ok: "ok"
                case .notOk: "not ok"
                case .notApplicable: "does not apply: \(reason.printable)"
                }
            return answer.isEmpty ? word : "\(answer.printable), \(word)"
        }
    }

    private let state: ShiftState
    private let isShown: (TaskResult) -> Bool
    private let names: ShiftNames
    private let due: [TaskKey: Int64]
    private let overdue: Set<TaskKey>

    /// The tasks as of a time, milliseconds since 1970, filtered for display.
    package init(
        _ state: ShiftState, at now: Int64, showing isShown: @escaping (TaskResult) -> Bool
    ) {
        self.state = state
        self.isShown = isShown
        names = ShiftNames(state)
        due = Dictionary(
            state.dueTimes.map { ($0.key, $0.due) }, uniquingKeysWith: { first, _ in first })
        overdue = Set(state.overdue(at: now).map(\.key))
    }

    /// A list's tasks in JSON.
    package func reports(of list: ChecklistTemplate) -> [Report] {
        state.results(of: list.id).filter(isShown).map(report)
    }

    /// A task in JSON.
    package func report(_ key: TaskKey) -> Report {
        state.result(of: key).map(report)
            ?? Report(
                number: 0, list: key.list, section: "", task: key.task, title: key.task,
                state: .unchecked, reason: "", general: false, securityRound: false, area: "",
                priority: "", due: nil, overdue: false, inReview: false, note: "", notes: [],
                by: "", time: nil, asks: "", answer: "")
    }

    private func report(_ result: TaskResult) -> Report {
        let task = result.listed.task
        return Report(
            number: names.number(of: result.listed.key), list: result.listed.key.list,
            section: state.lists.section(of: result.listed).id, task: task.id,
            title: task.title(in: state.language), state: result.state,
            reason: result.shown?.reason ?? "", general: task.general,
            securityRound: task.securityRound, area: task.area, priority: task.priority,
            due: due[result.listed.key].map(Moment.init),
            overdue: overdue.contains(result.listed.key),
            inReview: result.isInReview, note: task.note, notes: result.notes.map(\.text),
            by: result.shown?.stamp.name ?? "",
            time: (result.shown?.stamp.time).map(Moment.init),
            asks: task.answer?.wanted ?? "", answer: result.answer())
    }

    /// A list as text: a heading, then the sections with their tasks.
    package func lines(of list: ChecklistTemplate) -> [StyledLine] {
        let progress = state.progress(of: list.id)
        let title = list.name(in: state.language)
        var lines = [
            StyledLine("\(title)  \(progress.lookedAt) of \(progress.tasks)", .bold)
        ]
        let results = state.results(of: list.id).filter(isShown)
        for section in list.sections {
            let here = results.filter { state.lists.section(of: $0.listed).id == section.id }
            guard !here.isEmpty else { continue }
            var head = StyledLine("  ")
            head.add(section.name(in: state.language), .bold)
            lines += [head] + here.flatMap { self.lines($0) }
        }
        return lines
    }

    private func lines(_ result: TaskResult) -> [StyledLine] {
        let task = result.listed.task
        let number = String(names.number(of: result.listed.key)).padded(to: 5, onTheLeft: true)
        let indent = String(repeating: "  ", count: depth(result.listed))
        var line = StyledLine("\(number)  \(indent)")
        line.add(TaskBox.text(result), TaskBox.style(result.state))
        line.add(" ")
        line.add(task.title(in: state.language), task.general ? .orange : nil)
        if task.general { line.add("  (general)", .orange) }
        if let due = due[result.listed.key], result.listed.isLeaf {
            let time = Wording.time(due, in: state.shift.timeZone)
            let isLate = overdue.contains(result.listed.key)
            line.add(isLate ? "  overdue since \(time)" : "  \(time)", isLate ? .alarm : .dim)
        }
        let answer = result.answer()
        if !answer.isEmpty { line.add("  \(answer)", TaskBox.style(result.state)) }
        if let rule = task.answer, answer.isEmpty { line.add("  \(rule.wanted)", .dim) }
        if result.isInReview { line.add("  marked differently by two people", .yellow) }
        if result.state == .notApplicable {
            line.add("  does not apply: \(result.shown?.reason ?? "")")
        }
        let notes = ([task.note].filter { !$0.isEmpty } + result.notes.map(\.text)).map { text in
            var note = StyledLine(String(repeating: " ", count: 12) + indent)
            note.add(text, .dim)
            return note
        }
        return [line] + notes
    }

    private func depth(_ task: ListedTask) -> Int {
        task.parent.map { depth(state.lists.tasks[$0]) + 1 } ?? 0
    }
}

/// The box before a task in lists and in the walk: `[ ]`, `[✓]`, `[✗]`, `[–]`; a parent's in round
/// brackets, because it can't be set.
package enum TaskBox {
    /// The box of a task.
    package static func text(_ result: TaskResult) -> String {
        let sign = sign(result.state)
        return result.listed.isLeaf ? "[\(sign)]" : "(\(sign))"
    }

    /// The sign of a state: the same as on paper.
    package static func sign(_ state: TaskState) -> String {
        switch state {
        case .unchecked: " "
        case .ok: "✓"
        case .notOk: "✗"
        case .notApplicable: "–"
        }
    }

    /// The style that makes a state stand out.
    package static func style(_ state: TaskState) -> Style? {
        switch state {
        case .unchecked: nil
        case .ok: .green
        case .notOk: .alarm
        case .notApplicable: .dim
        }
    }
}
