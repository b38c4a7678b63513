import Bus
import Messages
import Phrases
import ShiftClient
import ShiftLog
import Speech
import Terminal

/// A walk through a checklist at the terminal.
final class ChecklistWalk {
    private enum Asked: Hashable {
        case nothing
        case reason
        case note
        case section
        case search
        case answer
        case remedy
    }

    private let words: Words<ScreenPhrase>
    private let desk: ShiftDesk
    private let screen: Screen
    private var position: WalkPosition
    /// The positions in lists from which a task has led here.
    private var origins: [WalkPosition] = []
    private var state: ShiftState
    /// Tasks that were marked on this walk, the newest last.
    private var marked: [TaskKey] = []
    private var mode = WalkView.Mode.marking
    private var asked = Asked.nothing
    private var choices: [TaskKey] = []
    /// The answers to choose from.
    private var answers: [String] = []
    private var message = ""
    private var isDone = false
    /// The ids of what was done on this walk.
    private var kept: Set<[UInt8]> = []
    /// The news that came together with other news, for which the screen has no room.
    private(set) var unshown: [String] = []

    /// A walk that continues where the last one ended.
    init(
        _ desk: ShiftDesk, _ list: ChecklistTemplate, _ crew: CrewMember?, _ language: Language
    ) throws {
        self.desk = desk
        words = Words(language)
        state = desk.state
        position = WalkPosition(list, state, crew)
        screen = try Screen()
    }

    /// The id of the present list.
    var list: String { position.list }

    /// The number of operations of this walk that the service has refused.
    var refused: Int { desk.copy.refused.count { kept.contains($0.operation.id) } }

    /// Restores the terminal.
    func leave() { screen.leave() }

    /// Walks until the person quits or the terminal is gone; then waits a moment for operations
    /// being sent.
    func run() throws {
        defer { leave() }
        var lastLook = ContinuousClock.now
        while !isDone, !screen.isLost, !Interruption.isWanted {
            if ContinuousClock.now - lastLook > .seconds(2) {
                desk.courier.look()
                lastLook = ContinuousClock.now
            }
            if try desk.turn() { state = desk.state }
            show(desk.courier.takeNews(in: words.language))
            draw()
            let isBusy = desk.courier.isBusy
            for key in screen.readKeys(within: isBusy ? 20 : 500) where !isDone {
                message = ""
                try press(key)
                draw()
            }
            if desk.copy.shift.ended != 0, message.isEmpty { message = words.say(.endedElsewhere) }
        }
        leave()
        if !screen.isLost { try desk.courier.run() }
    }

    /// Shows the last news, and how much came with it.
    private func show(_ news: [String]) {
        guard let last = news.last else { return }
        let others = news.dropLast()
        unshown += others
        let more = others.isEmpty ? "" : "; " + words.say(.andMore, ["count": "\(others.count)"])
        message = last + more
    }

    private func draw() {
        let waiting = desk.copy.waiting.count
        let sending: WalkView.Sending =
            waiting == 0
            ? .done
            : desk.courier.obstacle.map {
                .kept(waiting, obstacle: $0.text(in: words.language))
            } ?? .underWay(waiting)
        screen.show(
            WalkView(
                state: state, position: position, mode: mode, message: message, sending: sending,
                now: WallClock.milliseconds(), language: words.language
            ).lines(screen.size))
    }

    // MARK: Keys

    private func press(_ key: Key) throws {
        switch mode {
        case .marking, .finished: try pressMarking(key)
        case .typing(let question, let text): try pressTyping(key, question, text)
        case .choosing(let question, let text, let lines, let chosen):
            try pressChoosing(key, question, text, lines.count, chosen)
        case .help: mode = .marking
        }
    }

    private func pressMarking(_ key: Key) throws {
        let wasFinished = mode == .finished
        switch key {
        case .enter where !wasFinished, .character(" ") where !wasFinished,
            .character("o") where !wasFinished:
            try mark(.ok)
        case .character("x") where !wasFinished: try mark(.notOk)
        case .character("u"): try undo()
        case .character("a") where !wasFinished:
            (asked, mode) = (.reason, .typing(question: words.say(.askReason), text: ""))
        case .character("n"):
            (asked, mode) = (.note, .typing(question: words.say(.askNote), text: ""))
        case .character("b"), .up, .left: move(wasFinished ? 0 : -1)
        case .down, .right, .tab: move(wasFinished ? 0 : 1)
        case .pageUp: move(-10)
        case .pageDown: move(10)
        case .character("j"): choose(.section)
        case .character("/"): choose(.search)
        case .character("?"): mode = .help
        case .character("q"): quit()
        default: message = words.say(.explainsKeys)
        }
    }

