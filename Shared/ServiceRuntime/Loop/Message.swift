import Bus
import Messages

/// What someone sent to the service, to be answered.
struct Message {
    let peer: [UInt8]
    let envelope: Envelope
    let id: MessageID
    /// Whose key it came with; nil on a bus without keys.
    let sender: Peer?

    /// The conversation that it belongs to; it begins one when it names none.
    var correlation: MessageID { MessageID(bytes: envelope.correlationId) ?? id }
}

/// A reply that leaves after the commit.
struct Reply {
    let peer: [UInt8]
    let envelope: [UInt8]
}

/// What came of handling a message.
enum Decision<R> {
    case accepted(R)
    /// A rule said no.
    case refused(Refusal)
    /// A defect of ours.
    case failed(Refusal)

    /// The word for the log and the counters.
    var outcome: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .failed: "failed"
        }
    }
}
