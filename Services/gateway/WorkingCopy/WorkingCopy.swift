import Foundation
import Messages

/// A device's copy of a shift: its lists, the operations that the service has put in order, and the
/// device's own operations that the service has not recorded yet.
///
/// An operation that ``append(_:id:deviceTime:)`` has returned is on the disk; it stays in
/// ``waiting`` until the service has recorded or refused it, and a refused one stays in ``refused``
/// until the person dismisses it or has it sent again. Nothing else removes it.
///
/// Not Sendable: it belongs to the thread that opened it, and to one process at a time.
public final class WorkingCopy {
    /// An operation that the service refused.
    public struct RefusedOperation: Sendable, Hashable {
        /// The operation.
        public let operation: ShiftOperation
        /// Why it was refused.
        public let refusal: Refusal
    }

    /// The device's id in operations.
    public let device: String
    /// The shift, including its end once the service has reported it.
    public private(set) var shift: Shift
    /// The lists of the shift, in its order.
    public let lists: [ChecklistTemplate]
    /// The operations that the service has put in order, by sequence.
    public private(set) var operations: [ShiftOperation] = []
    /// Operations of this device that have no answer yet, in the order of their numbers.
    public private(set) var waiting: [ShiftOperation] = []
    /// Operations that were refused, and neither dismissed nor sent again, oldest first.
    public private(set) var refused: [RefusedOperation] = []
    /// The number of the newest operation that this device has made in the shift.
    public private(set) var deviceHead: UInt64 = 0

    /// The block from which this device takes the numbers of its to-dos, as the service gave it; 0
    /// for none.
    public private(set) var numberBlock: UInt32 = 0

    /// When the service last answered about this shift, in milliseconds since 1970; 0 for never.
    public private(set) var lastHeard: Int64

    /// The number of times that it was rewound; when it changes, states folded earlier are invalid.
    public private(set) var rewindings = 0

    /// The folder with the photos of its operations, which may not be there.
    var photoFolder: String { file.path + ".photos" }

    private let file: RecordFile
    /// Every operation that this device has made in the shift, by number.
    private var made: [ShiftOperation] = []
    /// The ids of refused operations that the person has dismissed, or had sent again as others.
    /// After a restored backup the service may be able to accept them, and must not.
    private var discarded: Set<[UInt8]> = []

    /// The newest sequence of the shift that this device has.
    public var head: UInt64 { operations.last?.sequence ?? 0 }

    /// All operations in their order of effect: those that the service has put in order, and on top
    /// the waiting ones, as if they came next. Those have no sequence yet.
    public var everything: [ShiftOperation] { operations + waiting }

    /// The shift and its lists as the copy began.
    public let snapshot: ShiftSnapshot

    init(_ file: RecordFile, _ records: [RecordFile.Record], device: String) throws {
        self.file = file
        self.device = device
        lastHeard = HeardTime.read(file.path)
        guard let first = records.first, first.kind == RecordKind.snapshot.rawValue else {
            throw WorkingCopyError.foreign(path: file.path)
        }
        snapshot = try ShiftSnapshot(stored: first.body)
        shift = snapshot.shift ?? Shift()
        numberBlock = snapshot.numberBlock
        lists = try snapshot.lists.map { try ChecklistTemplate(stored: $0) }
        for record in records.dropFirst() { try apply(record) }
    }

    /// Notes that the service has answered at a time, in milliseconds since 1970. After a power cut
    /// an earlier time may be there, which is on the safe side.
    public func hear(at time: Int64) {
        // A screen hears from the service twice a second.
        guard (time - lastHeard).magnitude >= 1_000 else { return }
        lastHeard = time
        HeardTime.write(time, file.path)
    }

    // MARK: What this device does

    /// Saves an operation of this device. When this returns, the operation is on the disk.
    ///
    /// - Parameters:
    ///   - id: a fresh id, by which the service recognises the operation.
    ///   - deviceTime: the device's clock, milliseconds since 1970.
    @discardableResult
    public func append(
        _ change: ShiftOperation.Change, id: MessageID, deviceTime: Int64
    ) throws -> ShiftOperation {
        let operation = ShiftOperation(
            id: id.bytes, shift: shift.id, device: device, deviceSequence: deviceHead + 1,
            deviceTime: deviceTime, seen: head, change: change)
        try keep([.init(.own, operation)])
        return operation
    }

    /// Withdraws the newest operations of this device, because the service denied them to this
    /// person: it has not recorded them, so their numbers are free again.
    public func withdraw(_ operations: [ShiftOperation]) throws {
        let ids = Set(waiting.map(\.id))
        try keep(
            operations.filter { ids.contains($0.id) }
                .map { .init(kind: RecordKind.withdrawn.rawValue, body: $0.id) })
    }

    /// Removes a refused operation that the person has dismissed.
    public func dismiss(_ operation: ShiftOperation) throws {
        try keep([.init(kind: RecordKind.dismissed.rawValue, body: operation.id)])
    }

    /// Has a refused operation sent once more, as a new one: the service has used up the number of
    /// the first and remembers its id.
    ///
    /// - Parameters:
    ///   - operation: the refused operation.
    ///   - id: a fresh id.
    /// - Returns: the new operation; nil if that operation isn't among the refused ones.
    @discardableResult
    public func resend(_ operation: ShiftOperation, id: MessageID) throws -> ShiftOperation? {
        guard refused.contains(where: { $0.operation.id == operation.id }) else { return nil }
        var again = operation
        (again.id, again.deviceSequence) = (id.bytes, deviceHead + 1)
        // In one record, so that a kill can't leave it both refused and sent again.
        try keep([.init(.resent, OperationOutcome(id: operation.id, operation: again))])
        return again
    }

    // MARK: What the service says