    private func move(_ count: Int) {
        mode = .marking
        position.step(count)
    }

    /// Goes back to the list from which a task has led here, or quits.
    private func quit() {
        guard let origin = origins.popLast() else {
            isDone = true
            return
        }
        position = origin
        mode = position.goOn(state) ? .marking : .finished
    }

    private func mark(
        _ finding: Finding, reason: String = "", answer: Answer? = nil,
        _ photos: [PreparedPhoto] = []
    ) throws {
        guard let key = position.key else { return }
        if finding == .ok, answer == nil, let rule = state.lists.task(key)?.task.answer {
            return ask(rule)
        }
        let change = ShiftOperation.Change.mark(
            MarkTask(
                list: key.list, task: key.task, finding: finding, notApplicable: reason,
                answer: answer))
        guard try keep(change, photos) else { return }
        marked.append(key)
        if answer != nil, finding == .notOk {
            (asked, mode) = (.remedy, .typing(question: words.say(.askRemedy), text: ""))
            return
        }
        if finding == .ok, open(linkOf: key) { return }
        mode = position.goOn(state) ? .marking : .finished
    }

    /// Asks for the answer of the present task.
    ///
    /// - Parameters:
    ///   - rule: what is asked for.
    ///   - again: true if something else was typed.
    private func ask(_ rule: AnswerRule, again: Bool = false) {
        asked = .answer
        func type(_ question: String) {
            let remark = again ? words.say(.noAnswer) + ". " : ""
            mode = .typing(question: remark + question, text: "")
        }
        switch rule.kind {
        case .choice: showChoices(words.say(.askAnswer), "", 0)
        case .signature: type(words.say(.askSignature))
        case .photo: type(words.say(.askPhoto))
        case .number:
            let separator = words.language.decimalSeparator
            let limits = [rule.least, rule.most].map { limit in
                limit.map { Thousandths.text($0, separator: separator) } ?? "…"
            }
            let hasLimits = rule.least != nil || rule.most != nil
            let question =
                words.say(.askAnswer) + (hasLimits ? " " + limits.joined(separator: "–") : "")
            type(rule.unit.isEmpty ? question : question + " \(rule.unit)")
        default: type(words.say(.askAnswer))
        }
    }

    /// Marks the present task with a typed or chosen answer.
    private func answer(_ typed: String) throws {
        guard let key = position.key, let rule = state.lists.task(key)?.task.answer else { return }
        guard rule.kind != .photo else { return try photograph(typed, rule) }
        guard let answer = rule.read(typed) else {
            return ask(rule, again: true)
        }
        try mark(MarkTask.finding(of: answer, rule), answer: answer)
    }

    /// Marks the present task with the photo in a file.
    private func photograph(_ path: String, _ rule: AnswerRule) throws {
        do {
            let photo = try PreparedPhoto(preparing: path)
            try mark(.ok, answer: Answer(value: .photos(Photos(photos: [photo.photo]))), [photo])
        } catch let failure as Failure {
            ask(rule)
            let isUnread = failure.status == .file
            message =
                words.language == .english
                ? failure.sentence
                : words.say(isUnread ? .photoUnread : .photoUnusable, ["file": path.printable])
        }
    }

    /// Records what is done about an answer that means not ok, and continues.
    private func remedy(_ typed: String) throws {
        defer { mode = position.goOn(state) ? .marking : .finished }
        guard !typed.isEmpty, let key = position.key else { return }
        if try keep(.note(NoteTask(list: key.list, task: key.task, text: typed))) {
            message = words.say(.noted)
        }
    }

    /// Undoes the mark of the present task, or else the last mark of this walk, and goes to its
    /// task.
    private func undo() throws {
        func isMarked(_ key: TaskKey) -> Bool { state.result(of: key)?.state != .unchecked }
        guard
            let key = position.key.flatMap({ isMarked($0) ? $0 : nil })
                ?? marked.last(where: { $0.list == position.list && isMarked($0) })
        else {
            message = words.say(.nothingToUndo)
            return
        }
        let change = ShiftOperation.Change.mark(
            MarkTask(list: key.list, task: key.task, finding: .unspecified))
        guard try keep(change) else { return }
        marked.removeAll { $0 == key }
        position.go(to: key, state)
        mode = .marking
        let title = state.lists.task(key)?.task.title(in: state.language) ?? key.task
        message = words.say(.undone, ["title": title])
    }

