import Bus
import GRDB
import Messages

/// A reply that leaves after the commit.
struct Reply {
    let peer: [UInt8]
    let envelope: [UInt8]
}

/// Answers commands and queries: each command once, whatever its sender has to repeat.
final class CommandDesk {
    struct Message {
        let peer: [UInt8]
        let envelope: Envelope
        let id: MessageID
    }

    private struct Handled {
        let level: Log.Level
        let type: String
        let id: MessageID
        let outcome: String
    }

    private let db: Database
    private let turn: Turn
    private let status: StatusBoard
    private let log: Log
    private let workerToken: [UInt8]
    private var commands: [String: CommandHandler] = [:]
    private var queries: [String: QueryHandler] = [:]
    private var handled: [Handled] = []
    private var malformed = 0
    private var tooLarge: [Reply] = []
    /// True when something can be answered that is not among the messages received.
    var hasReplies: Bool { !tooLarge.isEmpty }

    init<S: Service>(
        _: S.Type, db: Database, turn: Turn, jobs: JobRunner, status: StatusBoard,
        followings: [Following], log: Log
    ) {
        self.db = db
        self.turn = turn
        self.status = status
        self.log = log
        workerToken = jobs.token
        let letters = DeadLetterOffice(followings)
        let replay = ReplayDesk(ledger: turn.ledger, tell: S.tell)
        for handler in S.commands + jobs.commands + letters.commands {
            precondition(commands[handler.type] == nil, "\(handler.type) has two handlers")
            commands[handler.type] = handler
        }
        let own = [
            QueryHandler { [turn] (_: ReadStatus, transaction) in
                try status.read(
                    transaction, ledger: turn.ledger, followings: followings, jobs: jobs)
            }
        ]
        for handler in S.queries + jobs.queries + letters.queries + replay.queries + own {
            precondition(queries[handler.type] == nil, "\(handler.type) has two handlers")
            queries[handler.type] = handler
        }
    }

    /// Takes what waits, up to the limits of a turn. What is not a message is counted and dropped.
    func receive(from socket: Socket) throws -> [Message] {
        var messages: [Message] = []
        var bytes = 0
        var frames = 0
        while frames < ServiceLoop.messagesPerTurn, bytes < ServiceLoop.bytesPerTurn,
            let parts = try socket.receive()
        {
            frames += 1
            bytes += parts.reduce(0) { $0 + $1.count }
            guard parts.count == 2 else {
                malformed += 1
                continue
            }
            guard parts[1].count <= Envelope.maximumSize else {
                refuseTooLarge(parts[0].bytes, size: parts[1].count)
                continue
            }
            do {
                let envelope = try parts[1].withBytes { bytes throws(ProtobufError) in
                    try Envelope(unpacking: bytes, limits: .standard)
                }
                if let id = MessageID(bytes: envelope.id), !envelope.type.isEmpty {
                    messages.append(Message(peer: parts[0].bytes, envelope: envelope, id: id))
                } else {
                    malformed += 1
                }
            } catch {
                malformed += 1
            }
        }
        return messages
    }

    /// Answers everything, inside the transaction of the turn.
    func answer(_ messages: [Message], at now: Int64) throws -> [Reply] {
        var replies = tooLarge
        tooLarge = []
        for message in messages {
            if let query = queries[message.envelope.type] {
                if message.envelope.deadline != 0, message.envelope.deadline < now { continue }
                let (reply, outcome) = try decide(message, at: now, query.handle)
                status.count("queries.\(outcome)")
                note(.debug, message, outcome)
                replies.append(Reply(peer: message.peer, envelope: pack(reply, message, now)))
            } else if let command = commands[message.envelope.type] {
                replies.append(try carryOut(command, message, at: now))
            } else {
                let refusal = Refusal(
                    code: .unknownType,
                    message: "\(turn.service.rawValue) does not answer \(message.envelope.type)")
                status.count("messages.unknownType")
                note(.info, message, "unknownType")
                replies.append(Reply(peer: message.peer, envelope: pack(refusal, message, now)))
            }
        }
        return replies
    }

