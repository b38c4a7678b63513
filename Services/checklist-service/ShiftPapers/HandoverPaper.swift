import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// The handover sheet: what the next shift takes over, most urgent first, each to-do with the
    /// number that it has from then on, who does it and by when; and what is contradictory.
    ///
    /// - Parameter photos: those that are shown; the others are only named.
    package func handoverPaper(photos: PaperPhotos = [:]) -> Paper {
        let words = self.words
        let numbers = Dictionary(
            (done?.todos ?? []).map { ($0.id, Int($0.content.number)) },
            uniquingKeysWith: { first, _ in first })
        let open = todos.filter { $0.mark == .open }
        var blocks: [Paper.Block] = []
        var priority: String?
        for todo in open {
            if todo.priority != priority {
                priority = todo.priority
                blocks.append(.heading(title(ofPriority: todo.priority).shown))
            }
            let number = numbers[carriedID(of: todo.id)] ?? todo.number
            blocks.append(.item(handedOver(todo, number: number, words)))
        }
        let reviews = reviews
        if !reviews.isEmpty { blocks.append(.heading(words.say(.contradictions))) }
        for result in reviews {
            blocks.append(
                .item(
                    Paper.Item(
                        sign: .notOk, title: result.listed.task.title(in: language).shown,
                        detail: joined(
                            result.standing.map { "\(word(of: $0.state)): \(said($0.stamp))" }),
                        notes: [])))
        }
        if blocks.isEmpty { blocks.append(.remark(words.say(.nothingHandedOver))) }
        blocks += self.blocks(open, photos)
        return paper(
            words.say(.handover), summary: words.say(.openTodos, ["count": "\(open.count)"]),
            size: .hand, blocks)
    }

    private func handedOver(
        _ todo: Todo, number: Int, _ words: Words<PaperPhrase>
    ) -> Paper.Item {
        let area = words.say(family: "area", todo.area) ?? todo.area
        var detail = [area, todo.section]
        if !todo.assignee.isEmpty {
            detail.append(words.say(.assignee, ["name": todo.assignee.shown]))
        }
        if let due = todo.due { detail.append(words.say(.dueAt, ["time": moment(due)])) }
        detail.append(
            words.say(.madeBy, ["stamp": joined([moment(todo.made.time), todo.made.name])]))
        let handovers = todo.origin?.handovers ?? 0
        if handovers > 0 {
            detail.append(words.say(.handedOverTimes, ["count": "\(handovers)"]))
        }
        let standing =
            todo.standingNote.isEmpty
            ? [] : [words.say(.standingNote, ["note": todo.standingNote.shown])]
        return Paper.Item(
            sign: .open, title: "\(number)  \(todo.title.shown)", detail: joined(detail),
            notes: standing + (todo.taskNotes + todo.notes).map(noted) + todo.photos.map(name))
    }

    /// The state of a task, in a word.
    func word(of state: TaskState) -> String {
        switch state {
        case .unchecked: words.say(.notMarked)
        case .ok: words.say(.ok)
        case .notOk: words.say(.notOk)
        case .notApplicable: words.say(.notApplicable)
        }
    }
}
