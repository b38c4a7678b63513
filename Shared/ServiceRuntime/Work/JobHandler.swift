import Messages

/// Carries out one type of job: its work runs on a thread of its own, and its result is stored in a
/// transaction.
struct JobHandler: Sendable {
    let type: String
    let check: @Sendable ([UInt8], Transaction) throws -> Void
    let work: @Sendable ([UInt8], JobContext) throws -> (type: String, result: [UInt8])
    let finish: @Sendable ([UInt8], Transaction) throws -> Void

    /// Makes a handler of the job that the command `Request` starts.
    init<Request: ProtobufMessage, Result: ProtobufMessage>(
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
