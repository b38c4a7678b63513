import Messages

/// Carries out one type of command.
struct CommandHandler {
    /// True when the reply is not kept.
    let isSecret: Bool
    let handle: ([UInt8], Transaction) throws -> any ProtobufMessage

    /// A handler that unpacks the command itself.
    init(unpacking handle: @escaping ([UInt8], Transaction) throws -> any ProtobufMessage) {
        isSecret = false
        self.handle = handle
    }

    /// A handler for the command type of its first argument.
    init<C: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> R
    ) {
        isSecret = false
        self.handle = { try handle(try unpack($0), $1) }
    }

    /// A handler whose reply goes out once and is not kept.
    init<C: ProtobufMessage, R: ProtobufMessage>(
        secret handle: @escaping (C, Transaction) throws -> R
    ) {
        isSecret = true
        self.handle = { try handle(try unpack($0), $1) }
    }
}

/// Answers one type of query.
struct QueryHandler {
    let handle: ([UInt8], Transaction) throws -> any ProtobufMessage

    /// A handler for the query type of its first argument.
    init<Q: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (Q, Transaction) throws -> R
    ) {
        self.handle = { try handle(try unpack($0), $1) }
    }
}

/// Applies one type of event of a producer that the service follows.
public struct EventHandler {
    let type: String
    let handle: (Envelope, Transaction) throws -> Void

    /// A handler for the event type of its first argument; the envelope tells who, when and what
    /// about.
    public init<E: ProtobufMessage>(
        _ handle: @escaping (E, Envelope, Transaction) throws -> Void
    ) {
        type = E.protobufName
        self.handle = { try handle(try E(unpacking: $0.data), $0, $1) }
    }
}

/// Does what is due when a timer of one kind has run out.
public struct TimerHandler {
    let kind: String
    let handle: (_ subject: String, _ due: Int64, Transaction) throws -> Void

    /// A handler for timers of a kind. It gets the timer's subject and when it was due, which lies
    /// far back when the service was down.
    public init(
        _ kind: String,
        _ handle: @escaping (_ subject: String, _ due: Int64, Transaction) throws -> Void
    ) {
        self.kind = kind
        self.handle = handle
    }
}

/// Reads a payload that came from outside.
func unpack<M: ProtobufMessage>(_ bytes: [UInt8]) throws -> M {
    do throws(ProtobufError) { return try M(unpacking: bytes) } catch {
        let refusal = Refusal.invalid("the \(M.protobufName) can't be read: \(error)")
        throw error.isBeyondLimits ? refusal.because(.fieldLimit) : refusal
    }
}

/// A refusal that leaves a trace: what its handler wrote before is committed, e.g. the count of a
/// failed attempt. A plain ``Refusal`` undoes it.
public struct NotedRefusal: Error {
    let refusal: Refusal

    /// Refuses, and keeps what was written.
    public init(_ refusal: Refusal) { self.refusal = refusal }
}

extension Refusal {
    /// What is kept in place of a secret reply.
    static let notKept = conflict(
        "this command was answered already, and its answer is not kept; begin again")
}
