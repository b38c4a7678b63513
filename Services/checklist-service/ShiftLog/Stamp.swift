import Messages

/// Who did something, and when.
package struct Stamp: Hashable, Sendable {
    /// The account; empty for an operation that the service hasn't accepted yet.
    package let account: String
    /// The account's name, for people.
    package let name: String
    /// The device.
    package let device: String
    /// When it was done, in milliseconds since 1970: when the service accepted it, or when it was
    /// made if it waited on the device.
    package let time: Int64
    /// True when only the device vouches for `time`.
    package let byDeviceClock: Bool
    /// The device's clock at that time, in milliseconds since 1970.
    package let deviceTime: Int64
    /// Its place in the order of effect; beyond all places given by the service while it has none.
    package let sequence: UInt64
    /// The newest sequence that its author could know.
    package let seen: UInt64

    /// The difference in milliseconds beyond which a device's clock is wrong or its operation
    /// waited.
    package static let skew: Int64 = 60_000

    /// Makes the stamp of an operation after `place` others.
    ///
    /// The device's clock is only evidence. It is trusted for an operation that reached the service
    /// more than a minute after it was made, if it was made during the shift.
    init(_ operation: ShiftOperation, started: Int64, place: Int) {
        account = operation.actor
        name = operation.actorName
        device = operation.device
        deviceTime = operation.deviceTime
        sequence = operation.sequence == 0 ? 1 << 62 + UInt64(place) : operation.sequence
        seen = operation.seen
        let waited = operation.time - operation.made > Self.skew
        byDeviceClock = operation.time == 0 || waited && operation.made >= started
        time = byDeviceClock ? operation.made : operation.time
    }

    /// Makes the stamp of something that was done before its shift, or in an earlier one. It has
    /// the place and the knowledge of the operation that carries it.
    init(_ deed: TodoDeed, carriedBy operation: Stamp) {
        account = deed.account
        name = deed.name
        device = operation.device
        deviceTime = deed.time
        sequence = operation.sequence
        seen = operation.seen
        byDeviceClock = false
        time = deed.time
    }

    /// True when the author of this could know of the other: by the sequence seen, or because it
    /// was made earlier on the same device.
    func knows(_ earlier: Stamp) -> Bool {
        earlier.device == device || earlier.sequence <= seen
    }
}

extension ShiftOperation {
    /// When it was made, as well as that is known, in milliseconds since 1970: by the service's
    /// clock if the service knew that, else by the device's.
    package var made: Int64 { doneAt == 0 ? deviceTime : doneAt }
}
