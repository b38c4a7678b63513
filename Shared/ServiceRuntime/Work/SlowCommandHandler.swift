import Messages

/// Answers one type of command whose work would hold up the loop for tens of milliseconds, such as
/// the hash of a password: the work runs outside the loop, and its sender waits for the reply.
public struct SlowCommandHandler {
    typealias Work = @Sendable () throws -> any Sendable

    let type: String
    let isSecret: Bool
    let prepare: ([UInt8], Transaction) throws -> Work
    let finish: ([UInt8], any Sendable, Transaction) throws -> any ProtobufMessage

    /// A handler for the command type of its functions' first argument.
    ///
    /// - Parameters:
    ///   - isSecret: the reply goes out once and is not kept, see ``CommandHandler/init(secret:)``.
    ///   - prepare: reads what the work needs, in the transaction of the turn that received the
    ///     command. What it writes is committed before the work begins. A `Refusal` is the reply.
    ///   - work: runs outside the loop, beside one other at most. After a kill it runs again when
    ///     the sender asks again.
    ///   - finish: decides, in the transaction that keeps the reply. It runs once.
    public init<C: ProtobufMessage, Input: Sendable, Output: Sendable, R: ProtobufMessage>(
        isSecret: Bool = false,
        prepare: @escaping (C, Transaction) throws -> Input,
        work: @escaping @Sendable (Input) throws -> Output,
        finish: @escaping (C, Output, Transaction) throws -> R
    ) {
        type = C.protobufName
        self.isSecret = isSecret
        self.prepare = { bytes, transaction in
            let input = try prepare(try unpack(bytes), transaction)
            return { try work(input) }
        }
        self.finish = { bytes, output, transaction in
            guard let output = output as? Output else {
                preconditionFailure("the work of \(C.protobufName) has the output of another")
            }
            return try finish(try unpack(bytes), output, transaction)
        }
    }
}
