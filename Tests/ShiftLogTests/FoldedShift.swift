import Messages

@testable import ShiftLog

/// Everything that follows from the operations of a shift, in the form that a page has.
struct FoldedShift: Codable, Hashable {
    struct By: Codable, Hashable {
        let account: String, name: String, device: String
        let time: Int64, byDeviceClock: Bool, deviceTime: Int64
        let sequence: UInt64, seen: UInt64

        init(_ stamp: Stamp) {
            (account, name, device) = (stamp.account, stamp.name, stamp.device)
            (time, byDeviceClock) = (stamp.time, stamp.byDeviceClock)
            (deviceTime, seen) = (stamp.deviceTime, stamp.seen)
            // A page counts places beyond those that the service has assigned from 2^52, because
            // its numbers are exact only up to 2^53.
            let beyond: UInt64 = 1 << 62
            sequence = stamp.sequence < beyond ? stamp.sequence : stamp.sequence - beyond + 1 << 52
        }
    }

    struct Mark: Codable, Hashable {
        let state: TaskState, reason: String, answer: Answer?, stamp: By, isReview: Bool

        init(_ mark: TaskMark) {
            (state, reason, stamp) = (mark.state, mark.reason, By(mark.stamp))
            (answer, isReview) = (mark.answer, mark.isReview)
        }
    }

    struct Note: Codable, Hashable {
        let text: String, stamp: By

        init(_ note: ShiftNote) { (text, stamp) = (note.text, By(note.stamp)) }
    }

    struct Task: Codable, Hashable {
        let key: String, state: TaskState, shown: Mark?, standing: [Mark], marks: [Mark]
        let notes: [Note], isInReview: Bool

        init(_ result: TaskResult) {
            (key, state) = (result.listed.key.todo, result.state)
            shown = result.shown.map(Mark.init)
            (standing, marks) = (result.standing.map(Mark.init), result.marks.map(Mark.init))
            (notes, isInReview) = (result.notes.map(Note.init), result.isInReview)
        }
    }

    struct Listed: Codable, Hashable {
        let id: String, number: Int, task: String?, title: String, section: String, area: String
        let priority: String, assignee: String, due: Int64?, mark: String, standingNote: String
        let taskNotes: [Note], notes: [Note], made: By, done: By?, removed: By?
        let photos: [Photo]?, isInReview: Bool, travelPath: String, origin: Origin?

        init(_ todo: Todo) {
            (id, number) = (todo.id, todo.number)
            (task, title) = (todo.task?.todo, todo.title)
            (assignee, due) = (todo.assignee, todo.due)
            (removed, origin) = (todo.removed.map(By.init), todo.origin.map(Origin.init))
            (section, area, priority) = (todo.section, todo.area, todo.priority)
            (mark, standingNote) = ("\(todo.mark)", todo.standingNote)
            (taskNotes, notes) = (todo.taskNotes.map(Note.init), todo.notes.map(Note.init))
            (made, done) = (By(todo.made), todo.done.map(By.init))
            (isInReview, travelPath) = (todo.isInReview, hex(todo.travelPath))
            photos = todo.photos
        }
    }

    struct Origin: Codable, Hashable {
        let shift: String, task: String?, handovers: Int

        init(_ origin: TodoOrigin) {
            (shift, task, handovers) = (origin.shift, origin.task?.todo, origin.handovers)
        }
    }

    struct Statement: Codable, Hashable {
        let value: String, stamp: By

        init(_ statement: Contradiction.Statement) {
            stamp = By(statement.stamp)
            switch statement.value {
            case .task(let state): value = "\(state)"
            case .todo(let mark): value = "\(mark)"
            case .figure(let number): value = "\(number)"
            }
        }
    }

    struct Contradicting: Codable, Hashable {
        let about: String, subject: String, first: Statement, second: Statement
        let operation: String

