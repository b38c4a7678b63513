import Messages
import Phrases
import ShiftLog
import Speech

/// The screen of the wall display. It is pure: the same shift at the same time gives the same
/// lines.
package struct BoardView {
    /// The site's name.
    let site: String
    /// The shift as last received; nil if none is open.
    let state: ShiftState?
    /// The equipment that doesn't work properly, by name.
    let faulty: [Equipment]
    /// Why the service can't be reached; nil if it can.
    let obstacle: String?
    /// When the service last answered, milliseconds since 1970; 0 for never.
    let lastHeard: Int64
    /// Milliseconds since 1970.
    let now: Int64
    /// The language of texts that don't come from the lists.
    let language: Language

    private var words: Words<ScreenPhrase> { Words(language) }

    /// The screen at a time, milliseconds since 1970.
    package init(
        site: String, state: ShiftState?, faulty: [Equipment] = [], obstacle: String?,
        lastHeard: Int64, now: Int64, language: Language = .english
    ) {
        (self.site, self.state, self.faulty, self.obstacle) = (site, state, faulty, obstacle)
        (self.lastHeard, self.now, self.language) = (lastHeard, now, language)
    }

    /// The lines for a window of this size.
    package func lines(_ size: WindowSize) -> [StyledLine] {
        guard let state else { return idle(size) }
        let head = header(state, size.columns) + band(state, size)
        let foot = footer(state, size.columns)
        let warnings = warnings(state, max(2, size.rows / 5))
        let room = max(0, size.rows - head.count - foot.count - warnings.count)
        var middle = Array(columns(state, size.columns, room).prefix(room))
        middle += Array(repeating: StyledLine(), count: room - middle.count)
        let lines = head + middle + warnings + foot
        guard obstacle != nil else { return lines }
        return lines.dropLast().map { $0.all(in: .dim) } + lines.suffix(1)
    }

    private func time(_ milliseconds: Int64) -> String {
        state.map { Wording.time(milliseconds, in: $0.shift.timeZone) }
            ?? SiteClock(zone: nil).time(milliseconds)
    }

    private func idle(_ size: WindowSize) -> [StyledLine] {
        var lines = [StyledLine(" " + site).fitted(to: size.columns).all(in: .inverse)]
        lines += Array(repeating: StyledLine(), count: max(1, size.rows / 2 - 6))
        lines += BlockLetters.lines(time(now), scale: scale(size)).map { Self.centred($0, size) }
        let words =
            obstacle ?? self.words.say(lastHeard == 0 ? .asking : .noShift)
        return lines + ["", Self.centred(words, size), ""] + faults.prefix(max(1, size.rows / 4))
    }

    private static func centred(_ text: String, _ size: WindowSize) -> StyledLine {
        let blanks = max(0, (size.columns - text.columns) / 2)
        return StyledLine(String(repeating: " ", count: blanks) + text)
    }

    private func scale(_ size: WindowSize) -> Int {
        size.columns >= 150 && size.rows >= 40 ? 2 : 1
    }

    // MARK: The head

    private func header(_ state: ShiftState, _ width: Int) -> [StyledLine] {
        let progress = state.progress
        let left =
            " \(state.shift.siteName)   "
            + words.say(state.shift.dayPart == 2 ? .eveningShift : .dayShift)
            + "   \(state.shift.managerName)"
        let done = words.say(
            .tasksDone, ["done": "\(progress.lookedAt)", "count": "\(progress.tasks)"])
        let right = "\(done)   \(time(now)) "
        let gap = max(1, width - left.columns - right.columns)
        let line = StyledLine(left + String(repeating: " ", count: gap) + right)
        let isFlash = BoardAlarm(state, at: now).isFlash(at: now)
        return [line.fitted(to: width).all(in: isFlash ? .alarmInverse : .inverse)]
    }

    /// The travel path in big letters, with the clock next to it if there is room.
    private func band(_ state: ShiftState, _ size: WindowSize) -> [StyledLine] {
        let scale = scale(size)
        let path = TravelPathSign(state, at: now, language)
        let left = BlockLetters.lines(path.big, scale: scale)
        let clock = BlockLetters.lines(time(now), scale: scale)
        let leftWidth = left.map(\.columns).max() ?? 0
        let clockWidth = clock.map(\.columns).max() ?? 0
        let hasClock = leftWidth + clockWidth + 8 <= size.columns
        var lines: [StyledLine] = [StyledLine()]
        for (row, text) in left.enumerated() {
            var line = StyledLine("  ")
            line.add(text.padded(to: leftWidth), path.style)
            if hasClock {
                let gap = size.columns - leftWidth - clockWidth - 4
                line.add(String(repeating: " ", count: gap) + clock[row])
            }
            lines.append(line)
        }
        let words = "  " + path.words
        lines.append(
            path.isLate
                ? StyledLine(words).fitted(to: size.columns).all(in: .alarmInverse)
                : StyledLine(words, path.wordStyle))
        return lines
    }

    // MARK: The to-dos

    private func columns(_ state: ShiftState, _ width: Int, _ room: Int) -> [StyledLine] {
        let open = state.todos.filter { $0.mark == .open }
        let areas = open.reduce(into: [String]()) {
            if !$0.contains($1.area) { $0.append($1.area) }
        }
        .sorted { Self.rank($0) < Self.rank($1) }
        guard !areas.isEmpty else {
            return ["", StyledLine("  " + words.say(.noTodo), .green)]
        }
        let count = max(1, min(areas.count, width / 26))
        let columnWidth = (width - 1) / count
        // Areas that don't fit into the columns go below the last one.
        var columns = Array(repeating: [StyledLine](), count: count)
        for (index, area) in areas.enumerated() {
            let todos = open.filter { $0.area == area }
            let place = min(index, count - 1)
            columns[place] += block(area, todos, state, columnWidth - 2, room)
        }
        let height = min(room, columns.map(\.count).max() ?? 0)
        return (0..<height).map { row in
            var line = StyledLine(" ")
            for column in columns {
                line.add(
                    (row < column.count ? column[row] : StyledLine()).fitted(to: columnWidth))
            }
            return line
        }
    }

    /// The house's own areas in the order of the lists, then the others by name.
    private static func rank(_ area: String) -> String {
        let known = ["kitchen": "0", "service": "1", "manager": "2"]
        return known[area] ?? "3" + area
    }

    private func block(
        _ area: String, _ todos: [Todo], _ state: ShiftState, _ width: Int, _ room: Int
    ) -> [StyledLine] {
        let name = Words<PaperPhrase>(language).say(family: "area", area)
        var lines = [
            StyledLine(),
            StyledLine("\((name ?? area).uppercased())  \(todos.count)", .bold),
        ]
        var priority = ""
        let titles = Dictionary(
            state.settings.priorities.map { ($0.name, $0.title(in: state.language)) },
            uniquingKeysWith: { first, _ in first })
        for (index, todo) in todos.enumerated() {
            if lines.count >= room - 2, todos.count - index > 1 {
                lines.append(
                    StyledLine(words.say(.andMore, ["count": "\(todos.count - index)"]), .yellow))
                break
            }
            if todo.priority != priority {
                priority = todo.priority
                lines.append(StyledLine(titles[priority] ?? priority, style(priority, state)))
            }
            let rows = WalkView.wrapped(todo.title, width - 2).prefix(2)
            for (row, text) in rows.enumerated() {
                lines.append(
                    StyledLine(
                        (row == 0 ? "· " : "  ") + text,
                        style(priority, state) == .alarm ? .bold : nil))
            }
        }
        return lines
    }

    private func style(_ priority: String, _ state: ShiftState) -> Style {
        switch state.settings.priorities.firstIndex(where: { $0.name == priority }) {
        case 0: .alarm
        case 1: .yellow
        default: .dim
        }
    }

    // MARK: The foot

    private func warnings(_ state: ShiftState, _ room: Int) -> [StyledLine] {
        let overdue = state.overdue(at: now).map { due in
            let title = state.lists.task(due.key)?.task.title(in: state.language) ?? ""
            let text = words.say(.overdueTask, ["clock": time(due.due), "task": title])
            return StyledLine("  " + text, .alarm)
        }
        let reviews = state.reviews.map {
            let title = $0.listed.task.title(in: state.language)
            return StyledLine("  " + words.say(.reviewTask, ["task": title]), .yellow)
        }
        let todos = state.overdueTodos(at: now).map { late in
            let text = words.say(
                .overdueTask, ["clock": state.moment(late.due), "task": late.todo.title])
            return StyledLine("  " + text, .alarm)
        }
        let all = overdue + todos + faults + reviews
        guard all.count > room else { return all }
        return all.prefix(room - 1) + [
            StyledLine("  " + words.say(.andMore, ["count": "\(all.count - room + 1)"]), .alarm)
        ]
    }

    /// The equipment that doesn't work, one line each; equipment that must not be used comes first.
    private var faults: [StyledLine] {
        let broken = faulty.filter { $0.state == .outOfOrder }
        let others = faulty.filter { $0.state != .outOfOrder }
        return (broken + others).map { equipment in
            let isBroken = equipment.state == .outOfOrder
            let text = words.say(
                isBroken ? .brokenEquipment : .faultyEquipment,
                ["name": equipment.name, "text": equipment.history.first?.text ?? ""])
            return StyledLine("  " + text, isBroken ? .alarm : .yellow)
        }
    }

    private func footer(_ state: ShiftState, _ width: Int) -> [StyledLine] {
        if let obstacle {
            let old = words.say(.asOf, ["clock": time(lastHeard), "obstacle": obstacle])
            let line = StyledLine(" " + old)
            return [line.fitted(to: width).all(in: .inverse)]
        }
        let todos = state.todos
        let done = todos.count { $0.mark == .done }
        let text = words.say(.todosDone, ["done": "\(done)", "count": "\(todos.count)"])
        return [StyledLine(" " + text, .dim)]
    }
}

