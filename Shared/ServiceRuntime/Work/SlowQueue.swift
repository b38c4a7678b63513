import Messages

/// The slow commands that wait for a worker, served in turn among their askers: someone who sends
/// many waits behind someone who sends one.
struct SlowQueue {
    /// The maximum number of waiting commands; more are refused immediately.
    static let most = 64
    /// The maximum number of waiting commands of one account.
    static let mostOfAccount = 16
    /// The maximum number of waiting commands of all senders without an account: the other places
    /// are for those who have logged in.
    static let mostOfOthers = 48
    /// The maximum number of waiting commands of strangers who can't be told apart: those with one
    /// key, or all without any.
    static let mostOfStrangers = 32

    /// Who sent a command.
    struct Asker: Hashable {
        /// The name under which its replies are kept; empty for the owner of the machine.
        let name: String
        /// True for an account. Unidentified senders can't be told apart, and in the local default
        /// everyone is the owner: they may use every worker.
        let isAccount: Bool
    }

    private struct Entry {
        let command: MessageID
        let asker: Asker
    }

    private var waiting: [Entry] = []
    /// When each asker had its turn, by a counter; only for askers with a command waiting or
    /// running.
    private var turns: [Asker: UInt64] = [:]
    private var turn: UInt64 = 0
    private var running: [MessageID: Asker] = [:]

    /// True when no more commands of an asker may wait.
    func isFull(for asker: Asker) -> Bool {
        guard waiting.count < Self.most else { return true }
        let own = waiting.count { $0.asker == asker }
        if asker.isAccount { return own >= Self.mostOfAccount }
        let isStranger = !asker.name.isEmpty
        return isStranger && own >= Self.mostOfStrangers
            || waiting.count { !$0.asker.isAccount } >= Self.mostOfOthers
    }

    mutating func add(_ command: MessageID, of asker: Asker) {
        // A newcomer is neither behind nor ahead of those who wait.
        turns[asker] = turns[asker] ?? waiting.compactMap { turns[$0.asker] }.min() ?? turn
        waiting.append(Entry(command: command, asker: asker))
    }

    /// Removes and returns the next command: the oldest of the asker whose last turn was longest
    /// ago. An account uses one worker at most, so that another is free for the next person.
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

    /// Records that a command's work is done.
    mutating func finish(_ command: MessageID) {
        guard let asker = running.removeValue(forKey: command) else { return }
        let isHere = running.values.contains(asker) || waiting.contains { $0.asker == asker }
        if !isHere { turns[asker] = nil }
    }
}
