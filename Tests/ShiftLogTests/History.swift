import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// A device: its copy of the shift, its operations that haven't come back, and the operations on
/// their way to it.
struct Device {
    let name: String
    var copy: ShiftState
    var unsent: [ShiftOperation] = []
    var made: [ShiftOperation] = []
    var clock: Int64 = 0
    var pages: [[ShiftOperation]] = []

    /// What its user sees: the copy, with later operations on top.
    var view: ShiftState {
        var view = copy
        for operation in unsent { view.apply(operation) }
        return view
    }

    /// Adds the operations that follow those it has, once and in order.
    mutating func receive(_ page: [ShiftOperation]) {
        for operation in page where operation.sequence == copy.head + 1 { copy.apply(operation) }
        unsent.removeAll { copy.operation($0.id) != nil }
    }
}

/// A shift, devices, and a network that drops, doubles, delays and reorders.
struct History {
    var service: Service
    var devices: [Device]
    /// The operations on their way to the service.
    var wire: [[ShiftOperation]] = []
    var ids = MessageID.Generator()

    init(_ seed: inout Seed) throws {
        let state = try Restaurant.state()
        service = Service(state)
        devices = (0..<(2 + seed.below(4))).map { Device(name: "device \($0)", copy: state) }
    }

    mutating func step(_ seed: inout Seed) throws {
        service.now += Int64(seed.below(120_000))
        let device = seed.below(devices.count)
        switch seed.below(9) {
        case 0...3: make(on: device, &seed)
        case 4:
            // The first waiting operations, perhaps sent twice.
            let batch = Array(devices[device].unsent.prefix(1 + seed.below(4)))
            for _ in 0...(seed.oneIn(4) ? 1 : 0) { wire.append(batch) }
        case 5: try deliver(at: seed.below(max(1, wire.count)), isLost: seed.oneIn(4))
        case 6:
            let behind = service.state.log.filter { $0.sequence > devices[device].copy.head }
            let page = Array(behind.prefix(1 + seed.below(8)))
            for _ in 0...(seed.oneIn(4) ? 1 : 0) { devices[device].pages.append(page) }
        case 7:
            guard !devices[device].pages.isEmpty else { return }
            let page = devices[device].pages.remove(
                at: seed.below(devices[device].pages.count))
            if !seed.oneIn(4) { devices[device].receive(page) }
        default:
            if seed.oneIn(4) {
                devices[device].clock = Int64(seed.below(172_800_000)) - 86_400_000
            }
        }
    }

    private mutating func deliver(at place: Int, isLost: Bool) throws {
        guard !wire.isEmpty else { return }
        for operation in wire.remove(at: place) where !isLost {
            do { try service.receive(operation) } catch {
                // An operation that came too early is sent again.
                try #require(error.code == .conflict, "\(error.message)")
                try #require(error.message.contains("is expected next"), "\(error.message)")
            }
        }
    }

    private mutating func make(on device: Int, _ seed: inout Seed) {
        let view = devices[device].view
        let time = service.now + devices[device].clock
        let operation = ShiftOperation(
            id: ids.next(at: service.now).bytes, shift: view.shift.id,
            device: devices[device].name,
            deviceSequence: UInt64(devices[device].made.count + 1), deviceTime: time,
            seen: devices[device].copy.head,
            doneAt: seed.oneIn(3) ? service.now - Int64(seed.below(1_800_000)) : 0,
            change: Self.change(view, &seed))
        devices[device].unsent.append(operation)
        devices[device].made.append(operation)
    }

