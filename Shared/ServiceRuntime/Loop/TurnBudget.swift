import Foundation

/// What one turn of the loop may take in and give out, so that no peer keeps the others waiting and
/// no turn fills the memory. What is over waits in the sockets, from which ZeroMQ reads one message
/// of each peer in turn: a lone message waits for at most one turn and one message of each other.
struct TurnBudget {
    private var messagesLeft = TurnLimits.messages
    private var bytesInLeft = TurnLimits.bytes
    private var bytesOutLeft = TurnLimits.bytes
    private let end: ContinuousClock.Instant

    /// A budget that begins now.
    init() { end = .now + TurnLimits.time }

    /// True when the turn takes no further message.
    var isSpent: Bool {
        messagesLeft <= 0 || bytesInLeft <= 0 || bytesOutLeft <= 0 || ContinuousClock.now >= end
    }

    /// A message came in.
    mutating func take(bytes: Int) {
        messagesLeft -= 1
        bytesInLeft -= bytes
    }

    /// A reply is to go out.
    mutating func give(bytes: Int) { bytesOutLeft -= bytes }
}

/// What a router may keep for peers that do not read. Their messages are then dropped unhandled:
/// whoever reads again, and has no reply, asks again.
enum UnreadLimit {
    /// Bytes that may wait for one peer.
    static let ofOnePeer = 8 << 20
    /// Bytes that may wait for all. Beyond, whoever has something waiting gets nothing more.
    static let ofAll = 64 << 20
    /// Bytes for all at which everyone is cut off, where that is possible: who is honest comes back
    /// at once.
    static let atMost = 96 << 20
    /// Messages of one peer that wait to be handled; no more are read from its connection.
    static let messages: Int32 = 128
}
