import Messages
import WorkingCopy

/// Finds the operations that make the service refuse a whole message.
///
/// A service may be older than this program, and unable to read an operation. Then smaller messages
/// are sent, until the operation that can't be read is alone. It is replaced by one with its id and
/// number and no change, which the service refuses by itself. The operations after it are then
/// recorded, and it stays on this device, from where it can be sent again.
struct RefusalSearch {
    /// The maximum number of operations in one message that the service accepts.
    private static let limit = 500

    /// The maximum number of operations in the next message.
    private var most = limit
    /// Why the service can't read the operations that are replaced, by their ids.
    private(set) var unreadable: [[UInt8]: Refusal] = [:]

    /// The next message of these operations.
    func message(of operations: [ShiftOperation]) -> [ShiftOperation] {
        operations.prefix(most).map { unreadable[$0.id] == nil ? $0 : $0.withoutChange }
    }

    /// Makes the next message smaller, after one of these operations was refused as a whole.
    ///
    /// - Returns: false if no operation is the cause, because the service refuses every message.
    mutating func narrow(_ operations: [ShiftOperation], _ refusal: Refusal) -> Bool {
        guard [.invalid, .tooLarge].contains(refusal.code), !refusal.isOfID,
            let first = operations.first
        else { return false }
        most = max(1, operations.count / 2)
        guard operations.count == 1 else { return true }
        // If even its replacement is refused, the operation is sent as it is at the next attempt.
        guard unreadable.removeValue(forKey: first.id) == nil else { return false }
        unreadable[first.id] = refusal
        return true
    }

    /// The outcomes of a message that the service could read, with its reasons for what it couldn't
    /// read before.
    mutating func conclude(_ outcomes: [OperationOutcome]) -> [OperationOutcome] {
        most = min(Self.limit, 2 * most)
        return outcomes.map { outcome in
            guard let refusal = unreadable.removeValue(forKey: outcome.id),
                outcome.kind == .refused
            else { return outcome }
            // The refusal of the replacement means nothing to a person.
            return OperationOutcome(id: outcome.id, refusal)
        }
    }
}
