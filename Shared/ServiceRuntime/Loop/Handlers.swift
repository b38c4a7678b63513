import Messages

/// Carries out one type of command.
struct CommandHandler {
    /// True when the reply is not kept.
    let isSecret: Bool
    /// What is kept of the reply; nil for all of it.
    var keeping: ReplyKeeping?
    let handle: ([UInt8], Transaction) throws -> any ProtobufMessage

    /// Makes a handler that unpacks the command itself.
    init(unpacking handle: @escaping ([UInt8], Transaction) throws -> any ProtobufMessage) {
        isSecret = false
        self.handle = handle
    }

    /// Makes a handler for the command type of its first argument.
    init<C: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> R
    ) {
        isSecret = false
        self.handle = { try handle(try unpack($0), $1) }
    }

    /// Makes a handler whose reply is sent once and not kept.
    init<C: ProtobufMessage, R: ProtobufMessage>(
        secret handle: @escaping (C, Transaction) throws -> R
    ) {
        isSecret = true
        self.handle = { try handle(try unpack($0), $1) }
    }
}

/// How a reply is kept when only a part of it may be in the store.
struct ReplyKeeping {
    /// The full name of its type.
    let type: String
    /// What is kept of it.
    let kept: (any ProtobufMessage) -> any ProtobufMessage
    /// Makes the reply again from what was kept.
    let renewed: ([UInt8], Transaction) throws -> any ProtobufMessage

    init<R: ProtobufMessage>(
        _ kept: @escaping (R) -> R, renewed: @escaping (R, Transaction) throws -> R
    ) {
        type = R.protobufName
        self.kept = { reply in
            guard let reply = reply as? R else {
                preconditionFailure("a reply of the type \(R.protobufName) has another")
            }
            return kept(reply)
        }
        self.renewed = { try renewed(try R(stored: $0), $1) }
    }
}

/// Answers one type of query.
struct QueryHandler {
    let handle: ([UInt8], Transaction) throws -> any ProtobufMessage

    /// Makes a handler for the query type of its first argument.
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

    /// Makes a handler for the event type of its first argument; the envelope says who published
    /// it, when and about what.
    public init<E: ProtobufMessage>(
        _ handle: @escaping (E, Envelope, Transaction) throws -> Void
    ) {
        type = E.protobufName
        self.handle = { try handle(try E(unpacking: $0.data), $0, $1) }
    }
}

/// Carries out what is due when a timer of one kind fires.
public struct TimerHandler {
    let kind: String
    /// True when it may run before its time.
    let runsAtAnyTime: Bool
    let handle: (_ subject: String, _ due: Int64, Transaction) throws -> Void

    /// Makes a handler for timers of a kind. It gets the timer's subject and the time when it was
    /// due, which is long past when the service was down.
    ///
    /// When the clock is set back, a timer that was set while it was ahead starts to wait again, as
    /// long as it was to wait before.
    public init(
        _ kind: String,
        _ handle: @escaping (_ subject: String, _ due: Int64, Transaction) throws -> Void
    ) {
        self.kind = kind
        runsAtAnyTime = false
        self.handle = handle
    }

    /// Makes a handler for timers whose times are worked out by the clock, such as the next
    /// morning. It may run at any time: it does what is due by now, and sets the timer again.
    ///
    /// When the clock is set back, a timer that was set while it was ahead fires at once; the time
    /// that the handler gets is then still to come.
    public init(
        _ kind: String,
        atAnyTime handle: @escaping (_ subject: String, _ due: Int64, Transaction) throws -> Void
    ) {
        self.kind = kind
        runsAtAnyTime = true
        self.handle = handle
    }
}

/// Unpacks a payload that came from outside.
func unpack<M: ProtobufMessage>(_ bytes: [UInt8]) throws -> M {
    do throws(ProtobufError) { return try M(unpacking: bytes) } catch {
        let refusal = Refusal.invalid("the \(M.protobufName) can't be read: \(error)")
        guard error.isBeyondLimits else { throw refusal }
        throw refusal.because(.fieldLimit, of: error.field ?? "")
    }
}

/// A refusal that keeps what its handler wrote before, e.g. the count of a failed attempt. A plain
/// ``Refusal`` undoes it.
public struct NotedRefusal: Error {
    let refusal: Refusal

    /// Refuses, and keeps what was written.
    public init(_ refusal: Refusal) { self.refusal = refusal }
}

extension Refusal {
    /// What is kept in place of a secret reply.
    static let notKept = conflict(
        "this command was answered already, and its answer is not kept; begin again"
    ).because(.answerGone)
}
