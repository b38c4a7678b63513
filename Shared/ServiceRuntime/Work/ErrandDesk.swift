import Bus
import Messages

/// The errands under way: started in one turn, worked on by threads, finished in a later turn.
final class ErrandDesk {
    /// A worker and its errand.
    private struct Post {
        let handler: ErrandHandler
        let worker: SlowWorker
        /// The errand that it works on, or will start after the commit.
        var errand: (id: MessageID, errand: ErrandHandler.Errand)?
        var hasBegun = false
        var output: (any Sendable)?
    }

    /// The outcome of an errand.
    private struct Outcome {
        let handler: ErrandHandler
        let errand: ErrandHandler.Errand
        let output: any Sendable
        /// When to try to finish it.
        var due: Int64
    }

    /// The maximum number of outcomes kept for another try after their transaction failed. Errands
    /// beyond that are done again after the next start.
    static let keptOutcomes = 100

    private let log: Log
    private let status: StatusBoard
    private let suspects: Suspects
    private var posts: [Post]
    /// Outcomes that could not be finished. They occupy no worker.
    private var outcomes: [Outcome] = []
    /// The time before which no errand of a kind is started, because one failed.
    private var pauses: [String: Int64] = [:]

    init(
        _ handlers: [ErrandHandler], status: StatusBoard, suspects: Suspects, log: Log
    ) throws {
        self.log = log
        self.status = status
        self.suspects = suspects
        // The first places belong to slow commands.
        var places = SlowDesk.workerCount
        posts = try handlers.flatMap { handler in
            try (0..<handler.atOnce).map { number in
                defer { places += 1 }
                let worker = try SlowWorker(
                    named: "\(handler.kind)-\(number)", noting: suspects.record,
                    at: .worker(places))
                return Post(handler: handler, worker: worker)
            }
        }
    }

    var sockets: [Socket] { posts.map(\.worker.socket) }

    /// Receives the workers' results, without touching the store.
    ///
    /// - Returns: true when there is something to finish.
    func receive() throws -> Bool {
        for index in posts.indices {
            guard let (_, result) = try posts[index].worker.takeResult() else { continue }
            posts[index].output = try result.get()
        }
        return posts.contains { $0.output != nil }
    }

    /// Finishes what is done and starts what is due, inside the transaction of the turn.
    func settle(_ transaction: Transaction) throws {
        try finish(transaction)
        try takeUp(transaction)
    }

    private func finish(_ transaction: Transaction) throws {
        let now = transaction.now
        for outcome in outcomes.indices.reversed() where Self.isOver(outcomes[outcome].due, now) {
            let tried = try attempt(outcomes[outcome], transaction)
            if tried {
                outcomes.remove(at: outcome)
            } else {
                outcomes[outcome].due = Self.later(now)
            }
        }
        for index in posts.indices {
            guard let output = posts[index].output, let (_, errand) = posts[index].errand else {
                continue
            }
            posts[index].output = nil
            posts[index].errand = nil
            let handler = posts[index].handler
            let outcome = Outcome(
                handler: handler, errand: errand, output: output, due: Self.later(now))
            guard try !attempt(outcome, transaction) else { continue }
            // A defect of ours is no reason to repeat the work: its outcome is kept.
            if outcomes.count < Self.keptOutcomes { outcomes.append(outcome) }
            pauses[handler.kind] = Self.later(now)
        }
    }

    /// - Returns: false when it could not be finished.
    private func attempt(_ outcome: Outcome, _ transaction: Transaction) throws -> Bool {
        let act = Self.act(outcome.handler, outcome.errand)
        suspects.begin(act)
        defer { suspects.rest() }
        let result: Void? = try attempt(outcome.handler, transaction) {
            try outcome.errand.finish(outcome.output, $0)
        }
        guard result != nil else { return false }
        try suspects.clear(act, transaction.db)
        return true
    }

    /// What is recorded while an errand is worked on or finished.
    private static func act(_ handler: ErrandHandler, _ errand: ErrandHandler.Errand) -> String {
        "errand \(handler.kind) \(errand.name)"
    }

    /// Gives up an errand that has ended the process too often.
    ///
    /// - Returns: false when it may be done.
    private func putAside(
        _ errand: ErrandHandler.Errand, of handler: ErrandHandler, _ transaction: Transaction
    ) throws -> Bool {
        let act = Self.act(handler, errand)
        guard let reason = suspects.reason(against: act) else { return false }
        try errand.giveUp(reason, transaction)
        try suspects.clear(act, transaction.db)
        status.count("errands.setAside")
        log.write(.error, "errand put aside", [.message: handler.kind, .error: reason])
        try transaction.noteAside(.errand, handler.kind, reason: reason, log: log)
        return true
    }

    private func takeUp(_ transaction: Transaction) throws {
        let now = transaction.now
        var idle: Set<String> = []
        for index in posts.indices where posts[index].errand == nil {
            let handler = posts[index].handler
            guard !idle.contains(handler.kind), Self.isOver(pauses[handler.kind] ?? .min, now)
            else { continue }
            let taken = try attempt(handler, transaction) { transaction -> ErrandHandler.Errand? in
                let errand = try handler.take(transaction)
                // The next turn starts another.
                guard let errand, try putAside(errand, of: handler, transaction) else {
                    return errand
                }
                return nil
            }
            if taken == nil { pauses[handler.kind] = Self.later(now) }
            posts[index].hasBegun = false
            posts[index].errand = (taken ?? nil).map { (transaction.makeID(), $0) }
            if posts[index].errand == nil { idle.insert(handler.kind) }
        }
    }

    private static func later(_ now: Int64) -> Int64 { now + Timers.retryInterval }

    /// True when a wait is over. A wait that ends too far ahead was started before the clock was
    /// set back.
    private static func isOver(_ end: Int64, _ now: Int64) -> Bool {
        now >= end || end - now > Timers.retryInterval
    }

    /// Starts what was chosen in the turn, after the commit.
    func begin() throws {
        for index in posts.indices where !posts[index].hasBegun {
            guard let (id, errand) = posts[index].errand else { continue }
            try posts[index].worker.begin(
                errand.work, for: id, as: Self.act(posts[index].handler, errand))
            posts[index].hasBegun = true
        }
    }

    /// Runs `body` so that a defect affects this errand only.
    ///
    /// - Returns: nil when it failed.
    private func attempt<R>(
        _ handler: ErrandHandler, _ transaction: Transaction, _ body: (Transaction) throws -> R
    ) throws -> R? {
        do {
            return try transaction.turn.attempt { try body(transaction) }
        } catch let error where !Outage.isOutage(error) {
            status.count("errands.failed")
            log.write(.error, "errand failed", [.message: handler.kind, .error: "\(error)"])
            return nil
        }
    }
}
