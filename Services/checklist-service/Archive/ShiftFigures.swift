import Dates
import Messages
import ShiftLog

/// The figures of an ended shift, as the statistics keep them.
struct ShiftFigures {
    let shift: Shift
    let totals: ShiftTotals
    /// The time from making to completing each to-do, in milliseconds.
    let leads: [Int64]
    /// The findings of each list.
    let lists: [ListFigures]

    /// Computes the figures of a shift that ended at a time, in milliseconds since 1970.
    init(_ state: ShiftState, at end: Int64) {
        shift = state.shift
        totals = state.done?.totals ?? state.totals(at: end)
        leads = state.todos.compactMap { todo in
            todo.done.map { max(0, $0.time - todo.made.time) }
        }
        let overdue = Set(state.wereOverdue(at: end).map(\.key))
        lists = state.lists.templates.map { list in
            ListFigures(
                template: list.id, version: list.version,
                findings: state.results(of: list.id).filter(\.listed.isLeaf).map {
                    ListFigures.byte($0.state, wasOverdue: overdue.contains($0.listed.key))
                })
        }
    }
}

/// The findings of a list in a shift: a byte for each task that can be marked, in order.
struct ListFigures {
    let template: String
    let version: UInt32
    let findings: [UInt8]

    private static let states: [TaskState] = [.unchecked, .ok, .notOk, .notApplicable]

    /// The index of the state, plus 4 for a task that was overdue.
    static func byte(_ state: TaskState, wasOverdue: Bool) -> UInt8 {
        UInt8(states.firstIndex(of: state) ?? 0) + (wasOverdue ? 4 : 0)
    }
}

/// The findings of one version of a list, counted over several shifts.
struct TaskCounts {
    /// The number of times that each byte occurred, by task.
    private var counts: [[UInt32]] = []

    /// Counts one shift.
    mutating func add(_ findings: some Sequence<UInt8>) {
        for (task, byte) in findings.enumerated() where byte < 8 {
            if task == counts.count { counts.append([UInt32](repeating: 0, count: 8)) }
            counts[task][Int(byte)] += 1
        }
    }

    /// The statistics of each task of that version, by the task's id.
    func rows(of list: ChecklistTemplate) -> [(task: String, row: StatisticsRow)] {
        let leaves = ShiftLists([list]).tasks.filter(\.isLeaf)
        return zip(leaves, counts).map { leaf, counts in
            let sum = { (bytes: [Int]) in bytes.reduce(0) { $0 + counts[$1] } }
            let shifts = counts.reduce(0, +)
            let totals = ShiftTotals(
                tasks: shifts, ok: sum([1, 5]), notOk: sum([2, 6]), notApplicable: sum([3, 7]),
                overdue: sum([4, 5, 6, 7]))
            return (
                leaf.key.task,
                StatisticsRow(
                    name: "\(list.name): \(leaf.task.title)", shifts: shifts, totals: totals)
            )
        }
    }
}

/// The figures of several shifts, grouped under one name.
struct GatheredFigures {
    private let group: FigureGroup
    private var shifts: UInt32 = 0
    private var missed: UInt32 = 0
    private var hardlyWalked: UInt32 = 0
    private var totals = ShiftTotals()
    private var fillTimes: [Int64] = []
    private var leads: [Int64] = []

    init(_ group: FigureGroup) { self.group = group }

    /// Adds a shift.
    mutating func add(_ totals: ShiftTotals, leads: [Int64]) {
        shifts += 1
        if totals.hardlyWalked { hardlyWalked += 1 }
        if totals.fillTime > 0 { fillTimes.append(totals.fillTime) }
        self.leads += leads
        self.totals.add(totals)
    }

    /// Adds scheduled shifts that did not begin.
    mutating func addMissed(_ count: UInt32) { missed += count }

    /// The statistics of the group.
    var row: StatisticsRow {
        StatisticsRow(
            name: group.name, shifts: shifts, totals: totals,
            medianFillTime: Self.median(fillTimes),
            medianTodoLead: Self.median(leads), hardlyWalked: hardlyWalked,
            site: group.site, week: group.week, missed: missed)
    }

    /// The middle value, or the mean of the two in the middle; 0 for none.
    static func median(_ values: [Int64]) -> Int64 {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension ShiftTotals {
    /// Adds the totals of another shift.
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

/// A group of figures.
struct FigureGroup: Hashable {
    /// Its name, unique among the groups.
    let name: String
    /// The name of its site; only when grouped by site and week.
    var site = ""
    /// Its calendar week; only when grouped by site and week.
    var week = ""
}

extension Gathering {
    /// The group of the figures of a shift.
    func group(date: String, manager: String, site: String) -> FigureGroup {
        switch self {
        case .manager: FigureGroup(name: manager)
        case .site: FigureGroup(name: site)
        case .month: FigureGroup(name: String(date.prefix(7)))
        case .week: FigureGroup(name: Self.week(of: date))
        case .siteWeek:
            FigureGroup(
                name: "\(Self.week(of: date)) \(site)", site: site, week: Self.week(of: date))
        default: FigureGroup(name: "")
        }
    }

    /// The calendar week of a date, e.g. `2026-W53` (ISO 8601).
    static func week(of date: String) -> String {
        guard let (year, number) = CivilDate(iso: date)?.week else { return "" }
        return "\(year)-W\(number < 10 ? "0" : "")\(number)"
    }
}
