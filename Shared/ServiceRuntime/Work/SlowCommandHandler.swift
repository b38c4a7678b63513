import Messages

/// Carries out one type of slow command: prepared in one turn, finished in a later one.
struct SlowCommandHandler {
    typealias Work = @Sendable () throws -> any Sendable

    let isSecret: Bool
    let prepare: ([UInt8], Transaction) throws -> Work
    let finish: ([UInt8], any Sendable, Transaction) throws -> any ProtobufMessage

    /// Makes a handler for the command type of its functions' first argument.
    init<C: ProtobufMessage, Input: Sendable, Output: Sendable, R: ProtobufMessage>(
        isSecret: Bool,
        prepare: @escaping (C, Transaction) throws -> Input,
        work: @escaping @Sendable (Input) throws -> Output,
        finish: @escaping (C, Output, Transaction) throws -> R
    ) {
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
