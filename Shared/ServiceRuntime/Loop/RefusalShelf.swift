import Messages

/// The last refusals of commands from unidentified senders, in memory. Someone who repeats such a
/// command gets the same refusal; after many others, or after a restart, it is decided again, which
/// does no harm, because a refused command has changed nothing. In the store, strangers could fill
/// the disk with them.
struct RefusalShelf {
    /// The maximum number of refusals kept.
    static let most = 1000
    /// The maximum number of bytes kept.
    static let mostBytes = 1 << 20

    private var refusals = BoundedCache<MessageID, (envelope: [UInt8], asker: String)>(
        mostEntries: most, mostWeight: mostBytes)

    /// The refusal kept under an id, and the asker it was given to.
    func reply(to id: MessageID) -> (envelope: [UInt8], asker: String)? { refusals[id] }

    /// Keeps the first refusal under an id, and drops the oldest ones.
    mutating func keep(_ reply: [UInt8], to id: MessageID, of asker: String) {
        guard refusals[id] == nil else { return }
        refusals.put((reply, asker), for: id, weight: reply.count)
    }
}
