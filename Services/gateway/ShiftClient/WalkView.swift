import Messages
import ShiftLog

/// What the screen of a walk shows. It is pure: the same walk gives the same lines.
struct WalkView {
    /// What the person is doing.
    enum Mode: Hashable {
        /// One key for each task.
        case marking
        /// Typing a line: what is asked, and what was typed so far.
        case typing(question: String, text: String)
        /// Choosing from lines: what is asked, what was typed, the lines, the chosen one.
        case choosing(question: String, text: String, lines: [String], chosen: Int)
        /// Every task was looked at.
        case finished
        /// The keys are explained.
        case help
    }

    let state: ShiftState
    let position: WalkPosition
    let mode: Mode
    /// What just happened; may be empty.
    let message: String
    /// How sending stands: `all sent`, `kept here, 3 waiting`.
    let sending: String
    /// Milliseconds since 1970.
    let now: Int64

    /// The keys, in one line of 80 columns.
    static let keys =
        "space ok  x not ok  a n/a  n note  u undo  b back  j section  / search  ? help  q quit"
    private static let shortKeys =
        "space ok  x not ok  a n/a  n note  b back  j jump  / find  ? help  q quit"

    /// A window of fewer rows shows the tasks and the line that is typed, and nothing else.
    private static let lowRows = 9

    /// The lines for a window.
    func lines(_ size: Screen.Size) -> [StyledLine] {
        // No one may mark what isn't in sight: in a low window the task comes before all else.
        let isLow = size.rows < Self.lowRows
        let top = isLow ? [] : head(size.columns)
        let bottom = Array(foot(size.columns).prefix(isLow ? 1 : 3))
        let room = max(1, size.rows - top.count - bottom.count)
        var middle: [StyledLine]
        switch mode {
        case .marking, .typing: middle = tasks(room, size.columns)
        case .choosing(_, _, let lines, let chosen): middle = Self.choices(lines, chosen, room)
        case .finished: middle = summary
        case .help: middle = Self.help
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
        var right = "\(progress.lookedAt) of \(progress.tasks)  \(percent) % "
        if progress.notOk > 0 { right = "\(progress.notOk) not ok  " + right }
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
        case .typing: keys = "enter keep  esc leave it"
        case .choosing: keys = "type to search  up, down  enter go there  esc back"
        case .finished: keys = "b back  j section  / search  n note  q quit"
        case .help: keys = "any key goes on"
        case .marking: keys = Self.keys.columns < width ? Self.keys : Self.shortKeys
        }
        return [
            prompt, StyledLine(" " + keys, .bold),
            StyledLine(" " + sending, sending.hasPrefix("kept") ? .yellow : .dim),
        ]
    }

    /// The end of what is typed, so that the cursor stays in sight.
    private static func tail(_ text: String, _ width: Int) -> String {
        String(text.suffix(max(1, width)))
    }

    // MARK: The tasks of the section

