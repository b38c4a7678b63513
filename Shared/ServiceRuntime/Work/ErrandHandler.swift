/// Work outside the loop that nobody waits for, such as passing a mail to another server. The
/// errands are in the service's own store, where they are found again after a kill.
public struct ErrandHandler {
    typealias Finish = (any Sendable, Transaction) throws -> Void

    /// An errand that was started.
    struct Errand {
        let name: String
        let giveUp: (String, Transaction) throws -> Void
        let work: SlowCommandHandler.Work
        let finish: Finish
    }

    let kind: String
    let atOnce: Int
    let take: (Transaction) throws -> Errand?

    /// Makes a handler for errands of one kind.
    ///
    /// - Parameters:
    ///   - kind: its name in the log.
    ///   - atOnce: the maximum number under way.
    ///   - take: returns the next errand that is due, or nil. It is called in each turn in which
    ///     another may start, so it must be quick when there is none. It marks the errand in the
    ///     store as under way, which is committed before the work begins. ``Service/prepare(_:)``
    ///     removes the marks of errands that a kill interrupted.
    ///   - name: identifies an errand of its kind, even after a restart.
    ///   - work: runs outside the loop. After a kill it runs again, unless it has ended the process
    ///     too often.
    ///   - finish: stores the outcome in a transaction. When it throws, it is tried again later
    ///     with the same outcome, without repeating the work.
    ///   - giveUp: records in the store that an errand was given up because it has ended the
    ///     process too often, and why.
    public init<Input: Sendable, Output: Sendable>(
        _ kind: String, atOnce: Int,
        take: @escaping (Transaction) throws -> Input?, name: @escaping (Input) -> String,
        work: @escaping @Sendable (Input) -> Output,
        finish: @escaping (Input, Output, Transaction) throws -> Void,
        giveUp: @escaping (Input, String, Transaction) throws -> Void
    ) {
        self.kind = kind
        self.atOnce = atOnce
        self.take = { transaction in
            guard let input = try take(transaction) else { return nil }
            return Errand(
                name: name(input), giveUp: { try giveUp(input, $0, $1) },
                work: { work(input) },
                finish: { output, transaction in
                    guard let output = output as? Output else {
                        preconditionFailure("an errand of \(kind) has the output of another")
                    }
                    try finish(input, output, transaction)
                })
        }
    }
}
