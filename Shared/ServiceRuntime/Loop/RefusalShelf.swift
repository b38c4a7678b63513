import Messages

/// The last refusals of commands of people who are not known, in memory. Whoever repeats such a
/// command gets the same refusal again; after many others, or after a restart, it is judged anew,
/// which does no harm: a refused command has changed nothing. In the store, strangers could fill
/// the disk with them.
struct RefusalShelf {
    /// How many are kept.
    static let most = 1000
    /// How many bytes of them are kept.
    static let mostBytes = 1 << 20

    private var refusals = BoundedCache<MessageID, (envelope: [UInt8], asker: String)>(
        mostEntries: most, mostWeight: mostBytes)

    /// The refusal that was kept under an id, and for whom.
    func reply(to id: MessageID) -> (envelope: [UInt8], asker: String)? { refusals[id] }

    /// Keeps the first refusal under an id, and lets go of the oldest ones.
    mutating func keep(_ reply: [UInt8], to id: MessageID, of asker: String) {
        guard refusals[id] == nil else { return }
        refusals.put((reply, asker), for: id, weight: reply.count)
    }
}
