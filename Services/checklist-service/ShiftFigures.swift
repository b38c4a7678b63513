import Foundation
import Messages
import ShiftLog

/// What an ended shift came to, as the statistics keep it.
struct ShiftFigures {
    let shift: Shift
    let totals: ShiftTotals
    /// The times from the making of a to-do to its being done: milliseconds.
    let leads: [Int64]
    /// How each task was found.
    let tasks: [TaskFigure]

    /// The figures of a shift that ended at a time, milliseconds since 1970.
    init(_ state: ShiftState, at end: Int64) {
        shift = state.shift
        totals = state.done?.totals ?? state.totals(at: end)
        leads = state.todos.compactMap { todo in
            todo.done.map { max(0, $0.time - todo.made.time) }
        }
        let overdue = Set(state.wereOverdue(at: end).map(\.key))
        tasks = state.lists.templates.flatMap { list in
            state.results(of: list.id).filter(\.listed.isLeaf).map { result in
                TaskFigure(
                    list: list.id, task: result.listed.task.id,
                    name: "\(list.name): \(result.listed.task.title)", state: result.state,
                    wasOverdue: overdue.contains(result.listed.key))
            }
        }
    }
}

/// How a task was found in a shift.
struct TaskFigure {
    let list: String
    let task: String
    /// Its list and its title.
    let name: String
    let state: TaskState
    let wasOverdue: Bool
}

/// Figures of some shifts, gathered under one name.
struct GatheredFigures {
    let name: String
    private var shifts: UInt32 = 0
    private var hardlyWalked: UInt32 = 0
    private var totals = ShiftTotals()
    private var fillTimes: [Int64] = []
    private var leads: [Int64] = []

    init(name: String) { self.name = name }

    /// Counts a shift.
    mutating func add(_ totals: ShiftTotals, leads: [Int64]) {
        shifts += 1
        if totals.hardlyWalked { hardlyWalked += 1 }
        if totals.fillTime > 0 { fillTimes.append(totals.fillTime) }
        self.leads += leads
        self.totals.add(totals)
    }

    /// What is told of them.
    var row: StatisticsRow {
        StatisticsRow(
            name: name, shifts: shifts, totals: totals, medianFillTime: Self.median(fillTimes),
            medianTodoLead: Self.median(leads), hardlyWalked: hardlyWalked)
    }

    /// The middle one, or the mean of the two in the middle; 0 of none.
    static func median(_ values: [Int64]) -> Int64 {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension ShiftTotals {
    /// Adds up what can be added up.
    mutating func add(_ other: ShiftTotals) {
        tasks += other.tasks
        ok += other.ok
        notOk += other.notOk
        notApplicable += other.notApplicable
        overdue += other.overdue
        todos += other.todos
        todosDone += other.todosDone
        todoLead += other.todoLead
        travelPathsDue += other.travelPathsDue
        travelPathsDone += other.travelPathsDone
        travelPathsLate += other.travelPathsLate
        travelPathsMissed += other.travelPathsMissed
        fillTime += other.fillTime
        tooFast += other.tooFast
    }
}

extension Gathering {
    /// Under which name the figures of a shift are gathered.
    func name(of shift: Shift) -> String {
        switch self {
        case .manager: shift.managerName
        case .site: shift.siteName
        case .month: String(shift.date.prefix(7))
        case .week: Self.week(of: shift.date)
        default: ""
        }
    }

    /// The calendar week of a date, e.g. `2026-W53` (ISO 8601).
    static func week(of date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let zone = TimeZone(secondsFromGMT: 0) else { return "" }
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        guard let day = calendar.date(from: components) else { return "" }
        let week = calendar.dateComponents([.weekOfYear, .yearForWeekOfYear], from: day)
        guard let year = week.yearForWeekOfYear, let number = week.weekOfYear else { return "" }
        return "\(year)-W\(number < 10 ? "0" : "")\(number)"
    }
}