    /// Once: a command whose reply is kept has been carried out, and gets the same reply again.
    private func carryOut(
        _ command: CommandHandler, _ message: Message, at now: Int64
    ) throws -> Reply {
        if let kept = try turn.ledger.reply(to: message.id) {
            status.count("commands.repeated")
            note(.info, message, "repeated")
            return Reply(peer: message.peer, envelope: kept)
        }
        let (reply, outcome) = try decide(message, at: now, command.handle)
        let envelope = pack(reply, message, now)
        // A defect is not kept, so that a mended service answers when it is sent again.
        if outcome != "failed" { try turn.ledger.keep(envelope, to: message.id, at: now) }
        status.count("commands.\(outcome)")
        note(.info, message, outcome)
        return Reply(peer: message.peer, envelope: envelope)
    }

    private func decide(
        _ message: Message, at now: Int64,
        _ handle: ([UInt8], Transaction) throws -> any ProtobufMessage
    ) throws -> (any ProtobufMessage, outcome: String) {
        let transaction = Transaction(
            db: db, now: now, principal: principal(of: message.envelope), id: message.id,
            correlation: MessageID(bytes: message.envelope.correlationId) ?? message.id, turn: turn)
        do {
            let reply = try turn.attempt { try handle(message.envelope.data, transaction) }
            return (reply, "accepted")
        } catch let refusal as Refusal {
            return (refusal, "refused")
        } catch let error where !Self.isOutage(error) {
            log.write(
                .error, "defect",
                [.message: message.envelope.type, .id: "\(message.id)", .error: "\(error)"])
            let sentence =
                "\(turn.service.rawValue) failed on this \(message.envelope.type); nothing was "
                + "changed, and its log tells more under id \(message.id)"
            return (Refusal(code: .internal, message: sentence), "failed")
        }
    }

    /// Whoever reaches the bus is the owner of the machine account, unless it is a worker of this
    /// very process.
    private func principal(of envelope: Envelope) -> Principal {
        envelope.token == workerToken ? .system : .machineOwner
    }

    /// True when the process has to stop: the disk, the store's file or a socket failed.
    static func isOutage(_ error: any Error) -> Bool {
        if error is BusError { return true }
        guard let error = error as? DatabaseError else { return false }
        return Outage(error, store: "") != nil
    }

    private func pack<M: ProtobufMessage>(
        _ reply: M, _ message: Message, _ now: Int64
    ) -> [UInt8] {
        let bytes = Envelope(
            id: turn.ids.next(at: now).bytes, type: M.protobufName, source: turn.service.rawValue,
            subject: message.envelope.subject, time: now,
            correlationId: message.envelope.correlationId, causationId: message.envelope.id,
            data: reply.packed()
        ).packed()
        guard bytes.count > Envelope.maximumSize else { return bytes }
        return pack(
            Refusal(
                code: .tooLarge,
                message: "the answer has \(bytes.count) bytes, more than may be sent; "
                    + "ask for less"),
            message, now)
    }

    private func refuseTooLarge(_ peer: [UInt8], size: Int) {
        status.count("messages.tooLarge")
        let refusal = Refusal(
            code: .tooLarge,
            message: "the message has \(size) bytes; at most \(Envelope.maximumSize) may be sent")
        let envelope = Envelope(
            type: Refusal.protobufName, source: turn.service.rawValue, data: refusal.packed())
        tooLarge.append(Reply(peer: peer, envelope: envelope.packed()))
    }

    private func note(_ level: Log.Level, _ message: Message, _ outcome: String) {
        guard level >= log.threshold else { return }
        handled.append(
            Handled(level: level, type: message.envelope.type, id: message.id, outcome: outcome))
    }

    /// One line for each message, written after its reply has left.
    func logHandled() {
        for line in handled {
            log.write(
                line.level, "handled",
                [.message: line.type, .id: "\(line.id)", .outcome: line.outcome])
        }
        handled.removeAll(keepingCapacity: true)
    }

    /// One line a second at most, however many came.
    func logMalformed() {
        guard malformed > 0 else { return }
        status.count("messages.malformed", by: UInt64(malformed))
        log.write(.warning, "malformed messages dropped", [.count: String(malformed)])
        malformed = 0
    }
}
