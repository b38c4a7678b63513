import Messages

/// Work that takes longer than a turn of the loop may: it runs on a thread of its own, and its
/// result is taken over in a transaction.
public struct JobHandler: Sendable {
    let type: String
    let check: @Sendable ([UInt8], Transaction) throws -> Void
    let work: @Sendable ([UInt8], JobContext) throws -> (type: String, result: [UInt8])
    let finish: @Sendable ([UInt8], Transaction) throws -> Void

    /// A job that the command `Request` begins; it is answered with `JobAccepted`.
    ///
    /// - Parameters:
    ///   - check: refuses a request that can't be carried out, before it is accepted.
    ///   - work: does the work, outside the loop. A `Refusal` that it throws ends the job as failed
    ///     with that sentence.
    ///   - finish: takes the result over. It runs once, whatever was killed in between.
    public init<Request: ProtobufMessage, Result: ProtobufMessage>(
        check: @escaping @Sendable (Request, Transaction) throws -> Void,
        work: @escaping @Sendable (Request, JobContext) throws -> Result,
        finish: @escaping @Sendable (Result, Transaction) throws -> Void
    ) {
        type = Request.protobufName
        self.check = { try check(try unpack($0), $1) }
        self.work = { request, context in
            let result = try work(try unpack(request), context)
            return (Result.protobufName, result.packed())
        }
        self.finish = { try finish(try unpack($0), $1) }
    }
}
