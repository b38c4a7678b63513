import Bus
import Foundation
import Messages
import ShiftLog
import TestSupport
import Testing
import WorkingCopy

@testable import ShiftClient

extension Processes {
    /// Histories of two devices with working copies on disk and a service in a process of its own,
    /// each of which is killed now and then.
    @Suite struct HistoryTests {
        /// The number of histories: `SHIFT_HISTORIES` in the environment, otherwise 30.
        static let histories =
            ProcessInfo.processInfo.environment["SHIFT_HISTORIES"].flatMap { Int($0) } ?? 30

        @Test(arguments: Seed.some(1))
        func `nothing from two devices is lost or changed, whichever process is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let restaurant = try Restaurant()
            try restaurant.keep(.list(tasks: 6))
            let phones = try ["one", "two"].map { try Phone($0, restaurant) }
            for number in 0..<Self.histories {
                var history = try History(restaurant, phones)
                for _ in 0..<(10 + seed.below(20)) { try history.step(&seed) }
                // What was made before the end and arrives after it is late, but it is kept.
                if seed.oneIn(4) { try history.end() }
                try history.settle()
                if !history.hasEnded {
                    try history.end()
                    try history.settle()
                }
                try history.check("history \(number), \(seed)")
            }
            _ = try restaurant.audit(heads: [restaurant.head()])
        }
    }
}

/// A device: its folder, and its process, which may end at any time.
final class Phone: ServiceAccess {
    private let system: System
    private let folder: DeviceFolder
    private var ids = MessageID.Generator()
    private(set) var copy: WorkingCopy?
    private(set) var courier: ShiftCourier?
    /// The operations of this shift that were made here and are on disk, in order.
    private(set) var made: [ShiftOperation] = []

    init(_ name: String, _ restaurant: Restaurant) throws {
        system = restaurant.system
        folder = try DeviceFolder(
            at: system.path(name), newID: ids.next(at: WallClock.milliseconds()))
    }

    func client(_ service: ServiceName) throws -> Client { try system.client(of: service) }

    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R { try client(service).ask(message, for: R.self) }

    func renewProof(refused _: [UInt8]) throws -> Bool { false }

    /// Begins a shift as the service describes it to this device.
    func begin(_ shift: String, _ restaurant: Restaurant) throws {
        made = []
        let told = try restaurant.ask(
            ReadShift(shift: shift, device: folder.device), for: ShiftSnapshot.self)
        copy = try folder.begin(told)
        courier = try ShiftCourier(self, try #require(copy))
    }

    /// Ends the process as SIGKILL would, and starts another with what is on disk.
    func restart() throws {
        let shift = try #require(copy).shift.id
        (copy, courier) = (nil, nil)
        let found = try folder.open(shift: shift)
        let opened = try #require(found)
        copy = opened
        courier = try ShiftCourier(self, opened)
    }

    /// The shift as this device shows it.
    var view: ShiftState {
        get throws {
            let copy = try #require(copy)
            var view = try ShiftState(snapshot: copy.snapshot)
            for operation in copy.everything { view.apply(operation) }
            return view
        }
    }

    @discardableResult
    func make(_ change: ShiftOperation.Change) throws -> ShiftOperation {
        let now = WallClock.milliseconds()
        let operation = try #require(copy).append(change, id: ids.next(at: now), deviceTime: now)
        made.append(operation)
        return operation
    }

    /// Sends and fetches until nothing is left to do.
    func sync() throws {
        let courier = try #require(courier)
        try eventually("everything is sent") {
            try courier.run()
            return courier.obstacle == nil && copy?.waiting.isEmpty == true
        }
    }
}

/// A shift of two devices.
private struct History {
    let restaurant: Restaurant
    let phones: [Phone]
    let shift: String
    private(set) var hasEnded = false

    init(_ restaurant: Restaurant, _ phones: [Phone]) throws {
        (self.restaurant, self.phones) = (restaurant, phones)
        shift = try #require(try restaurant.start().shift).id
        for phone in phones { try phone.begin(shift, restaurant) }
    }

    mutating func step(_ seed: inout Seed) throws {
        let phone = seed.pick(phones)
        switch seed.below(24) {
        case 0...13: try phone.make(Self.change(try phone.view, phone, &seed))
        case 14...18: try phone.sync()
        case 19...21:
            // A message is sent, and no one gets its answer.
            try phone.courier?.turn(within: .zero)
            try phone.restart()
        case 22: try phone.restart()
        default:
            // The service is killed while it may be at work for this device.
            try phone.courier?.turn(within: .zero)
            let moment = ContinuousClock.now + .microseconds(seed.below(3_000))
            while ContinuousClock.now < moment {}
            try restaurant.restart()
        }
    }

    /// A change that a person who sees this state can make.
    private static func change(
        _ view: ShiftState, _ phone: Phone, _ seed: inout Seed
    ) throws -> ShiftOperation.Change {
        let list = try #require(view.lists.templates.first).id
        let task = "t\(1 + seed.below(3))"
        switch seed.below(12) {
        case 0...5: return .mark(list, task, seed.pick([.ok, .notOk, .notOk, .unspecified]))
        case 6: return .note(NoteTask(list: list, task: task, text: "note \(seed.next())"))
        case 7:
            let number = view.numbers.next(in: phone.copy?.numberBlock ?? 0)
            return .addTodo(
                AddTodo(
                    title: "Own", area: "kitchen", priority: "immediate", number: number))
        case 8, 9:
            guard !view.todos.isEmpty else { return .mark(list, task, .notOk) }
            return .markTodo(
                MarkTodo(todo: seed.pick(view.todos).id, mark: seed.pick([.done, .removed])))
        case 10: return .beginTravelPath(BeginTravelPath())
        default:
            return .figure(
                EnterFigure(
                    hour: UInt32(seed.below(3)), kind: .salesActual, value: Int64(seed.below(99))))
        }
    }

    mutating func end() throws {
        // The next shift takes over no to-dos, so that their number doesn't grow.
        if let phone = phones.first {
            for todo in try phone.view.todos where todo.mark == .open && todo.task == nil {
                try phone.make(.markTodo(MarkTodo(todo: todo.id, mark: .removed)))
            }
            try phone.sync()
        }
        let shift = try restaurant.ask(
            EndShift(shift: shift, despiteOpen: true), for: Shift.self)
        hasEnded = shift.ended > 0
    }

    /// Lets every device send what it has and fetch the rest.
    func settle() throws {
        for phone in phones + phones { try phone.sync() }
    }

    func check(_ comment: String) throws {
        let kept = try restaurant.kept(shift)
        let state = try #require(try phones.first?.view)
        let made = phones.flatMap(\.made)
        let fromDevices = kept.filter { $0.deviceSequence > 0 }
        try #require(fromDevices.count == made.count, "\(comment)")
        let byID = Dictionary(fromDevices.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        for operation in made {
            let found = try #require(byID[operation.id], "\(comment): \(operation)")
            try #require(found.change == operation.change, "\(comment)")
            try #require(found.deviceSequence == operation.deviceSequence, "\(comment)")
            try #require(found.seen == operation.seen, "\(comment)")
        }
        for phone in phones {
            let copy = try #require(phone.copy)
            try #require(copy.operations == kept && copy.refused.isEmpty, "\(comment)")
            try #require(try phone.view.digest == state.digest, "\(comment)")
        }
        try #require(state.appendix.map(\.id) == kept.filter(\.late).map(\.id), "\(comment)")
        try checkMarks(kept, state, comment)
        try checkNumbers(state, comment)
    }

    /// A mark counts unless someone who could know of it made a later one. If the marks that count
    /// differ, everyone learns of the contradiction, and the safer mark is shown.
    private func checkMarks(
        _ kept: [ShiftOperation], _ state: ShiftState, _ comment: String
    ) throws {
        for listed in state.lists.tasks where listed.isLeaf {
            let marks = kept.filter { $0.marks == listed.key && !$0.late }
            let counting = marks.filter { mark in
                !marks.contains {
                    $0.sequence > mark.sequence
                        && ($0.seen >= mark.sequence || $0.device == mark.device)
                }
            }
            let findings = counting.compactMap(\.finding)
            let result = try #require(state.result(of: listed.key))
            try #require(result.marks.count == marks.count, "\(comment)")
            try #require(result.isInReview == (Set(findings).count > 1), "\(comment)")
            if findings.contains(.notOk) { try #require(result.state == .notOk, "\(comment)") }
        }
    }

    /// No two to-dos have the same number.
    private func checkNumbers(_ state: ShiftState, _ comment: String) throws {
        let numbers = (state.todos + state.removedTodos).map(\.number)
        try #require(Set(numbers).count == numbers.count, "\(comment): \(numbers)")
    }
}

extension ShiftOperation {
    fileprivate var marks: TaskKey? {
        guard case .mark(let mark) = change else { return nil }
        return TaskKey(list: mark.list, task: mark.task)
    }

    fileprivate var finding: Finding? {
        guard case .mark(let mark) = change else { return nil }
        return mark.finding
    }
}