    /// Adds a page of operations in the service's order, skipping those that are already here.
    public func add(_ page: OperationPage) throws {
        var records = page.operations.filter { $0.sequence > head }
            .map { RecordFile.Record(.ordered, $0) }
        if page.ended != 0, shift.ended == 0 {
            records.append(.init(.ended, OperationPage(ended: page.ended)))
        }
        if page.numberBlock != 0, page.numberBlock != numberBlock {
            records.append(.init(.numbered, OperationPage(numberBlock: page.numberBlock)))
        }
        try keep(records)
    }

    /// Applies the outcomes of operations that were sent. A recorded one leaves `waiting` only when
    /// it has also come in the service's order, so that it is always visible.
    public func settle(_ outcomes: [OperationOutcome]) throws {
        let ids = Set(waiting.map(\.id))
        try keep(
            outcomes.filter { $0.kind == .refused && ids.contains($0.id) }
                .map { .init(.refused, $0) })
    }

    /// Starts over because the service has an older history: a backup was restored. All operations
    /// that this device has made wait again, to be sent once more under the same ids. Those that
    /// were discarded have no change then, but use up their numbers.
    public func rewind() throws {
        try keep([.init(kind: RecordKind.rewound.rawValue, body: [])])
    }

    private func keep(_ records: [RecordFile.Record]) throws {
        guard !records.isEmpty else { return }
        try file.append(records)
        for record in records { try apply(record) }
    }

    private func apply(_ record: RecordFile.Record) throws {
        switch RecordKind(rawValue: record.kind) {
        case .ordered: order(try ShiftOperation(stored: record.body))
        case .own: make(try ShiftOperation(stored: record.body))
        case .refused: refuse(try OperationOutcome(stored: record.body))
        case .dismissed: discard(record.body)
        case .ended: shift.ended = try OperationPage(stored: record.body).ended
        case .rewound:
            rewindings += 1
            (operations, refused) = ([], [])
            waiting = made.map { discarded.contains($0.id) ? $0.withoutChange : $0 }
            shift.ended = 0
        case .withdrawn: forget(record.body)
        case .numbered: numberBlock = try OperationPage(stored: record.body).numberBlock
        case .resent:
            let outcome = try OperationOutcome(stored: record.body)
            guard let operation = outcome.operation else {
                throw WorkingCopyError.foreign(path: file.path)
            }
            discard(outcome.id)
            make(operation)
        case .snapshot, nil: throw WorkingCopyError.foreign(path: file.path)
        }
    }

    private func make(_ operation: ShiftOperation) {
        deviceHead = max(deviceHead, operation.deviceSequence)
        waiting.append(operation)
        made.append(operation)
    }

    private func discard(_ id: [UInt8]) {
        refused.removeAll { $0.operation.id == id }
        discarded.insert(id)
    }

    private func order(_ operation: ShiftOperation) {
        guard operation.sequence > head else { return }
        operations.append(operation)
        waiting.removeAll { $0.id == operation.id }
        if operation.device == device {
            deviceHead = max(deviceHead, operation.deviceSequence)
        }
    }

    private func forget(_ id: [UInt8]) {
        waiting.removeAll { $0.id == id }
        made.removeAll { $0.id == id }
        let known = (made + operations).filter { $0.device == device }.map(\.deviceSequence)
        deviceHead = known.max() ?? 0
    }

    private func refuse(_ outcome: OperationOutcome) {
        guard let index = waiting.firstIndex(where: { $0.id == outcome.id }) else { return }
        let operation = waiting.remove(at: index)
        guard !discarded.contains(operation.id) else { return }
        refused.append(RefusedOperation(operation: operation, refusal: outcome.whyRefused))
    }
}

extension ShiftOperation {
    /// An operation with the id and the number of this one and no change: every version of the
    /// service can read it, and refuses it by itself.
    public var withoutChange: ShiftOperation {
        ShiftOperation(
            id: id, shift: shift, device: device, deviceSequence: deviceSequence, seen: seen)
    }
}

/// When the service last answered, in a file next to that of the working copy. It only says how old
/// lists are, so nothing else fails if it can't be written.
enum HeardTime {
    /// The end of the file's name.
    static let ending = ".heard"

    static func read(_ path: String) -> Int64 {
        FileManager.default.contents(atPath: path + ending)
            .flatMap { Int64(String(decoding: $0.prefix(20), as: UTF8.self)) }
            .flatMap { MessageTime.range.contains($0) ? $0 : nil } ?? 0
    }

    static func write(_ time: Int64, _ path: String) {
        _ = FileManager.default.createFile(
            atPath: path + ending, contents: Data("\(time)".utf8),
            attributes: [.posixPermissions: 0o600])
    }
}

/// The kinds of records in the file. The numbers are in people's files and never change.
enum RecordKind: UInt8 {
    /// A ShiftSnapshot: the first record, and no other.
    case snapshot = 1
    /// A ShiftOperation in the service's order.
    case ordered = 2
    /// A ShiftOperation that this device has made.
    case own = 3
    /// An OperationOutcome: the service has refused one of this device.
    case refused = 4
    /// The id of a refused operation that the person has dismissed.
    case dismissed = 5
    /// An OperationPage with only the shift's end.
    case ended = 6
    /// No content: everything that the service had put in order is invalid.
    case rewound = 7
    /// The id of an operation of this device that the service denied to its person.
    case withdrawn = 8
    /// An OperationPage with only the block of numbers of the device.
    case numbered = 9
    /// An OperationOutcome with the id of a refused operation, and the operation of this device
    /// that is sent in its place.
    case resent = 10
}

extension RecordFile.Record {
    init(_ kind: RecordKind, _ message: some ProtobufMessage) {
        self.init(kind: kind.rawValue, body: message.packed())
    }
}
