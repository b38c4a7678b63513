import Foundation
import LocalTime
import Messages
import ShiftLog
import Texts

/// A shift in the form that other programs read. Times are ISO 8601 in UTC.
package struct ShiftRecord: Codable, Hashable, Sendable {
    /// An entry with its author and time.
    package struct Entry: Codable, Hashable, Sendable {
        package let time: String
        package let by: String
        /// A state or a note.
        package let text: String
        /// Why a task doesn't apply; absent otherwise.
        package let reason: String?
        /// What was answered, with its unit; absent if nothing was.
        package let answer: String?
        /// The SHA-256s of the photos that were the answer; absent if none were.
        package let photos: [String]?
    }

    /// A photo, by its file.
    package struct Picture: Codable, Hashable, Sendable {
        /// The SHA-256 of the file in hexadecimal digits.
        package let sha256: String
        /// The size of the file.
        package let bytes: UInt32
        package let width: UInt32
        package let height: UInt32
    }

    /// The result of a task.
    package struct Task: Codable, Hashable, Sendable {
        package let id: String
        package let parent: String
        package let section: String
        package let title: String
        package let area: String
        package let priority: String
        package let general: Bool
        package let securityRound: Bool
        /// The local time when it is due, e.g. `10:15`; absent when there is none.
        package let carryOut: String?
        /// `unchecked`, `ok`, `notOk` or `notApplicable`.
        package let state: String
        package let inReview: Bool
        /// What it asks for in addition to the finding, e.g. `a number from 0 to 5 °C`; absent for
        /// nothing.
        package let asks: String?
        /// What was answered last, with its unit; absent if nothing was.
        package let answer: String?
        /// Every mark, in order.
        package let marks: [Entry]
        package let notes: [Entry]
    }

    /// A list as it was filled in.
    package struct List: Codable, Hashable, Sendable {
        package let name: String
        package let version: UInt32
        package let kind: String
        package let tasks: [Task]
    }

    /// A to-do.
    package struct Entered: Codable, Hashable, Sendable {
        package let id: String
        package let title: String
        package let section: String
        package let area: String
        package let priority: String
        /// Its number for people.
        package let number: Int
        /// `open`, `done` or `deleted`.
        package let state: String
        /// Who is to do it; empty for nobody in particular.
        package let assignee: String
        /// When it is due; absent without a time.
        package let due: String?
        package let made: String
        package let madeBy: String
        /// When it was done; absent unless it is done.
        package let done: String?
        /// Who has done it; absent unless it is done.
        package let doneBy: String?
        /// When it was deleted; absent unless it is deleted.
        package let deleted: String?
        /// Who has deleted it; absent unless it is deleted.
        package let deletedBy: String?
        /// How many times it was handed over from one shift to the next.
        package let handovers: Int
        package let notes: [Entry]
        /// The SHA-256s of its photos.
        package let photos: [String]
    }

    /// A figure of the sales report.
    package struct Figure: Codable, Hashable, Sendable {
        /// A value that was entered.
        package struct Value: Codable, Hashable, Sendable {
            /// Hundredths of the currency, minutes of crew time, or thousandths of the unit of a
            /// measurement of service.
            package let value: Int64
            package let time: String
            package let by: String
        }

        /// The full local hour, 0 to 23.
        package let hour: UInt32
        /// What is measured, e.g. `salesActual`.
        package let kind: String
        /// The name of a measurement of service; otherwise empty.
        package let name: String
        /// The value that counts.
        package let entered: Value
        /// The values before it, in order.
        package let replaced: [Value]
    }

    /// Two statements that contradict each other.
    package struct Contradictory: Codable, Hashable, Sendable {
        /// `task`, `todo` or `figure`.
        package let kind: String
        package let title: String
        /// The statements in the order in which they were accepted.
        package let statements: [Entry]
        /// True if someone who knew both has decided.
        package let isDecided: Bool
    }

    /// Something that came after the end of the shift.
    package struct LateEntry: Codable, Hashable, Sendable {
        /// When it was done, by the clock of the device.
        package let deviceTime: String
        /// When the service received it.
        package let received: String
        package let by: String
        package let device: String
        /// What was done, in the site's language.
        package let text: String
        /// The operation itself.
        package let operation: ShiftOperation
    }

    package let id: String
    package let site: String
    package let manager: String
    package let date: String
    package let timeZone: String
    package let started: String
    /// Absent while the shift is open.
    package let ended: String?
    package let lists: [List]
    package let todos: [Entered]
    /// The walked travel paths.
    package let travelPaths: [Entry]
    /// The to-dos that were deleted.
    package let deletedTodos: [Entered]
    /// The currency of the sales report, ISO 4217; may be empty.
    package let currency: String
    /// Every figure of the sales report.
    package let sales: [Figure]
    /// What was stated by people who could not know of each other.
    package let contradictions: [Contradictory]
    /// What came after the end.
    package let late: [LateEntry]
    /// The photos of answers and to-dos.
    package let photos: [Picture]
}

