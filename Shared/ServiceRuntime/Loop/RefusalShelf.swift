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

    private struct Entry {
        let reply: [UInt8]
        let asker: String
    }

    private var entries: [MessageID: Entry] = [:]
    private var order: [MessageID] = []
    /// The oldest in `order` that is still kept.
    private var oldest = 0
    private var bytes = 0

    /// The refusal that was kept under an id, and for whom.
    func reply(to id: MessageID) -> (envelope: [UInt8], asker: String)? {
        entries[id].map { ($0.reply, $0.asker) }
    }

    /// Keeps a refusal, and lets go of the oldest ones.
    mutating func keep(_ reply: [UInt8], to id: MessageID, of asker: String) {
        guard entries.updateValue(Entry(reply: reply, asker: asker), forKey: id) == nil else {
            return
        }
        order.append(id)
        bytes += reply.count
        while entries.count > Self.most || bytes > Self.mostBytes {
            bytes -= entries.removeValue(forKey: order[oldest])?.reply.count ?? 0
            oldest += 1
        }
        guard oldest > Self.most else { return }
        order.removeFirst(oldest)
        oldest = 0
    }
}
