import CZeroMQ

/// A subscriber's request to a publisher.
public enum Wish: Sendable, Hashable {
    /// To receive every topic that begins with these bytes. At a granting publisher it has no
    /// effect until it is granted.
    case subscribe([UInt8])
    /// To receive them no longer.
    case unsubscribe([UInt8])
    /// A message that a subscriber must not send.
    case meaningless
}

extension Socket {
    /// The next wish at a publisher, or nil when none is waiting.
    ///
    /// After ``Wish/meaningless`` a granting publisher must be reopened before the next wish is
    /// read. ZeroMQ (xpub.cpp, 4.3.4) counts such a message as a wish of the next subscriber in its
    /// queue, so that from then on grants go to the wrong peers.
    public func nextWish() throws(BusError) -> Wish? {
        guard let frame = try Frame(from: handle) else { return nil }
        let bytes = frame.bytes
        switch bytes.first {
        case 1: return .subscribe(Array(bytes.dropFirst()))
        case 0: return .unsubscribe(Array(bytes.dropFirst()))
        default: return .meaningless
        }
    }

    /// Grants the wish that was read last: its subscriber receives every topic that begins with
    /// `topic`.
    public func grant(_ topic: [UInt8]) throws(BusError) {
        try Self.set(handle, ZMQ_SUBSCRIBE, topic)
    }

    /// Revokes what was granted to the subscriber whose wish was read last.
    public func withdraw(_ topic: [UInt8]) throws(BusError) {
        try Self.set(handle, ZMQ_UNSUBSCRIBE, topic)
    }
}
