import LocalTime
import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// What came after the end of the shift, and what was stated without knowledge of something
    /// that it contradicts, each with who and when; nil if there is neither.
    package var latePaper: Paper? {
        let words = self.words
        guard !appendix.isEmpty || !contradictions.isEmpty else { return nil }
        var blocks: [Paper.Block] = []
        if !appendix.isEmpty { blocks.append(.heading(words.say(.afterTheEnd))) }
        for operation in appendix {
            let stamp = [moment(operation.made), operation.actorName]
            blocks.append(
                .item(
                    Paper.Item(
                        sign: .open, title: summary(of: operation), detail: joined(stamp),
                        notes: [])))
        }
        if !contradictions.isEmpty { blocks.append(.heading(words.say(.contradictions))) }
        for one in contradictions {
            let sides = [one.first, one.second].map {
                "\(text(of: $0.value, one.subject)): \(said($0.stamp))"
            }
            blocks.append(
                .item(
                    Paper.Item(
                        sign: .notOk, title: title(of: one.subject), detail: joined(sides),
                        notes: [])))
        }
        return paper(words.say(.lateAndContradictory), size: .hand, blocks)
    }

    /// An operation in a few words, in the language of the site.
    package func summary(of operation: ShiftOperation) -> String {
        switch operation.change {
        case .mark(let mark):
            let state = TaskState(mark)
            let key = TaskKey(list: mark.list, task: mark.task)
            let answer = mark.answer.flatMap { answer in
                lists.task(key)?.task.answer?.text(
                    of: answer, separator: words.language.decimalSeparator)
            }
            return statement(mark.list, mark.task, joined([answer ?? "", word(of: state)]))
        case .review(let review):
            return statement(review.list, review.task, word(of: TaskState(review)))
        case .note(let note): return statement(note.list, note.task, quoted(note.text))
        case .addTodo(let todo): return words.say(.todoAdded, ["title": todo.title.shown])
        case .markTodo(let mark): return statement(mark.todo, word(of: mark.mark))
        case .noteTodo(let note): return statement(note.todo, quoted(note.text))
        case .changeTodo(let change): return statement(change.todo, words.say(.todoChanged))
        case .beginTravelPath: return words.say(.travelPathBegun)
        case .logTravelPath(let log):
            return joined([words.say(.travelPathWalked), log.text])
        case .figure(let figure):
            let subject = Contradiction.Subject.figure(
                hour: figure.hour, kind: figure.kind, name: figure.name)
            return "\(title(of: subject)): \(text(of: .figure(figure.value), subject))"
        case .carry(let carry): return carry.todo.content.title.shown
        case .letCrew(let change):
            return lists.template(change.list)?.name(in: language).shown ?? change.list.shown
        case .begun, .ended, nil: return ""
        }
    }

    /// What a contradiction is about, in the language of the site.
    package func title(of subject: Contradiction.Subject) -> String {
        switch subject {
        case .task(let key): return title(key.list, key.task)
        case .todo(let id): return title(ofTodo: id)
        case .figure(let hour, let kind, let name):
            let what =
                switch kind {
                case .salesPlanned: words.say(.salesPlanned)
                case .salesActual: words.say(.salesActual)
                case .crewPlanned: words.say(.crewPlanned)
                case .crewActual: words.say(.crewActual)
                default: name.shown
                }
            return joined([what, LocalTime.text(minutes: Int(min(hour, 23)) * 60)])
        }
    }

    /// What was stated about it, in the language of the site.
    package func text(
        of value: Contradiction.Value, _ subject: Contradiction.Subject
    ) -> String {
        switch value {
        case .task(let state): return word(of: state)
        case .todo(let mark): return word(of: mark)
        case .figure(let value):
            guard case .figure(_, let kind, _) = subject else { return "\(value)" }
            return figure(value, kind)
        }
    }

    private func statement(_ list: String, _ task: String, _ text: String) -> String {
        "\(title(list, task)): \(text)"
    }

    private func statement(_ todo: String, _ text: String) -> String {
        "\(title(ofTodo: todo)): \(text)"
    }

    private func quoted(_ text: String) -> String { "“\(text.shown)”" }

    private func title(_ list: String, _ task: String) -> String {
        lists.task(TaskKey(list: list, task: task))?.task.title(in: language).shown ?? task.shown
    }

    private func title(ofTodo id: String) -> String {
        if let todo = todo(id) { return todo.title.shown }
        // It was added after the end.
        if let id = MessageID(id), case .addTodo(let late) = operation(id.bytes)?.change {
            return late.title.shown
        }
        return TaskKey(todo: id).map { title($0.list, $0.task) } ?? id.shown
    }

    private func word(of mark: TodoMark) -> String {
        switch mark {
        case .done: words.say(.todoDone)
        case .removed: words.say(.todoRemoved)
        default: words.say(.todoOpen)
        }
    }
}

extension TaskState {
    fileprivate init(_ mark: MarkTask) {
        self =
            switch mark.finding {
            case .ok: .ok
            case .notOk: .notOk
            default: mark.notApplicable.isEmpty ? .unchecked : .notApplicable
            }
    }

    fileprivate init(_ review: ReviewTask) {
        self = review.finding == .ok ? .ok : review.finding == .notOk ? .notOk : .unchecked
    }
}
