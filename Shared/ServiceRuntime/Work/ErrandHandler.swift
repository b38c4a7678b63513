/// Work outside the loop that no one waits for, such as handing a mail to another server. What
/// there is to do is in the service's own store; so it is found there again after a kill.
public struct ErrandHandler {
    typealias Finish = (any Sendable, Transaction) throws -> Void

    /// An errand that was taken up.
    struct Errand {
        let name: String
        let giveUp: (String, Transaction) throws -> Void
        let work: SlowCommandHandler.Work
        let finish: Finish
    }

    let kind: String
    let atOnce: Int
    let take: (Transaction) throws -> Errand?

    /// A handler of errands of one kind.
    ///
    /// - Parameters:
    ///   - kind: its name in the log.
    ///   - atOnce: how many are under way at most.
    ///   - take: the next one that is due, or nil; called in each turn in which another may begin,
    ///     so it must be quick when there is none. It marks in the store that the errand is under
    ///     way: that is committed before the work begins. ``Service/prepare(_:)`` takes the mark
    ///     off what was under way when the process was killed.
    ///   - name: which of its kind it is, the same after a restart.
    ///   - work: runs outside the loop. After a kill it runs again, but not when it has ended the
    ///     process too often.
    ///   - finish: takes the outcome over, in a transaction. When it throws, it is tried again
    ///     later with the same outcome, without new work.
    ///   - giveUp: marks in the store that an errand is not done any more, and why, because it has
    ///     ended the process too often.
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
