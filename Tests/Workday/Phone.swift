import Bus
import Messages
import TestSupport

/// A device that records operations in one shift after another.
final class Phone: Occupation {
    private struct Shift {
        let id: String
        var made: [ShiftOperation] = []
    }

    private enum Step { case start, record, end }

    /// The number of operations in a shift.
    private static let mostOperations = 400
    /// The number of shifts, from the newest, that are compared at the end.
    private static let mostKept = 20

    let service = ServiceName.checklist
    private let site: String
    private let list: String
    private let name: String
    private let clock: () -> Int64
    private let changesShifts: Bool
    private var shifts: [Shift]
    private var step = Step.start
    private var sent = 0
    private var isEnded = false
    private var seed: Seed
    private var ids = MessageID.Generator()

    /// - Parameter changesShifts: false to stay in one shift, in which others work too.
    init(
        _ name: String, at site: String, list: String, in shift: String, changesShifts: Bool,
        seed: Seed, clock: @escaping () -> Int64
    ) {
        (self.site, self.list, self.name, self.seed) = (site, list, name, seed)
        (self.clock, self.changesShifts) = (clock, changesShifts)
        shifts = [Shift(id: shift)]
    }

    func next() -> (any ProtobufMessage)? {
        guard let shift = shifts.last, !isEnded else {
            step = .start
            return StartShift(site: site, dayPart: 1)
        }
        guard !changesShifts || shift.made.count < Self.mostOperations else {
            step = .end
            return EndShift(shift: shift.id, despiteOpen: true)
        }
        step = .record
        sent = 1 + seed.below(4)
        let operations = (0..<sent).map { operation($0, in: shift) }
        shifts[shifts.count - 1].made += operations
        return RecordOperations(
            operations: operations, deviceHead: UInt64(shift.made.count + sent))
    }

    private func operation(_ number: Int, in shift: Shift) -> ShiftOperation {
        let now = clock()
        let finding: Finding = seed.oneIn(3) ? .notOk : .ok
        let mark = MarkTask(
            list: list, task: seed.pick(["lock", "light", "oven"]), finding: finding)
        return ShiftOperation(
            id: ids.next(at: now).bytes, shift: shift.id, device: name,
            deviceSequence: UInt64(shift.made.count + number + 1), deviceTime: now,
            change: .mark(mark))
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        switch step {
        case .start:
            let snapshot = try answer.message(ShiftSnapshot.self)
            shifts = shifts.suffix(Self.mostKept - 1) + [Shift(id: snapshot.shift?.id ?? "")]
            isEnded = false
        case .end:
            _ = try answer.message(Messages.Shift.self)
            isEnded = true
        case .record:
            let outcomes = try answer.message(OperationsRecorded.self).outcomes
            let made = shifts.last?.made.suffix(sent).map(\.id)
            guard outcomes.map(\.id) == made,
                outcomes.allSatisfy({ $0.kind == .takenIn || $0.kind == .conflict })
            else { throw Complaint("operations were not accepted: \(outcomes)") }
        }
    }

    func inspect(_ system: System, _ client: Client) throws {
        for shift in shifts {
            let all = try client.operations(of: shift.id)
            let kept = all.filter { $0.device == name }
            guard kept.map(\.id) == shift.made.map(\.id) else {
                throw Complaint(
                    "shift \(shift.id) has \(kept.count) operations of \(name), who made "
                        + "\(shift.made.count)")
            }
            // The sequence continues from one shift of the site to the next.
            let first = all.first?.sequence ?? 1
            guard all.map(\.sequence) == (0..<UInt64(all.count)).map({ first + $0 }),
                Set(all.map(\.id)).count == all.count
            else { throw Complaint("the log of shift \(shift.id) has gaps or duplicates") }
        }
    }
}

extension Client {
    /// Every operation of a shift, as the service returns it.
    func operations(of shift: String) throws -> [ShiftOperation] {
        var operations: [ShiftOperation] = []
        while true {
            let page = try ask(
                ReadOperations(shift: shift, after: operations.last?.sequence ?? 0),
                for: OperationPage.self, deadline: .seconds(3000))
            operations += page.operations
            if page.operations.isEmpty || operations.last?.sequence ?? 0 >= page.head {
                return operations
            }
        }
    }
}