    /// Ticking a task that names another list opens that list.
    private func open(linkOf key: TaskKey) -> Bool {
        guard let link = state.lists.task(key)?.task.link, !link.isEmpty,
            let list = state.lists.templates.first(where: { $0.name == link || $0.id == link }),
            list.id != position.list, !origins.contains(where: { $0.list == list.id })
        else { return false }
        let next = WalkPosition(list, state, position.crew)
        guard next.hasOpen(state) else { return false }
        origins.append(position)
        position = next
        message = words.say(.openedByTask)
        mode = .marking
        return true
    }

    /// Saves an operation, or shows why the rules refuse it.
    private func keep(
        _ change: ShiftOperation.Change, _ photos: [PreparedPhoto] = []
    ) throws -> Bool {
        do {
            kept.insert(try desk.keep(change, photos).id)
            state = desk.state
            return true
        } catch let refusal as Refusal {
            message = words.text(of: refusal)
            return false
        }
    }

    // MARK: Typing and choosing

    private func pressTyping(_ key: Key, _ question: String, _ text: String) throws {
        switch key {
        case .escape where asked == .remedy: try remedy("")
        case .escape: mode = .marking
        case .backspace: mode = .typing(question: question, text: String(text.dropLast()))
        case .character(let letter):
            mode = .typing(question: question, text: text + String(letter))
        case .enter:
            mode = .marking
            let typed = text.trimmed
            if asked == .remedy { return try remedy(typed) }
            guard !typed.isEmpty, let key = position.key else { return }
            if asked == .answer {
                try answer(typed)
            } else if asked == .reason {
                try mark(.unspecified, reason: typed)
            } else if try keep(.note(NoteTask(list: key.list, task: key.task, text: typed))) {
                message = words.say(.noted)
            }
        default: break
        }
    }

    private func choose(_ what: Asked) {
        asked = what
        showChoices(words.say(what == .section ? .askSection : .askSearch), "", 0)
    }

    private func showChoices(_ question: String, _ text: String, _ chosen: Int) {
        let wanted = text.lowercased()
        if asked == .answer {
            let rule = position.key.flatMap(state.lists.task)?.task.answer
            answers = (rule?.choices ?? []).map(\.text)
                .filter { wanted.isEmpty || $0.lowercased().contains(wanted) }
            mode = .choosing(
                question: question, text: text, lines: answers,
                chosen: min(max(chosen, 0), max(0, answers.count - 1)))
            return
        }
        let results = state.results(of: position.list)
        var seen: Set<String> = []
        let found: [(key: TaskKey, words: String, line: String)] = results.compactMap { result in
            let section = state.lists.section(of: result.listed)
            let name = section.name(in: state.language)
            if asked == .section {
                guard seen.insert(section.id).inserted else { return nil }
                let progress = state.progress(of: position.list, section: section.id)
                return (
                    result.listed.key, name, "\(name)   " + progress.text(words)
                )
            }
            let title = result.listed.task.title(in: state.language)
            return (
                result.listed.key, title,
                "[\(TaskBox.sign(result.state))] \(title)   \(name)"
            )
        }.filter { wanted.isEmpty || $0.words.lowercased().contains(wanted) }
        choices = found.map(\.key)
        mode = .choosing(
            question: question, text: text, lines: found.map(\.line),
            chosen: min(max(chosen, 0), max(0, found.count - 1)))
    }

    private func pressChoosing(
        _ key: Key, _ question: String, _ text: String, _ count: Int, _ chosen: Int
    ) throws {
        switch key {
        case .escape: mode = .marking
        case .up: showChoices(question, text, chosen - 1)
        case .down, .tab: showChoices(question, text, chosen + 1)
        case .pageUp: showChoices(question, text, chosen - 10)
        case .pageDown: showChoices(question, text, chosen + 10)
        case .backspace: showChoices(question, String(text.dropLast()), 0)
        case .character(let letter): showChoices(question, text + String(letter), 0)
        case .enter:
            mode = .marking
            if asked == .answer {
                if answers.indices.contains(chosen) { try answer(answers[chosen]) }
                return
            }
            guard choices.indices.contains(chosen) else { return }
            if asked == .section, let task = state.lists.task(choices[chosen]) {
                position.go(toSection: state.lists.section(of: task).id, state)
            } else {
                position.go(to: choices[chosen], state)
            }
        default: break
        }
    }
}

extension String {
    /// The text without blanks around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
