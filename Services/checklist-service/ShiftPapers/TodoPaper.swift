import Messages
import Papers
import Phrases
import ShiftLog

extension ShiftState {
    /// The to-do lists, one for each area with to-dos, and always those of the areas of every site.
    ///
    /// - Parameter photos: those that are shown; the others are only named.
    package func todoPapers(photos: PaperPhotos = [:]) -> [Paper] {
        let own = Set(todos.map(\.area)).subtracting(Self.standardOrder).sorted()
        return (Self.standardOrder + own).map { todoPaper(area: $0, photos: photos) }
    }

    private static let standardOrder = ["manager", "kitchen", "service"]

    /// The to-do list of an area: most urgent first, each with a box to tick and its notes.
    ///
    /// - Parameters:
    ///   - area: the name of the area.
    ///   - photos: those that are shown; the others are only named.
    package func todoPaper(area: String, photos: PaperPhotos = [:]) -> Paper {
        let words = self.words
        var blocks: [Paper.Block] = []
        var priority: String?
        let listed = todos(areas: [area])
        for todo in listed {
            if todo.priority != priority {
                priority = todo.priority
                blocks.append(.heading(title(ofPriority: todo.priority).shown))
            }
            blocks.append(.item(item(todo, words)))
        }
        if blocks.isEmpty { blocks.append(.remark(words.say(.nothingToDo))) }
        blocks += self.blocks(listed, photos)
        let title = words.say(
            .todoListOf, ["area": words.say(family: "area", area) ?? area])
        return paper(title, size: .wall, blocks)
    }

    func title(ofPriority name: String) -> String {
        settings.priorities.first { $0.name == name }.map { $0.title(in: language) } ?? name
    }

    private func item(_ todo: Todo, _ words: Words<PaperPhrase>) -> Paper.Item {
        var detail = [todo.section]
        if !todo.assignee.isEmpty {
            detail.append(words.say(.assignee, ["name": todo.assignee.shown]))
        }
        if let due = todo.due { detail.append(words.say(.dueAt, ["time": moment(due)])) }
        if let done = todo.done { detail.append(words.say(.done, ["stamp": said(done)])) }
        if todo.isInReview { detail.append(words.say(.contradiction)) }
        var notes = (todo.taskNotes + todo.notes).map(noted)
        if !todo.standingNote.isEmpty {
            notes.insert(words.say(.standingNote, ["note": todo.standingNote.shown]), at: 0)
        }
        notes += todo.photos.map(name)
        return Paper.Item(
            sign: todo.mark == .done ? .ok : .open, title: todo.title.shown,
            detail: joined(detail), notes: notes)
    }

    /// Makes a paper of this shift.
    func paper(
        _ title: String, summary: String = "", size: Paper.Size, _ blocks: [Paper.Block]
    ) -> Paper {
        let words = self.words
        let dayPart =
            switch shift.dayPart {
            case 0: ""
            case 1: words.say(.dayShift)
            default: words.say(.eveningShift)
            }
        let reading = localTime.reading(at: isOpen ? shift.started : shift.ended)
        return Paper(
            title: title.shown, site: shift.siteName.shown,
            occasion: joined([shift.date, dayPart, shift.managerName]), summary: summary,
            size: size, language: language, dated: "\(reading.date)T\(reading.time):00",
            blocks: blocks)
    }

    /// The texts of papers in the language of the site.
    var words: Words<PaperPhrase> { Words(Language.of(language)) }

    /// The non-empty texts, joined in a line.
    func joined(_ texts: [String]) -> String {
        texts.filter { !$0.isEmpty }.map(\.shown).joined(separator: " · ")
    }

    /// The time and author of a stamp, e.g. `10:15 Ann`; with the date if it is from before the
    /// shift, such as a note that an earlier shift left.
    func said(_ stamp: Stamp) -> String {
        let isEarlier = stamp.time < shift.started
        let time = isEarlier ? moment(stamp.time) : localTime.reading(at: stamp.time).time
        return stamp.name.isEmpty ? time : "\(time) \(stamp.name.shown)"
    }

    /// A note with its author and time.
    func noted(_ note: ShiftNote) -> String { "\(note.text.shown) (\(said(note.stamp)))" }
}
