import Bus

/// Grants or refuses the subscriptions of the alert endpoint.
final class SubscriptionDesk {
    /// The number of bytes of refused topics after which every subscriber is disconnected: ZeroMQ
    /// keeps these too, at about a hundred bytes for each byte of a topic, until the subscriber
    /// disconnects. Honest subscribers reconnect immediately.
    static let bytesInVain = 64 << 10

    private let socket: Socket
    private let grants: (String, Transaction) throws -> Bool
    private let status: StatusBoard
    private let log: Log
    private var wasted = 0
    private var refused = 0

    /// Makes a desk at an endpoint.
    init(
        _ socket: Socket, status: StatusBoard, log: Log,
        grants: @escaping (String, Transaction) throws -> Bool
    ) {
        self.socket = socket
        self.status = status
        self.log = log
        self.grants = grants
    }

    /// Handles waiting wishes, up to the limit of a turn.
    ///
    /// - Returns: true when every subscriber must be disconnected.
    func attend(_ transaction: Transaction) throws -> Bool {
        for _ in 0..<TurnLimits.messages {
            switch try socket.nextWish() {
            case nil: return false
            case .meaningless: return transaction.isBusShared
            case .unsubscribe(let topic): try socket.withdraw(topic)
            case .subscribe(let topic):
                if try grants(String(decoding: topic, as: UTF8.self), transaction) {
                    try socket.grant(topic)
                } else {
                    refused += 1
                    wasted += topic.count
                }
            }
            if wasted > Self.bytesInVain, transaction.isBusShared { return true }
        }
        return false
    }

    /// Resets the count, because every subscriber was disconnected.
    func reset() { wasted = 0 }

    /// Logs at most one line a second, however many were refused.
    func logRefused() {
        guard refused > 0 else { return }
        status.count("subscriptions.refused", by: UInt64(refused))
        log.write(.warning, "subscriptions refused", [.count: String(refused)])
        refused = 0
    }
}

/// Reads the subscriptions of the events endpoint. They need no grant, because every admitted peer
/// may have all events.
struct EventSubscriptions {
    /// The number of bytes of topics after which every subscriber is disconnected, for the reason
    /// of ``SubscriptionDesk/bytesInVain``. Followers subscribe to the empty topic.
    static let mostBytes = 64 << 10

    private var bytes = 0

    /// Reads waiting subscriptions, up to the limit of a turn.
    ///
    /// - Returns: true when the topics have more than ``mostBytes`` in all.
    mutating func read(from socket: Socket) throws(BusError) -> Bool {
        for _ in 0..<TurnLimits.messages {
            guard let wish = try socket.nextWish() else { break }
            if case .subscribe(let topic) = wish { bytes += topic.count }
        }
        return bytes > Self.mostBytes
    }
}