    private func tasks(_ room: Int, _ width: Int) -> [StyledLine] {
        guard let key = position.key, let present = state.lists.task(key) else {
            return [StyledLine(" This list has no tasks.")]
        }
        let section = state.lists.section(of: present)
        let sections = list?.sections ?? []
        let number = (sections.firstIndex { $0.id == section.id } ?? 0) + 1
        let progress = state.progress(of: position.list, section: section.id)
        var title = StyledLine(" \(section.name(in: state.language))", .bold)
        title.add(
            "   section \(number) of \(sections.count), \(progress.lookedAt) of "
                + "\(progress.tasks)", .dim)
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
        // The present task stands in the middle, with all of its notes in sight.
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
            line.add(Self.box(result.state), TaskBox.style(result.state))
            line.add(" ")
        }
        let isDone = result.state != .unchecked && !isPresent
        let plain: Style? = isPresent ? .bold : result.listed.isLeaf && isDone ? .dim : nil
        line.add(title, task.general ? isPresent ? .boldOrange : .orange : plain)
        if task.general { line.add("  general", .orange) }
        if let due = dueWords(result) { line.add("  " + due.0, due.1) }
        if result.isInReview { line.add("  marked differently", .yellow) }
        if result.state == .notApplicable, result.listed.isLeaf {
            line.add("  n/a: \(result.shown?.reason ?? "")", .dim)
        }
        return line
    }

    private static func box(_ state: TaskState) -> String {
        switch state {
        case .unchecked: "[ ]"
        case .ok: "[✓]"
        case .notOk: "[✗]"
        case .notApplicable: "[–]"
        }
    }

    private func dueWords(_ result: TaskResult) -> (String, Style)? {
        guard result.listed.isLeaf,
            let due = state.dueTimes.first(where: { $0.key == result.listed.key })
        else { return nil }
        let time = Wording.time(due.due, in: state.shift.timeZone)
        return due.overdue <= now && result.state == .unchecked
            ? ("overdue since \(time)", .alarm) : (time, .dim)
    }

    /// The notes of the present task in full, those of the others in a line.
    private func notes(_ result: TaskResult, _ isPresent: Bool, _ width: Int) -> [StyledLine] {
        let indent = String(repeating: " ", count: 7 + 2 * depth(result.listed))
        var notes = result.notes.map { ("“\($0.text)”", Style.cyan) }
        if isPresent {
            let standing = result.listed.task.note
            if !standing.isEmpty { notes.insert((standing, .cyan), at: 0) }
            if result.isInReview {
                let marks = result.standing.map {
                    "\($0.stamp.name.isEmpty ? "you" : $0.stamp.name): \(Self.word($0.state))"
                }
                notes.append((marks.joined(separator: ", ") + "; look again", .yellow))
            }
        }
        return notes.flatMap { text, style in
            let room = max(20, width - indent.count - 1)
            let rows = isPresent ? Self.wrapped(text, room) : [text.truncated(to: room)]
            return rows.map { StyledLine(indent + $0, isPresent ? style : .dim) }
        }
    }

    static func word(_ state: TaskState) -> String {
        switch state {
        case .unchecked: "open"
        case .ok: "ok"
        case .notOk: "not ok"
        case .notApplicable: "does not apply"
        }
    }

    private func depth(_ task: ListedTask) -> Int {
        task.parent.map { depth(state.lists.tasks[$0]) + 1 } ?? 0
    }

    /// The text in rows of at most so many columns, broken between words.
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

    private static func choices(_ lines: [String], _ chosen: Int, _ room: Int) -> [StyledLine] {
        guard !lines.isEmpty else { return [StyledLine(), StyledLine(" nothing has that in it")] }
        let start = max(0, min(chosen - room / 2, lines.count - room + 1))
        return [StyledLine()]
            + lines.enumerated().dropFirst(start).map { index, line in
                index == chosen
                    ? StyledLine(" ▶ " + line, .bold) : StyledLine("   " + line)
            }
    }

    private var summary: [StyledLine] {
        let progress = state.progress(of: position.list)
        var lines = [
            StyledLine(),
            StyledLine(" Every task of this list was looked at.", .bold),
            StyledLine(),
            StyledLine(" \(Wording.count(progress.ok, "task")) ok", .green),
        ]
        if progress.notOk > 0 {
            lines.append(
                StyledLine(
                    " \(progress.notOk) not ok: they are on the to-do list, steward todo list",
                    .alarm))
        }
        if progress.notApplicable > 0 {
            lines.append(StyledLine(" \(progress.notApplicable) did not apply", .dim))
        }
        return lines
    }

    private static let help: [StyledLine] = [
        "", " space, enter, o   ok or done; goes on to the next open task",
        " x                 not ok: it becomes a to-do at once",
        " a                 does not apply today; asks why",
        " n                 writes a note at the task",
        " u                 takes the mark back",
        " b, up, left       one task back       down, right, tab   one task on",
        " j                 jumps to a section",
        " /                 searches for a task by words of its title",
        " q, ctrl-C         ends; the next walk goes on here",
        "", " Orange tasks are general: watch them over the whole section.",
        " Each mark is kept on this machine at once and sent when there is a connection.",
    ].map { StyledLine($0) }
}
