import Foundation

/// How much one turn of the loop may receive and send, so that no peer keeps the others waiting and
/// no turn fills the memory. The rest waits in the sockets, from which ZeroMQ reads one message of
/// each peer in turn: a lone message waits for at most one turn and one message of each other peer.
struct TurnBudget {
    private var messagesLeft = TurnLimits.messages
    private var bytesInLeft = TurnLimits.bytes
    private var bytesOutLeft = TurnLimits.bytes
    private let begin = ContinuousClock.now

    /// True in the first moment of a turn, in which it may wait for messages that are on their way.
    var mayWait: Bool { !isSpent && ContinuousClock.now < begin + TurnLimits.waiting }

    /// True when the turn handles no further message.
    var isSpent: Bool {
        messagesLeft <= 0 || bytesInLeft <= 0 || bytesOutLeft <= 0
            || ContinuousClock.now >= begin + TurnLimits.time
    }

    /// Counts a message that arrived.
    mutating func countMessage(bytes: Int) {
        messagesLeft -= 1
        bytesInLeft -= bytes
    }

    /// Counts a reply that will be sent.
    mutating func countReply(bytes: Int) { bytesOutLeft -= bytes }
}

/// How much a router may keep for peers that do not read. Beyond these limits their messages are
/// dropped unhandled; a peer that has no reply asks again.
enum UnreadLimit {
    /// The maximum number of bytes that may wait for one peer.
    static let ofOnePeer = 8 << 20
    /// The maximum number of bytes that may wait for all. Beyond it, a peer with anything waiting
    /// gets nothing more.
    static let ofAll = 64 << 20
    /// The number of waiting bytes for all at which every peer is disconnected, on a shared bus.
    /// Honest ones reconnect immediately.
    static let atMost = 96 << 20
    /// The maximum number of unhandled messages of one peer; beyond it, no more are read from its
    /// connection.
    static let messages: Int32 = 128
}
