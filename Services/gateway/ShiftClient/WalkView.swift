import Messages
import Phrases
import ShiftLog
import Speech

/// The screen of a walk. It is pure: the same walk gives the same lines.
package struct WalkView {
    /// What the person is doing.
    package enum Mode: Hashable {
        /// One key for each task.
        case marking
        /// Typing a line: the question, and the text typed so far.
        case typing(question: String, text: String)
        /// Choosing from lines: the question, the text typed so far, the lines, and the index of
        /// the chosen one.
        case choosing(question: String, text: String, lines: [String], chosen: Int)
        /// Every task is marked.
        case finished
        /// Showing what the keys do.
        case help
    }

    /// The state of sending.
    package enum Sending: Hashable {
        case done
        /// This number of operations is under way.
        case underWay(Int)
        /// This number of operations is kept here because of an obstacle.
        case kept(Int, obstacle: String)

        fileprivate func text(_ words: Words<ScreenPhrase>) -> String {
            switch self {
            case .done: words.say(.allSent)
            case .underWay(let count): words.say(.sending, ["count": "\(count)"])
            case .kept(let count, let obstacle):
                words.say(.kept, ["count": "\(count)", "obstacle": obstacle])
            }
        }

        fileprivate var style: Style {
            if case .kept = self { return .yellow }
            return .dim
        }
    }

    let state: ShiftState
    let position: WalkPosition
    let mode: Mode
    /// News for the person; may be empty.
    let message: String
    /// The state of sending.
    let sending: Sending
    /// Milliseconds since 1970.
    let now: Int64
    /// The language of texts that don't come from the lists.
    let language: Language

    private var words: Words<ScreenPhrase> { Words(language) }

    /// The screen at a time, milliseconds since 1970.
    package init(
        state: ShiftState, position: WalkPosition, mode: Mode, message: String, sending: Sending,
        now: Int64, language: Language = .english
    ) {
        (self.state, self.position, self.mode) = (state, position, mode)
        (self.message, self.sending, self.now) = (message, sending, now)
        self.language = language
    }

    /// The number of rows below which a window shows only the tasks and the line being typed.
    private static let lowRows = 9

    /// The lines for a window of this size.
    package func lines(_ size: WindowSize) -> [StyledLine] {
        // No one should mark a task that they can't see: in a low window the task comes first.
        let isLow = size.rows < Self.lowRows
        let top = isLow ? [] : head(size.columns)
        let bottom = Array(foot(size.columns).prefix(isLow ? 1 : 3))
        let room = max(1, size.rows - top.count - bottom.count)
        var middle: [StyledLine]
        switch mode {
        case .marking, .typing: middle = tasks(room, size.columns)
        case .choosing(_, _, let lines, let chosen): middle = choices(lines, chosen, room)
        case .finished: middle = summary
        case .help: middle = help
        }
        middle = Array(middle.prefix(room))
        middle += Array(repeating: StyledLine(), count: room - middle.count)
        return top + middle + bottom
    }

    private var list: ChecklistTemplate? { state.lists.template(position.list) }

    private func head(_ width: Int) -> [StyledLine] {
        let progress = state.progress(of: position.list)
        let percent = progress.tasks == 0 ? 100 : progress.lookedAt * 100 / progress.tasks
        let left = " \(list?.name(in: state.language) ?? "")"
        var right = progress.text(words) + "  \(percent) % "
        if progress.notOk > 0 {
            right = words.say(.notOkCount, ["count": "\(progress.notOk)"]) + "  " + right
        }
        var bar = StyledLine(left)
        let site = "  \(state.shift.siteName)  \(Wording.time(now, in: state.shift.timeZone))"
        if left.columns + site.columns + right.columns + 2 < width { bar.add(site) }
        let gap = width - bar.columns - right.columns
        bar.add(String(repeating: " ", count: max(1, gap)) + right)
        let done = progress.tasks == 0 ? width : progress.lookedAt * width / progress.tasks
        var meter = StyledLine(String(repeating: "█", count: done), .green)
        meter.add(String(repeating: "░", count: width - done), .dim)
        return [bar.fitted(to: width).all(in: .inverse), meter]
    }

    private func foot(_ width: Int) -> [StyledLine] {
        var prompt = StyledLine(" " + message, .yellow)
        switch mode {
        case .typing(let question, let text), .choosing(let question, let text, _, _):
            prompt = StyledLine(" \(question): ", .bold)
            prompt.add(Self.tail(text, width - question.columns - 5))
            prompt.add(" ", .inverse)
        default: break
        }
        let keys: String
        switch mode {
        case .typing: keys = words.say(.keysTyping)
        case .choosing: keys = words.say(.keysChoosing)
        case .finished: keys = words.say(.keysFinished)
        case .help: keys = words.say(.keysHelp)
        case .marking:
            let all = words.say(.keys)
            keys = all.columns < width ? all : words.say(.keysShort)
        }
        return [
            prompt, StyledLine(" " + keys.keys(fitting: width - 1), .bold),
            StyledLine(" " + sending.text(words), sending.style),
        ]
    }

    /// The end of the typed text, so that the cursor stays visible.
    private static func tail(_ text: String, _ width: Int) -> String {
        String(text.suffix(max(1, width)))
    }

    // MARK: The tasks of the section

    private func tasks(_ room: Int, _ width: Int) -> [StyledLine] {
        guard let key = position.key, let present = state.lists.task(key) else {
            return [StyledLine(" " + words.say(.noTasks))]
        }
        let section = state.lists.section(of: present)
        let sections = list?.sections ?? []
        let number = (sections.firstIndex { $0.id == section.id } ?? 0) + 1
        let progress = state.progress(of: position.list, section: section.id)
        var title = StyledLine(" \(section.name(in: state.language))", .bold)
        let place = words.say(
            .section,
            [
                "number": "\(number)", "sections": "\(sections.count)",
                "done": "\(progress.lookedAt)", "count": "\(progress.tasks)",
            ])
        title.add("   " + place, .dim)
        var lines: [StyledLine] = []
        var first = 0
        var last = 0
        for result in state.results(of: position.list)
        where state.lists.section(of: result.listed).id == section.id {
            let isPresent = result.listed.key == key
            if isPresent { first = lines.count }
            lines.append(line(result, isPresent))
            lines += notes(result, isPresent, width)
            if isPresent { last = lines.count }
        }
        // The present task is in the middle, with all of its notes visible.
        let heading = room < 4 ? [] : [StyledLine(), title]
        let height = room - heading.count
        let middle = first - max(0, height - (last - first)) / 2
        let start = max(0, min(middle, lines.count - height))
        return heading + lines.dropFirst(start).prefix(max(1, height))
    }

    private func line(_ result: TaskResult, _ isPresent: Bool) -> StyledLine {
        let task = result.listed.task
        let title = task.title(in: state.language)
        let indent = String(repeating: "  ", count: depth(result.listed))
        var line = StyledLine(isPresent ? " ▶ " : "   ", .bold)
        line.add(indent)
        if result.listed.isLeaf {
            line.add(TaskBox.text(result), TaskBox.style(result.state))
            line.add(" ")
        }
        let isDone = result.state != .unchecked && !isPresent
        let plain: Style? = isPresent ? .bold : result.listed.isLeaf && isDone ? .dim : nil
        line.add(title, task.general ? isPresent ? .boldOrange : .orange : plain)
        if task.general { line.add("  " + words.say(.general), .orange) }
        if let due = dueWords(result) { line.add("  " + due.0, due.1) }
        let answer = result.answer(separator: language.decimalSeparator)
        if !answer.isEmpty { line.add("  " + answer, TaskBox.style(result.state)) }
        if result.isInReview { line.add("  " + words.say(.markedDifferently), .yellow) }
        if result.state == .notApplicable, result.listed.isLeaf {
            let reason = result.shown?.reason ?? ""
            line.add("  " + words.say(.notApplicableBecause, ["reason": reason]), .dim)
        }
        return line
    }

    private func dueWords(_ result: TaskResult) -> (String, Style)? {
        guard result.listed.isLeaf,
            let due = state.dueTimes.first(where: { $0.key == result.listed.key })
        else { return nil }
        let time = Wording.time(due.due, in: state.shift.timeZone)
        return due.overdue <= now && result.state == .unchecked
            ? (words.say(.overdue, ["clock": time]), .alarm) : (time, .dim)
    }

    /// The notes of the present task in full, those of other tasks in one line.
    private func notes(_ result: TaskResult, _ isPresent: Bool, _ width: Int) -> [StyledLine] {
        let indent = String(repeating: " ", count: 7 + 2 * depth(result.listed))
        var notes = result.notes.map { ("“\($0.text)”", Style.cyan) }
        if isPresent {
            let standing = result.listed.task.note
            if !standing.isEmpty { notes.insert((standing, .cyan), at: 0) }
            if result.isInReview {
                let marks = result.standing.map {
                    let name = $0.stamp.name.isEmpty ? words.say(.you) : $0.stamp.name
                    return "\(name): \(word($0.state))"
                }
                let marked = marks.joined(separator: ", ")
                notes.append((words.say(.lookAgain, ["marks": marked]), .yellow))
            }
        }
        return notes.flatMap { text, style in
            let room = max(20, width - indent.count - 1)
            let rows = isPresent ? Self.wrapped(text, room) : [text.truncated(to: room)]
            return rows.map { StyledLine(indent + $0, isPresent ? style : .dim) }
        }
    }

    private func word(_ state: TaskState) -> String {
        words.say(family: "state", "\(state)") ?? "\(state)"
    }

    private func depth(_ task: ListedTask) -> Int {
        task.parent.map { depth(state.lists.tasks[$0]) + 1 } ?? 0
    }

    /// The text in rows of at most `width` columns, broken between words.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var rows: [String] = [""]
        for word in text.printable.split(separator: " ") {
            let row = rows[rows.count - 1]
            if row.isEmpty {
                rows[rows.count - 1] = String(word)
            } else if row.columns + 1 + String(word).columns <= width {
                rows[rows.count - 1] += " " + word
            } else {
                rows.append(String(word))
            }
        }
        return rows
    }

    // MARK: The other screens

    private func choices(_ lines: [String], _ chosen: Int, _ room: Int) -> [StyledLine] {
        guard !lines.isEmpty else {
            return [StyledLine(), StyledLine(" " + words.say(.nothingFound))]
        }
        let start = max(0, min(chosen - room / 2, lines.count - room + 1))
        return [StyledLine()]
            + lines.enumerated().dropFirst(start).map { index, line in
                index == chosen
                    ? StyledLine(" ▶ " + line, .bold) : StyledLine("   " + line)
            }
    }

    /// Says that nothing is left to mark: for a crew member, what is theirs.
    private var finished: String {
        let isAll = position.crew == nil || state.progress(of: position.list).isComplete
        return words.say(isAll ? .finished : .finishedOwn)
    }

    private var summary: [StyledLine] {
        let progress = state.progress(of: position.list)
        var lines = [
            StyledLine(),
            StyledLine(" " + finished, .bold),
            StyledLine(),
            StyledLine(" " + words.say(.finishedOk, ["count": "\(progress.ok)"]), .green),
        ]
        if progress.notOk > 0 {
            lines.append(
                StyledLine(
                    " "
                        + words.say(
                            .finishedNotOk,
                            ["count": "\(progress.notOk)", "command": "steward todo list"]),
                    .alarm))
        }
        if progress.notApplicable > 0 {
            let count = "\(progress.notApplicable)"
            lines.append(
                StyledLine(" " + words.say(.finishedNotApplicable, ["count": count]), .dim))
        }
        return lines
    }

    private var help: [StyledLine] {
        let keys: [ScreenPhrase] = [
            .helpOk, .helpNotOk, .helpNotApplicable, .helpNote, .helpUndo, .helpStep, .helpSection,
            .helpSearch, .helpQuit,
        ]
        let others: [ScreenPhrase] = [.helpGeneral, .helpSending]
        let blocks = [keys, others].map { $0.map { StyledLine(" " + words.say($0)) } }
        return blocks.flatMap { [StyledLine()] + $0 }
    }
}

extension ListProgress {
    /// The number of marked tasks, and of all tasks.
    package func text(_ words: Words<ScreenPhrase>) -> String {
        words.say(.progress, ["done": "\(lookedAt)", "count": "\(tasks)"])
    }
}