        init(_ one: Contradiction) {
            (first, second) = (Statement(one.first), Statement(one.second))
            operation = hex(one.operation)
            switch one.subject {
            case .task(let key): (about, subject) = ("task", key.todo)
            case .todo(let id): (about, subject) = ("todo", id)
            case .figure(let hour, let kind, let name):
                (about, subject) = ("figure", "\(hour)/\(kind)/\(name)")
            }
        }
    }

    struct Progress: Codable, Hashable {
        let tasks: Int, ok: Int, notOk: Int, notApplicable: Int, unchecked: Int

        init(_ progress: ListProgress) {
            (tasks, ok, notOk) = (progress.tasks, progress.ok, progress.notOk)
            (notApplicable, unchecked) = (progress.notApplicable, progress.unchecked)
        }
    }

    struct Due: Codable, Hashable {
        let key: String, due: Int64, overdue: Int64, escalation: Int64?
    }

    struct Path: Codable, Hashable {
        let begun: String, began: By?, logged: By?, text: String, slot: Int64?, findings: [String]
    }

    struct Slot: Codable, Hashable {
        let due: Int64, state: TravelPathSlot.State, logged: By?
    }

    struct Figure: Codable, Hashable {
        let value: Int64, stamp: By, replaced: [Value]

        struct Value: Codable, Hashable {
            let value: Int64, stamp: By
        }
    }

    struct Moment: Codable, Hashable {
        let time: Int64, overdue: [String], travelPathDue: Int64?, nextTravelPath: Int64?
        let slots: [Slot]
    }

    let head: UInt64, ended: Int64, appendix: [String], contradictions: [Contradicting]
    let openContradictions: Int, devices: [String: UInt64], progress: Progress, byList: [Progress]
    let tasks: [Task], todos: [Listed], dueTimes: [Due], dueTodos: [Due]
    let travelPaths: [Path]
    let figures: [String: Figure], moments: [Moment], crew: [String]

    init(_ state: ShiftState, times: [Int64]) {
        (head, ended) = (state.head, state.shift.ended)
        appendix = state.appendix.map { hex($0.id) }
        contradictions = state.contradictions.map(Contradicting.init)
        openContradictions = state.openContradictions.count
        devices = state.devices
        progress = Progress(state.progress)
        byList = state.lists.templates.map { Progress(state.progress(of: $0.id)) }
        tasks = state.lists.tasks.indices.map { Task(state.result(at: $0)) }
        todos = state.todos.map(Listed.init)
        dueTimes = state.dueTimes.map {
            Due(key: $0.key.todo, due: $0.due, overdue: $0.overdue, escalation: $0.escalation)
        }
        dueTodos = state.dueTodos.map {
            Due(key: $0.todo.id, due: $0.due, overdue: $0.overdue, escalation: $0.escalation)
        }
        travelPaths = state.travelPaths.map {
            Path(
                begun: hex($0.begun), began: $0.began.map(By.init), logged: $0.logged.map(By.init),
                text: $0.text, slot: $0.slot, findings: $0.findings)
        }
        figures = Dictionary(
            uniqueKeysWithValues: state.figures.map { key, entry in
                let name = "\(key.hour)/\(key.kind)/\(key.name)"
                let figure = Figure(
                    value: entry.value, stamp: By(entry.stamp),
                    replaced: entry.replaced.map { .init(value: $0.value, stamp: By($0.stamp)) })
                return (name, figure)
            })
        crew = state.lists.templates.flatMap { list in
            ["", "Cleo"].map { "\(state.crewMay(list.id, account: $0))" }
        }
        moments = times.map { time in
            Moment(
                time: time, overdue: state.overdue(at: time).map(\.key.todo),
                travelPathDue: state.travelPathDue(at: time)?.due,
                nextTravelPath: state.nextTravelPath(after: time),
                slots: state.slots(at: time).map {
                    Slot(due: $0.due, state: $0.state, logged: $0.logged.map(By.init))
                })
        }
    }
}

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