extension ShiftRecord {
    /// What readers should know in addition to the tasks.
    package struct Remarks: Codable, Hashable, Sendable {
        /// What was stated by people who could not know of each other.
        package let contradictions: [Contradictory]
        /// What was received after the end.
        package let late: [LateEntry]
    }

    /// What readers should know in addition to the tasks.
    package var remarks: Remarks { Remarks(contradictions: contradictions, late: late) }

    /// Makes the record of a shift; texts are in the site's language.
    package init(_ state: ShiftState) {
        let shift = state.shift
        id = shift.id
        site = shift.siteName
        manager = shift.managerName
        date = shift.date
        timeZone = shift.timeZone
        started = Self.text(shift.started)
        ended = shift.ended == 0 ? nil : Self.text(shift.ended)
        lists = state.lists.templates.map { template in
            List(
                name: template.name(in: state.language), version: template.version,
                kind: template.kind.description,
                tasks: state.results(of: template.id).map { Task($0, state) })
        }
        todos = state.todos.map { Entered($0) }
        deletedTodos = state.removedTodos.map { Entered($0) }
        currency = state.settings.currency
        sales = state.enteredFigures.map { Figure($0, $1) }
        let open = Set(state.openContradictions)
        contradictions = state.contradictions.map {
            Contradictory($0, state, isDecided: !open.contains($0))
        }
        late = state.appendix.map { LateEntry($0, state) }
        photos = state.photos.map {
            Picture(sha256: $0.digits, bytes: $0.size, width: $0.width, height: $0.height)
        }
        travelPaths = state.travelPaths.compactMap { path in
            path.logged.map { Entry($0, path.text) }
        }
    }

    /// The tasks as CSV (RFC 4180): a row for each, with the author and time of the last mark.
    package var csv: String {
        let head = [
            "date", "site", "manager", "list", "version", "section", "task", "title", "area",
            "priority", "security_round", "carry_out", "state", "time", "by", "notes", "answer",
        ]
        let rows = lists.flatMap { list in
            list.tasks.map { task in
                [
                    date, site, manager, list.name, String(list.version), task.section, task.id,
                    task.title, task.area, task.priority, task.securityRound ? "yes" : "no",
                    task.carryOut ?? "", task.state, task.marks.last?.time ?? "",
                    task.marks.last?.by ?? "", task.notes.map(\.text).joined(separator: " | "),
                    task.answer ?? "",
                ]
            }
        }
        return ([head] + rows).map(CSVRow.line).joined()
    }

    private static let utc = LocalTime(zone: "UTC")

    /// A time in ISO 8601 with milliseconds.
    fileprivate static func text(_ time: Int64) -> String {
        guard let reading = utc?.reading(at: time) else { return String(time) }
        let thousandths = time - (time / 60_000) * 60_000
        let digits = String(100_000 + max(0, thousandths)).dropFirst()
        return "\(reading.date)T\(reading.time):\(digits.prefix(2)).\(digits.suffix(3))Z"
    }
}

