import Messages

/// The slow commands that wait for a worker, each the turn of its asker: whoever sends many waits
/// behind whoever sends one.
struct SlowQueue {
    /// How many may wait; more are refused at once.
    static let most = 64
    /// How many of one account may wait.
    static let mostOfAccount = 16

    /// Whose command it is.
    struct Asker: Hashable {
        /// The name under which its commands are remembered.
        let name: String
        /// True for an account. Those who aren't known can't be told apart, and in the local
        /// default everyone is the owner: they may use every worker.
        let isAccount: Bool
    }

    private struct Entry {
        let command: MessageID
        let asker: Asker
    }

    private var waiting: [Entry] = []
    /// When each asker's turn was, by a count; only of those who have something waiting or running.
    private var turns: [Asker: UInt64] = [:]
    private var turn: UInt64 = 0
    private var running: [MessageID: Asker] = [:]

    /// True when no more of an asker may wait.
    func isFull(for asker: Asker) -> Bool {
        waiting.count >= Self.most
            || asker.isAccount && waiting.count { $0.asker == asker } >= Self.mostOfAccount
    }

    mutating func add(_ command: MessageID, of asker: Asker) {
        // Who comes now is no further behind, nor ahead, than those who wait.
        turns[asker] = turns[asker] ?? waiting.compactMap { turns[$0.asker] }.min() ?? turn
        waiting.append(Entry(command: command, asker: asker))
    }

    /// Takes the next one: of those whose asker has waited longest for a turn the oldest. An
    /// account has one worker at most, so that another is free for the next person.
    mutating func next() -> MessageID? {
        let busy = Set(running.values.filter(\.isAccount))
        let free = waiting.indices.filter { !busy.contains(waiting[$0].asker) }
        guard
            let place = free.min(by: {
                (turns[waiting[$0].asker] ?? 0, $0) < (turns[waiting[$1].asker] ?? 0, $1)
            })
        else { return nil }
        let entry = waiting.remove(at: place)
        turn += 1
        turns[entry.asker] = turn
        running[entry.command] = entry.asker
        return entry.command
    }

    /// A command's work is done.
    mutating func finish(_ command: MessageID) {
        guard let asker = running.removeValue(forKey: command) else { return }
        let isHere = running.values.contains(asker) || waiting.contains { $0.asker == asker }
        if !isHere { turns[asker] = nil }
    }
}