    /// A change that a person who sees this state can make.
    private static func change(
        _ view: ShiftState, _ seed: inout Seed
    ) -> ShiftOperation.Change {
        let task = seed.pick(["grill", "tables", "fryer-oil"])
        switch seed.below(14) {
        case 0...5: return .mark(task, seed.pick([.ok, .notOk, .notOk, .unspecified]))
        case 6: return .mark(task, .unspecified, notApplicable: "closed")
        case 7:
            guard let open = view.reviews.first else { return .mark(task, .ok) }
            return .review(open.listed.key.task, seed.pick([.ok, .notOk]))
        case 8: return .note(NoteTask(list: "pre", task: task, text: "note \(seed.next())"))
        case 9: return .add("Own \(seed.below(3))")
        case 10:
            guard !view.todos.isEmpty else { return .mark(task, .notOk) }
            return .tick(seed.pick(view.todos).id, seed.pick([.open, .done, .removed]))
        case 11: return .beginTravelPath(BeginTravelPath())
        case 12:
            return .logTravelPath(LogTravelPath(begun: view.travelPaths.last?.begun ?? []))
        default:
            return .figure(
                EnterFigure(
                    hour: UInt32(seed.below(24)), kind: .salesActual, value: Int64(seed.below(99))))
        }
    }

    /// Repairs the network: each device sends what it has and fetches the rest until everything is
    /// there.
    mutating func settle() throws {
        wire = []
        for device in devices.indices {
            for operation in devices[device].unsent { try service.receive(operation) }
        }
        for device in devices.indices { devices[device].receive(service.state.log) }
    }

    func check() throws {
        let state = service.state
        for device in devices {
            #expect(device.unsent.isEmpty)
            #expect(device.copy == state)
            #expect(device.copy.digest == state.digest)
        }
        let made = devices.flatMap(\.made)
        #expect(state.log.filter { $0.device != "service" }.count == made.count)
        for operation in made {
            let kept = try #require(state.operation(operation.id))
            #expect(kept.change == operation.change)
            #expect(kept.late ? state.appendix.contains(kept) : isVisible(kept))
        }
        for listed in state.lists.tasks where listed.isLeaf { try checkMarks(of: listed.key) }
    }

    /// True if a person can find the operation where it belongs.
    private func isVisible(_ operation: ShiftOperation) -> Bool {
        let state = service.state
        switch operation.change {
        case .mark(let mark):
            return state.result(of: TaskKey(list: mark.list, task: mark.task))?.marks
                .contains { $0.stamp.sequence == operation.sequence } == true
        case .review(let review):
            return state.result(of: TaskKey(list: review.list, task: review.task))?.marks
                .contains { $0.stamp.sequence == operation.sequence && $0.isReview } == true
        case .note(let note):
            return state.result(of: TaskKey(list: note.list, task: note.task))?.notes
                .contains { $0.text == note.text } == true
        case .addTodo:
            return MessageID(bytes: operation.id).flatMap { state.todo($0.description) } != nil
        case .logTravelPath:
            return state.travelPaths.contains { $0.logged?.sequence == operation.sequence }
        default: return state.operation(operation.id) != nil
        }
    }

    /// Tests the rule in other words: a mark counts unless someone who could know of it made a
    /// later one. Either the marks that count agree, or the task is in review and shows the safer
    /// one.
    private func checkMarks(of key: TaskKey) throws {
        let marks = service.state.log.filter { $0.marked == key && !$0.late }
        let counting = marks.filter { mark in
            !marks.contains {
                $0.sequence > mark.sequence
                    && ($0.seen >= mark.sequence || $0.device == mark.device)
            }
        }
        let states = counting.map(\.markedState)
        let result = try #require(service.state.result(of: key))
        #expect(result.isInReview == (Set(states).count > 1))
        #expect(result.marks.count == marks.count)
        let expected = states.contains(.notOk) ? .notOk : states.last ?? .unchecked
        #expect(result.state == expected)
        let todos = (service.state.todos + service.state.removedTodos).filter { $0.task == key }
        #expect(todos.count == (result.state == .notOk ? 1 : 0))
    }
}

extension ShiftOperation {
    fileprivate var marked: TaskKey? {
        switch change {
        case .mark(let mark): TaskKey(list: mark.list, task: mark.task)
        case .review(let review): TaskKey(list: review.list, task: review.task)
        default: nil
        }
    }

    fileprivate var markedState: TaskState {
        switch change {
        case .mark(let mark): TaskState(mark.finding, reason: mark.notApplicable)
        case .review(let review): TaskState(review.finding, reason: "")
        default: .unchecked
        }
    }
}
