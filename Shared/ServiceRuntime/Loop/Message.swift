import Bus
import Messages

/// A message to the service that needs an answer. A class, because it is passed on many times while
/// it is answered, and a copy of a value would count each of its fields again.
final class Message {
    let peer: [UInt8]
    let envelope: Envelope
    let id: MessageID
    /// The owner of the key it came with; nil on a bus without keys.
    let sender: Peer?

    init(peer: [UInt8], envelope: Envelope, id: MessageID, sender: Peer?) {
        self.peer = peer
        self.envelope = envelope
        self.id = id
        self.sender = sender
    }

    /// The conversation that it belongs to; its own id when it names none.
    var correlation: MessageID { MessageID(bytes: envelope.correlationId) ?? id }
}

/// A reply that is sent after the commit.
struct Reply {
    let peer: [UInt8]
    let envelope: [UInt8]
    /// What is kept instead of the envelope; nil to keep that.
    var kept: [UInt8]?
}

/// The outcome of handling a message.
enum Decision<R> {
    case accepted(R)
    /// A rule refused it.
    case refused(Refusal)
    /// A handler failed, because of a defect.
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
