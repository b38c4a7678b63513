import Messages
import ServiceRuntime
import ShiftLog

/// Records what was done in a shift, in the order in which each device did it.
enum Recording {
    /// The permission is decided for each operation.
    static var handlers: [MessageHandler] {
        [.command(record, .role(minimum: .crew, at: .site))]
    }

    /// The maximum number of operations in a command.
    static let mostOperations = 500

    static func record(
        _ command: RecordOperations, in transaction: Transaction
    ) throws -> OperationsRecorded {
        let (shift, name) = try validate(command)
        guard let row = try ShiftRow.ofID(shift, transaction.db),
            transaction.principal.kind != .account
                || transaction.principal.organisation == row.shift.organisation
        else { throw Refusal.noShift(shift) }
        guard transaction.holdsSomeArea(.crew, at: row.shift.site) else {
            throw Refusal.noRoleAtSite
        }
        guard try transaction.mayUse(name, in: row.shift) else { throw Refusal.deviceTaken(name) }
        try PhotoHandling.require(command, in: shift, transaction)
        let account = transaction.principal.account
        guard var device = try DeviceRow.of(name, in: shift, by: account, transaction.db) else {
            throw Refusal.tooManyDevices
        }
        var writer = try ShiftWriter(row, in: transaction)
        try writer.state.validateRoom(
            for: command.operations, of: account,
            refused: KnownOperation.refused(of: account, in: shift, transaction.db))
        var known = Set(writer.state.log.map(\.id))
        let outcomes = try command.operations.map {
            try answer($0, sentAt: command.sentAt, &device, &writer, in: transaction)
        }
        device.made = max(device.made, device.answered, command.deviceHead)
        try device.save(in: shift, transaction.db)
        let head = try writer.finish().head
        // What was sent twice in one command counts once here, too.
        let taken = outcomes.filter { $0.kind != .refused && known.insert($0.id).inserted }
        try Handover.follow(taken.compactMap(\.operation), in: writer.state, transaction)
        return OperationsRecorded(outcomes: outcomes, head: head)
    }

    /// The outcome of one operation. One that was already answered gets the same outcome again.
    private static func answer(
        _ operation: ShiftOperation, sentAt: Int64, _ device: inout DeviceRow,
        _ writer: inout ShiftWriter, in transaction: Transaction
    ) throws -> OperationOutcome {
        do {
            if let known = try KnownOperation.of(operation.id, transaction.db) {
                return try known.outcome(of: operation)
            }
            guard operation.deviceSequence == device.answered + 1 else {
                throw Refusal.wants(device.answered + 1, of: device.device)
            }
        } catch let refusal as Refusal {
            return OperationOutcome(id: operation.id, refusal)
        }
        device.answered += 1
        // After an older backup was restored, a device may have seen operations that no longer
        // exist.
        var operation = operation
        operation.seen = min(operation.seen, writer.state.head)
        do {
            try operation.requireDoer(in: writer.state, transaction)
            try operation.requireKnownAccount(in: writer.state, transaction)
            try writer.state.validate(afterRefused: operation)
            try operation.requirePhotos(transaction)
        } catch let refusal as Refusal {
            try KnownOperation.remember(
                refusal, of: operation.id, in: operation.shift,
                by: transaction.principal.account, transaction.db)
            return OperationOutcome(id: operation.id, refusal)
        }
        let (taken, isContradiction) = try writer.add(operation, sentAt: sentAt)
        return OperationOutcome(taken, isContradiction: isContradiction)
    }

    /// Refuses anything but operations of one device in one shift.
    private static func validate(
        _ command: RecordOperations
    ) throws(Refusal) -> (shift: String, device: String) {
        let operations = command.operations
        guard let first = operations.first, operations.count <= mostOperations else {
            throw Refusal.invalid(
                "\(operations.count) operations; send 1 to \(mostOperations) at a time"
            ).because(.operationUnknown)
        }
        guard operations.allSatisfy({ $0.shift == first.shift && $0.device == first.device }) else {
            throw Refusal.invalid("send the operations of one device in one shift at a time")
                .because(.operationUnknown)
        }
        guard operations.allSatisfy({ DeviceRow.isName($0.device) }) else {
            throw Refusal.invalid(
                "a device has a name of 1 to 100 bytes, in the composed form of Unicode (NFC)"
            ).because(.operationUnknown)
        }
        guard operations.allSatisfy({ $0.id.count == 16 }) else {
            throw Refusal.invalid("the id of an operation has 16 bytes")
                .because(.operationUnknown)
        }
        let bytes = operations.reduce(0) { $0 + $1.packed().count }
        guard bytes <= ShiftOperation.pageBytes else {
            throw Refusal.invalid(
                "the operations have \(bytes) bytes; send at most \(ShiftOperation.pageBytes) at "
                    + "a time"
            ).because(.operationUnknown)
        }
        return (first.shift, first.device)
    }
}

extension ShiftState {
    /// Validates an operation after refused ones. The log does not contain those, but their numbers
    /// are used up: so the operation is validated with the number that follows the newest in the
    /// log.
    func validate(afterRefused operation: ShiftOperation) throws(Refusal) {
        var operation = operation
        operation.deviceSequence = newestNumber(of: operation.device) + 1
        try validate(operation)
    }
}

extension KnownOperation {
    /// The outcome to repeat for an operation that was already answered.
    func outcome(of operation: ShiftOperation) throws(Refusal) -> OperationOutcome {
        switch self {
        case .takenIn(let kept, let isContradiction)
        where kept.shift == operation.shift && kept.device == operation.device:
            return OperationOutcome(kept, isContradiction: isContradiction)
        case .refused(let refusal, let shift) where shift == operation.shift:
            return OperationOutcome(id: operation.id, refusal)
        default: throw Refusal.conflict("another operation has this id").because(.idTaken)
        }
    }
}

extension OperationOutcome {
    /// Makes the outcome of an accepted operation.
    init(_ operation: ShiftOperation, isContradiction: Bool) {
        self.init(
            id: operation.id, kind: isContradiction ? .conflict : .takenIn, operation: operation)
    }
}

extension Refusal {
    /// An operation arrived before the one that was made before it.
    static func wants(_ number: UInt64, of device: String) -> Refusal {
        .conflict("the device \(device) has to send its operation \(number) next")
            .because(.shiftGap, of: device, ["wanted": "\(number)"])
    }

    /// The device is somebody else's.
    fileprivate static func deviceTaken(_ device: String) -> Refusal {
        .conflict(
            "the device “\(device)” belongs to another account, and only that account may use the "
                + "numbers of its operations; record under a device name of your own"
        ).because(.deviceTaken, of: device)
    }

    /// An account names more devices than anybody has.
    fileprivate static let tooManyDevices = Refusal.conflict(
        "this account has used \(DeviceRow.most) devices in the shift, and no more are possible; "
            + "record with one of those, or with another account"
    ).because(.deviceLimit, ["most": "\(DeviceRow.most)"])
}
