import Messages

/// The slow commands under way, whose work waits, runs or is done. They are in memory only, and
/// lost with the process; their senders ask again.
final class SlowDesk {
    /// The maximum number that may work at the same time: each may need much memory.
    static let workerCount = 2

    /// A command that was prepared and is not answered yet.
    struct Entry {
        /// The newest message that asked for it; its sender gets the reply.
        var message: Message
        let handler: SlowCommandHandler
        let principal: Principal
        let work: SlowCommandHandler.Work

        /// What is recorded while it is worked on.
        var act: String { SlowDesk.act(message) }

        /// The asker, for the queue.
        var asker: SlowQueue.Asker { SlowDesk.asker(principal) }
    }

    let workers: [SlowWorker]
    private var entries: [MessageID: Entry] = [:]
    private var waiting = SlowQueue()
    private var done: [(command: MessageID, result: Result<any Sendable, any Error>)] = []

    /// Makes the desk and its workers.
    ///
    /// - Parameters:
    ///   - isNeeded: false for a service without slow commands, which needs no worker.
    ///   - record: where each worker records what it does.
    init(isNeeded: Bool, record: CrashRecord) throws {
        workers =
            isNeeded
            ? try (0..<Self.workerCount).map {
                try SlowWorker(named: "slow-\($0)", noting: record, at: .worker($0))
            } : []
    }

    /// What is recorded while a command is prepared, worked on or finished. Its sender repeats it
    /// under the same id.
    static func act(_ message: Message) -> String {
        "command \(message.envelope.type) \(message.id)"
    }

    /// True when no more commands of a principal may wait.
    func isFull(for principal: Principal) -> Bool { waiting.isFull(for: Self.asker(principal)) }

    private static func asker(_ principal: Principal) -> SlowQueue.Asker {
        SlowQueue.Asker(name: principal.asker, isAccount: principal.kind == .account)
    }

    func entry(_ command: MessageID) -> Entry? { entries[command] }

    /// Sends the reply to a newer message for the same command, perhaps from another connection.
    func redirect(_ command: MessageID, to message: Message) {
        entries[command]?.message = message
    }

    /// Queues a prepared command. Its work starts after the commit.
    func add(_ entry: Entry) {
        entries[entry.message.id] = entry
        waiting.add(entry.message.id, of: entry.asker)
    }

    /// Receives the workers' results, without touching the store.
    ///
    /// - Returns: true when there is something to finish.
    func receive() throws -> Bool {
        for worker in workers {
            guard let result = try worker.takeResult() else { continue }
            waiting.finish(result.command)
            done.append(result)
        }
        return !done.isEmpty
    }

    /// The results since the last turn, to be finished in this one.
    func takeDone() -> [(entry: Entry, result: Result<any Sendable, any Error>)] {
        defer { done.removeAll() }
        return done.compactMap { command, result in
            entries.removeValue(forKey: command).map { ($0, result) }
        }
    }

    /// Gives waiting commands to idle workers.
    func startNext() throws {
        for worker in workers where worker.command == nil {
            guard let command = waiting.next() else { return }
            guard let entry = entries[command] else { continue }
            try worker.begin(entry.work, for: command, as: entry.act)
        }
    }
}
