import Bus
import Messages

/// The errands under way: taken up in one turn, worked on by threads, finished in a later turn.
final class ErrandDesk {
    /// A worker and what it does.
    private struct Post {
        let handler: ErrandHandler
        let worker: SlowWorker
        /// What it does, or begins to do after the commit.
        var errand: (id: MessageID, errand: ErrandHandler.Errand)?
        var hasBegun = false
        var output: (any Sendable)?
    }

    private let log: Log
    private let status: StatusBoard
    private var posts: [Post]
    /// Nothing of a kind is taken up before this: the last time it failed.
    private var pauses: [String: Int64] = [:]

    init(_ handlers: [ErrandHandler], status: StatusBoard, log: Log) throws {
        self.log = log
        self.status = status
        posts = try handlers.flatMap { handler in
            try (0..<handler.atOnce).map {
                Post(handler: handler, worker: try SlowWorker(named: "\(handler.kind)-\($0)"))
            }
        }
    }

    var sockets: [Socket] { posts.map(\.worker.socket) }

    /// Takes what the workers have done, without touching the store.
    ///
    /// - Returns: true when there is something to finish.
    func receive() throws -> Bool {
        for index in posts.indices {
            guard let (_, result) = try posts[index].worker.takeResult() else { continue }
            posts[index].output = try result.get()
        }
        return posts.contains { $0.output != nil }
    }

    /// Finishes what is done and takes up what is due, inside the transaction of the turn.
    func settle(_ transaction: Transaction) throws {
        for index in posts.indices {
            guard let output = posts[index].output, let (_, errand) = posts[index].errand else {
                continue
            }
            posts[index].output = nil
            posts[index].errand = nil
            // What can't be taken over keeps its mark, and is begun again at the next start.
            try attempt(posts[index].handler, transaction) { try errand.finish(output, $0) }
        }
        var idle: Set<String> = []
        for index in posts.indices where posts[index].errand == nil {
            let handler = posts[index].handler
            guard !idle.contains(handler.kind), transaction.now >= pauses[handler.kind] ?? .min
            else { continue }
            let errand = try attempt(handler, transaction) { try handler.take($0) } ?? nil
            posts[index].hasBegun = false
            posts[index].errand = errand.map { (transaction.makeID(), $0) }
            if errand == nil { idle.insert(handler.kind) }
        }
    }

    /// Begins what was taken up, after the commit.
    func begin() throws {
        for index in posts.indices where !posts[index].hasBegun {
            guard let (id, errand) = posts[index].errand else { continue }
            try posts[index].worker.begin(errand.work, for: id)
            posts[index].hasBegun = true
        }
    }

    /// A defect ends one errand and nothing else.
    private func attempt<R>(
        _ handler: ErrandHandler, _ transaction: Transaction, _ body: (Transaction) throws -> R
    ) throws -> R? {
        do {
            return try transaction.turn.attempt { try body(transaction) }
        } catch let error where !CommandDesk.isOutage(error) {
            pauses[handler.kind] = transaction.now + Timers.retryInterval
            status.count("errands.failed")
            log.write(.error, "errand failed", [.message: handler.kind, .error: "\(error)"])
            return nil
        }
    }
}