extension ShiftRecord.Entry {
    fileprivate init(
        _ stamp: Stamp, _ text: String, reason: String = "", answer: String = "",
        photos: [Photo] = []
    ) {
        time = ShiftRecord.text(stamp.time)
        by = stamp.name
        self.text = text
        self.reason = reason.isEmpty ? nil : reason
        self.answer = answer.isEmpty ? nil : answer
        self.photos = photos.isEmpty ? nil : photos.map(\.digits)
    }
}

extension ShiftRecord.Entered {
    fileprivate init(_ todo: Todo) {
        id = todo.id
        title = todo.title
        section = todo.section
        area = todo.area
        priority = todo.priority
        number = todo.number
        state =
            switch todo.mark {
            case .done: "done"
            case .removed: "deleted"
            default: "open"
            }
        assignee = todo.assignee
        due = todo.due.map { ShiftRecord.text($0) }
        made = ShiftRecord.text(todo.made.time)
        madeBy = todo.made.name
        done = todo.done.map { ShiftRecord.text($0.time) }
        doneBy = todo.done?.name
        deleted = todo.removed.map { ShiftRecord.text($0.time) }
        deletedBy = todo.removed?.name
        handovers = todo.origin?.handovers ?? 0
        notes = (todo.taskNotes + todo.notes).map { ShiftRecord.Entry($0.stamp, $0.text) }
        photos = todo.photos.map(\.digits)
    }
}

extension ShiftRecord.Figure {
    fileprivate init(_ figure: EnterFigure, _ entry: FigureEntry) {
        hour = figure.hour
        kind = figure.kind.description
        name = figure.name
        entered = Value(value: entry.value, entry.stamp)
        replaced = entry.replaced.map { Value(value: $0.value, $0.stamp) }
    }
}

extension ShiftRecord.Figure.Value {
    fileprivate init(value: Int64, _ stamp: Stamp) {
        self.value = value
        time = ShiftRecord.text(stamp.time)
        by = stamp.name
    }
}

extension ShiftRecord.Contradictory {
    fileprivate init(_ one: Contradiction, _ state: ShiftState, isDecided: Bool) {
        kind =
            switch one.subject {
            case .task: "task"
            case .todo: "todo"
            case .figure: "figure"
            }
        title = state.title(of: one.subject)
        statements = [one.first, one.second].map {
            ShiftRecord.Entry($0.stamp, state.text(of: $0.value, one.subject))
        }
        self.isDecided = isDecided
    }
}

extension ShiftRecord.LateEntry {
    fileprivate init(_ operation: ShiftOperation, _ state: ShiftState) {
        deviceTime = ShiftRecord.text(operation.deviceTime)
        received = ShiftRecord.text(operation.time)
        by = operation.actorName
        device = operation.device
        text = state.summary(of: operation)
        self.operation = operation
    }
}

extension ShiftRecord.Task {
    fileprivate init(_ result: TaskResult, _ state: ShiftState) {
        let task = result.listed.task
        id = task.id
        parent = task.parent
        section = state.lists.section(of: result.listed).name(in: state.language)
        title = task.title(in: state.language)
        area = task.area
        priority = task.priority
        general = task.general
        securityRound = task.securityRound
        carryOut = task.carryOut.map { LocalTime.text(minutes: Int($0)) }
        self.state = result.state.rawValue
        inReview = result.isInReview
        asks = task.answer?.wanted
        answer = result.answer().isEmpty ? nil : result.answer()
        marks = result.marks.map {
            ShiftRecord.Entry(
                $0.stamp, $0.state.rawValue, reason: $0.reason, answer: result.answer(of: $0),
                photos: $0.answer?.photos ?? [])
        }
        notes = result.notes.map { ShiftRecord.Entry($0.stamp, $0.text) }
    }
}
