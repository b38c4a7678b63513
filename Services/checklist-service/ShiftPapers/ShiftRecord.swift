import Foundation
import LocalTime
import Messages
import ShiftLog

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
        package let made: String
        /// When it was done; absent while it is open.
        package let done: String?
        package let notes: [Entry]
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
}

extension ShiftRecord {
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
        todos = state.todos.map { todo in
            Entered(
                id: todo.id, title: todo.title, section: todo.section, area: todo.area,
                priority: todo.priority, made: Self.text(todo.made.time),
                done: todo.done.map { Self.text($0.time) },
                notes: (todo.taskNotes + todo.notes).map { Entry($0.stamp, $0.text) })
        }
        travelPaths = state.travelPaths.compactMap { path in
            path.logged.map { Entry($0, path.text) }
        }
    }

    /// The tasks as CSV (RFC 4180): a row for each, with the author and time of the last mark.
    package var csv: String {
        let head = [
            "date", "site", "manager", "list", "version", "section", "task", "title", "area",
            "priority", "security_round", "carry_out", "state", "time", "by", "notes",
        ]
        let rows = lists.flatMap { list in
            list.tasks.map { task in
                [
                    date, site, manager, list.name, String(list.version), task.section, task.id,
                    task.title, task.area, task.priority, task.securityRound ? "yes" : "no",
                    task.carryOut ?? "", task.state, task.marks.last?.time ?? "",
                    task.marks.last?.by ?? "", task.notes.map(\.text).joined(separator: " | "),
                ]
            }
        }
        return ([head] + rows).map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// A cell: quoted where necessary, and never a formula to the program that opens it.
    private static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let plain = (isFormula ? "'" : "") + text
        let mustBeQuoted = plain.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        return mustBeQuoted ? "\"" + plain.replacing("\"", with: "\"\"") + "\"" : plain
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
    fileprivate init(_ stamp: Stamp, _ text: String, reason: String = "") {
        time = ShiftRecord.text(stamp.time)
        by = stamp.name
        self.text = text
        self.reason = reason.isEmpty ? nil : reason
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
        marks = result.marks.map {
            ShiftRecord.Entry($0.stamp, $0.state.rawValue, reason: $0.reason)
        }
        notes = result.notes.map { ShiftRecord.Entry($0.stamp, $0.text) }
    }
}
