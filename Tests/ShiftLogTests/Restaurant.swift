import LocalTime
import Messages
import Testing

@testable import ShiftLog

/// A small restaurant, its lists and its shift.
enum Restaurant {
    /// 2026-06-01 08:00 UTC, which is 10:00 at the restaurant.
    static let started: Int64 = 1_780_300_800_000

    static let settings = SiteSettings.standard(for: "site")

    static let preShift = ChecklistTemplate(
        id: "pre", name: "Pre-shift", kind: .preShift,
        sections: [
            ChecklistSection(
                id: "kitchen", name: "Kitchen",
                tasks: [
                    task("floor", "Floor is clean", priority: "before-rush", general: true),
                    task("fryer", "Fryer", priority: "immediate", note: "Oil is clear"),
                    task("fryer-oil", "Oil is fresh", parent: "fryer"),
                    task("fryer-basket", "Baskets are whole", parent: "fryer"),
                    task("grill", "Grill is hot", priority: "during-shift"),
                ]),
            ChecklistSection(
                id: "lobby", name: "Lobby",
                tasks: [
                    task("tables", "Tables are wiped", area: "service"),
                    task("bins", "Bins are empty", area: "service", priority: "before-rush"),
                ]),
        ],
        version: 1)

    static let before = ChecklistTemplate(
        id: "before", name: "Before the rush", kind: .before,
        sections: [
            ChecklistSection(
                id: "start", name: "Start",
                tasks: [
                    task(
                        "walk", "Walk the pre-shift list", area: "manager", carryOut: 10 * 60 + 30),
                    task("safe", "Count the safe", area: "manager", carryOut: 9 * 60 + 30),
                ])
        ],
        version: 3)

    static let round = ChecklistTemplate(
        id: "path", name: "Travel path", kind: .travelPath,
        sections: [
            ChecklistSection(
                id: "outside", name: "Outside", tasks: [task("car-park", "Car park is tidy")])
        ],
        version: 1)

    static let lists = [preShift, before, round]

    static func task(
        _ id: String, _ title: String, parent: String = "", area: String = "kitchen",
        priority: String = "immediate", note: String = "", general: Bool = false,
        carryOut: UInt32? = nil
    ) -> ChecklistTask {
        ChecklistTask(
            id: id, parent: parent, title: title, note: note, general: general, area: area,
            priority: priority, carryOut: carryOut)
    }

    static func shift(
        _ settings: SiteSettings = settings, lists: [ChecklistTemplate] = lists,
        started: Int64 = started, zone: String = "Europe/Oslo", dayPart: DayPart = .day
    ) throws -> Shift {
        let local = try #require(LocalTime(zone: zone))
        return Shift(
            id: "shift", site: "site", siteName: "Restaurant", manager: "m", managerName: "Mia",
            dayPart: UInt32(dayPart.rawValue), date: local.reading(at: started).date,
            timeZone: zone, started: started,
            lists: lists.map {
                PinnedList(
                    template: $0.id, version: $0.version, name: $0.name,
                    kind: UInt32($0.kind.rawValue), digest: ArchiveChain.digest(of: $0))
            },
            settings: settings.packed(),
            firstTravelPath: ShiftSchedule.firstTravelPath(
                started: started, local, dayPart: dayPart, settings))
    }

    static func state(
        _ settings: SiteSettings = settings, lists: [ChecklistTemplate] = lists
    ) throws -> ShiftState {
        try ShiftState(shift: shift(settings, lists: lists), lists: lists)
    }
}

/// A recorder of operations, and the devices that send them: the minimum that the rules need.
struct Service {
    private(set) var state: ShiftState
    /// Milliseconds since 1970.
    var now = Restaurant.started
    private var numbers: [String: UInt64] = [:]
    private var ids = MessageID.Generator()

    init(_ state: ShiftState) { self.state = state }

    init() throws { state = try Restaurant.state() }

    /// Makes an operation on a device that has seen the operations up to a sequence; by default all
    /// of them.
    mutating func operation(
        _ device: String, _ change: ShiftOperation.Change, seen: UInt64? = nil,
        deviceTime: Int64? = nil
    ) -> ShiftOperation {
        numbers[device, default: 0] += 1
        return ShiftOperation(
            id: ids.next(at: now).bytes, shift: state.shift.id, device: device,
            deviceSequence: numbers[device, default: 0], deviceTime: deviceTime ?? now,
            seen: seen ?? state.head, change: change)
    }

    /// Makes an operation and records it.
    @discardableResult
    mutating func take(
        _ device: String, _ change: ShiftOperation.Change, seen: UInt64? = nil,
        deviceTime: Int64? = nil
    ) throws -> ShiftOperation {
        try receive(operation(device, change, seen: seen, deviceTime: deviceTime))
    }

    /// Records an operation as the service does: once.
    @discardableResult
    mutating func receive(_ operation: ShiftOperation) throws(Refusal) -> ShiftOperation {
        if let known = state.operation(operation.id) { return known }
        try state.validate(operation)
        return place(operation)
    }

    /// Ends the shift.
    mutating func end() {
        var end = operation("service", .ended(ShiftDone(totals: state.totals(at: now))))
        end.deviceSequence = 0
        place(end)
    }

    @discardableResult
    private mutating func place(_ operation: ShiftOperation) -> ShiftOperation {
        var operation = operation
        operation.actor = "account of \(operation.device)"
        operation.actorName = operation.device
        operation.sequence = state.head + 1
        operation.time = now
        operation.late = !state.isOpen
        state.apply(operation)
        return operation
    }
}

extension ShiftOperation.Change {
    static func mark(
        _ task: String, _ finding: Finding, list: String = "pre", notApplicable: String = ""
    ) -> Self {
        .mark(MarkTask(list: list, task: task, finding: finding, notApplicable: notApplicable))
    }

    static func review(_ task: String, _ finding: Finding) -> Self {
        .review(ReviewTask(list: "pre", task: task, finding: finding))
    }

    static func tick(_ todo: String, _ mark: TodoMark = .done) -> Self {
        .markTodo(MarkTodo(todo: todo, mark: mark))
    }

    static func add(
        _ title: String, section: String = "Kitchen", area: String = "kitchen",
        priority: String = "immediate", note: String = "", travelPath: [UInt8] = []
    ) -> Self {
        .addTodo(
            AddTodo(
                title: title, section: section, area: area, priority: priority, note: note,
                travelPath: travelPath))
    }
}

extension ShiftState {
    func pre(_ task: String) throws -> TaskResult {
        try #require(result(of: TaskKey(list: "pre", task: task)))
    }
}