/// The travel path as the board shows it.
package struct TravelPathSign: Hashable {
    /// The time until it is due, or since, for big letters.
    package let big: String
    /// The state in a sentence.
    package let words: String
    /// The style of the big letters.
    package let style: Style?
    /// The style of the sentence.
    package let wordStyle: Style?
    /// True if it is late.
    package let isLate: Bool

    /// The sign at a time, milliseconds since 1970.
    package init(_ state: ShiftState, at now: Int64, _ language: Language = .english) {
        let phrases = Words<ScreenPhrase>(language)
        let zone = state.shift.timeZone
        if let slot = state.travelPathDue(at: now) {
            isLate = now >= slot.due + state.schedule.lateAfter
            let time = Wording.time(slot.due, in: zone)
            big = Self.minutes(now - slot.due)
            words = phrases.say(isLate ? .pathLate : .pathNow, ["clock": time])
            style = isLate ? .alarm : .yellow
            wordStyle = .boldOrange
        } else {
            isLate = false
            let next = state.nextTravelPath(after: now)
            big = next.map { Self.minutes($0 - now + 999) } ?? "--:--"
            words = next.map { phrases.say(.pathNext, ["clock": Wording.time($0, in: zone)]) } ?? ""
            let isSoon = next.map { $0 - now < 5 * 60_000 } ?? false
            style = isSoon ? .yellow : .green
            wordStyle = .bold
        }
    }

    /// `12:34` in minutes and seconds; `1:12:34` from an hour on.
    private static func minutes(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        let digits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        let rest = "\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
        return seconds < 3600 ? rest : "\(seconds / 3600):\(rest)"
    }
}
