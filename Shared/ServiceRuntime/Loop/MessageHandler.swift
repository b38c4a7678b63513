import Messages

/// One type of message that a service answers: who may send it, and how it is handled.
///
/// A handler can't be made without its access, so no message lacks a rule: `.command(rename,
/// .person)`, `.query(list, .account)`.
public struct MessageHandler {
    /// How a message is answered.
    enum Kind {
        case command(CommandHandler)
        case query(QueryHandler)
        case slow(SlowCommandHandler)
        case job(JobHandler)
    }

    /// The full name of the type that it answers.
    public let type: String
    /// Who may send it. The handler's function decides what depends on the site or the account that
    /// a message is about.
    public let access: Access
    let kind: Kind

    private init(_ type: String, _ access: Access, _ kind: Kind) {
        self.type = type
        self.access = access
        self.kind = kind
    }

    /// Carries out a command, which changes the store, once. Its type is that of the function's
    /// first argument.
    public static func command<C: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> R, _ access: Access
    ) -> MessageHandler {
        MessageHandler(C.protobufName, access, .command(CommandHandler(handle)))
    }

    /// Carries out a command whose reply has something that may not stay in the store for as long
    /// as replies are kept. For anyone who sends the command again, that part is made again.
    ///
    /// - Parameters:
    ///   - handle: carries out the command.
    ///   - kept: what is kept of its reply.
    ///   - renewed: makes the reply again from what was kept, as of now. It changes nothing. If it
    ///     throws, what was kept is the reply.
    ///   - access: who may send the command.
    public static func command<C: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> R,
        keeping kept: @escaping (R) -> R,
        renewed: @escaping (R, Transaction) throws -> R, _ access: Access
    ) -> MessageHandler {
        var handler = CommandHandler(handle)
        handler.keeping = ReplyKeeping(kept, renewed: renewed)
        return MessageHandler(C.protobufName, access, .command(handler))
    }

    /// Carries out a command whose reply contains a secret: the reply is sent once and not kept.
    /// Anyone who sends the command again is asked to start over with a new one.
    public static func secret<C: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (C, Transaction) throws -> R, _ access: Access
    ) -> MessageHandler {
        MessageHandler(C.protobufName, access, .command(CommandHandler(secret: handle)))
    }

    /// Answers a query, which changes nothing. It may be answered any number of times.
    public static func query<Q: ProtobufMessage, R: ProtobufMessage>(
        _ handle: @escaping (Q, Transaction) throws -> R, _ access: Access
    ) -> MessageHandler {
        MessageHandler(Q.protobufName, access, .query(QueryHandler(handle)))
    }

    /// Carries out a command whose work would block the loop for tens of milliseconds, such as
    /// hashing a password: the work runs outside the loop, and the sender waits for the reply.
    ///
    /// - Parameters:
    ///   - isSecret: whether the reply is sent once and not kept, see ``secret(_:_:)``.
    ///   - prepare: reads what the work needs, in the transaction of the turn that received the
    ///     command. What it writes is committed before the work begins. A `Refusal` that it throws
    ///     is the reply.
    ///   - work: runs outside the loop, at most two at a time. After a kill it runs again when the
    ///     sender asks again.
    ///   - finish: decides, in the transaction that keeps the reply. It runs once.
    ///   - access: who may send the command.
    public static func slow<
        C: ProtobufMessage, Input: Sendable, Output: Sendable, R: ProtobufMessage
    >(
        isSecret: Bool = false,
        prepare: @escaping (C, Transaction) throws -> Input,
        work: @escaping @Sendable (Input) throws -> Output,
        finish: @escaping (C, Output, Transaction) throws -> R, _ access: Access
    ) -> MessageHandler {
        MessageHandler(
            C.protobufName, access,
            .slow(
                SlowCommandHandler(
                    isSecret: isSecret, prepare: prepare, work: work, finish: finish)))
    }

    /// Starts work that takes longer than a turn of the loop may: it runs on a thread of its own,
    /// and its result is stored in a transaction. The command is answered with `JobAccepted`.
    ///
    /// - Parameters:
    ///   - check: refuses a request that can't be carried out, before it is accepted.
    ///   - work: does the work, outside the loop. A `Refusal` that it throws fails the job with
    ///     that sentence.
    ///   - finish: stores the result. It runs once, even when the process was killed in between.
    ///   - access: who may send the command.
    public static func job<Request: ProtobufMessage, Result: ProtobufMessage>(
        check: @escaping @Sendable (Request, Transaction) throws -> Void,
        work: @escaping @Sendable (Request, JobContext) throws -> Result,
        finish: @escaping @Sendable (Result, Transaction) throws -> Void, _ access: Access
    ) -> MessageHandler {
        MessageHandler(
            Request.protobufName, access,
            .job(JobHandler(check: check, work: work, finish: finish)))
    }

    var job: JobHandler? { if case .job(let job) = kind { job } else { nil } }
    var isQuery: Bool { if case .query = kind { true } else { false } }
    var isSlow: Bool { if case .slow = kind { true } else { false } }
}
