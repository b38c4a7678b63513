import Messages

/// The last refusals of commands that are not kept, in memory, because the same command may be
/// carried out another time. A sender sends the same bytes several times until it has an answer: if
/// the first copy is refused and the next is not, the sender believes that nothing was changed. So
/// for a moment all copies get the refusal of the first.
///
/// Whoever wants to try again sends other bytes under the same id: see `Envelope.deadline`. After
/// many other refusals, or a restart, a late copy is decided again: the end of the process also
/// ends the connections on which copies could be under way.
struct PassingShelf {
    /// The maximum number of refusals.
    static let most = 1000
    /// The maximum number of bytes.
    static let mostBytes = 1 << 20
    /// How long copies get the same refusal, in milliseconds: longer than a busy service takes from
    /// one copy to the next.
    static let memory: Int64 = 30_000

    private struct Passing {
        /// A hash that distinguishes its message from others with the same id.
        let mark: Int
        /// When it was refused.
        let time: Int64
        let envelope: [UInt8]
    }

    private var replies = BoundedCache<MessageID, Passing>(
        mostEntries: most, mostWeight: mostBytes)

    /// The refusal of the same message a moment ago.
    func reply(to message: Message, at now: Int64) -> [UInt8]? {
        guard let passing = replies[message.id], abs(now - passing.time) < Self.memory,
            passing.mark == Self.mark(of: message)
        else { return nil }
        return passing.envelope
    }

    /// Keeps the refusal of a message in place of any other with its id.
    mutating func keep(_ reply: [UInt8], to message: Message, at now: Int64) {
        let passing = Passing(mark: Self.mark(of: message), time: now, envelope: reply)
        replies.put(passing, for: message.id, weight: reply.count)
    }

    /// Drops the refusal of a command that has another reply by now.
    mutating func remove(_ id: MessageID) { _ = replies.take(id) }

    private static func mark(of message: Message) -> Int {
        let envelope = message.envelope
        var hasher = Hasher()
        hasher.combine(message.sender)
        hasher.combine(envelope.type)
        hasher.combine(envelope.actor)
        hasher.combine(envelope.time)
        hasher.combine(envelope.deadline)
        // Byte by byte, as an array is hashed, would take milliseconds for the largest ones.
        envelope.token.withUnsafeBytes { hasher.combine(bytes: $0) }
        envelope.data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
