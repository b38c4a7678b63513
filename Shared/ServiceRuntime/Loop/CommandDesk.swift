import Bus
import GRDB
import Messages

/// Answers commands and queries: each command once, whatever its sender has to repeat.
final class CommandDesk {
    private struct Handled {
        let level: Log.Level
        let type: String
        let id: MessageID
        let outcome: String
    }

    private let db: Database
    private let log: Log
    private let doorkeeper: Doorkeeper
    private let replays: ReplayDesk
    private var denials = DenialDesk()
    private let tellDenial: (AccessDenied, Transaction) throws -> Void
    let turn: Turn
    let status: StatusBoard
    let slow: SlowDesk
    private var commands: [String: CommandHandler] = [:]
    private var queries: [String: QueryHandler] = [:]
    private var handled: [Handled] = []
    private var malformed = 0
    private var tooLarge: [Reply] = []
    /// True when something can be answered that is not among the messages received.
    var hasReplies: Bool { !tooLarge.isEmpty }

    init<S: Service>(
        _: S.Type, db: Database, turn: Turn, jobs: JobRunner, slow: SlowDesk,
        status: StatusBoard, followings: [Following], doorkeeper: Doorkeeper,
        snapshots: SnapshotMaker, suspects: Suspects, log: Log
    ) {
        self.db = db
        self.turn = turn
        self.slow = slow
        self.status = status
        self.log = log
        self.doorkeeper = doorkeeper
        tellDenial = S.denied
        let letters = DeadLetterOffice(followings, suspects: suspects)
        let followingDesk = FollowingDesk(followings)
        replays = ReplayDesk(ledger: turn.ledger, maker: snapshots, log: log)
        for handler in S.commands + jobs.commands + letters.commands + Backups.commands
            + followingDesk.commands
        {
            precondition(
                commands[handler.type] == nil && slow.handler(of: handler.type) == nil,
                "\(handler.type) has two handlers")
            commands[handler.type] = handler
        }
        let own = [
            QueryHandler { [turn] (_: ReadStatus, transaction) in
                try status.read(
                    transaction, ledger: turn.ledger, followings: followings, jobs: jobs)
            }
        ]
        let shared =
            jobs.queries + letters.queries + replays.queries + Backups.queries
            + followingDesk.queries + own
        for handler in S.queries + shared {
            precondition(queries[handler.type] == nil, "\(handler.type) has two handlers")
            queries[handler.type] = handler
        }
    }

    /// Takes what waits, up to the limits of a turn. What is not a message is counted and dropped.
    func receive(from socket: Socket) throws -> [Message] {
        var messages: [Message] = []
        var bytes = 0
        var frames = 0
        while frames < TurnLimits.messages, bytes < TurnLimits.bytes,
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
            do throws(ProtobufError) {
                let envelope = try parts[1].withBytes { bytes throws(ProtobufError) in
                    try Envelope(unpacking: bytes, limits: .standard)
                }
                if let id = MessageID(bytes: envelope.id), !envelope.type.isEmpty {
                    messages.append(
                        Message(
                            peer: parts[0].bytes, envelope: envelope, id: id,
                            sender: parts[1].peer))
                } else {
                    malformed += 1
                }
            } catch {
                if error.isBeyondLimits {
                    refuse(parts[1], from: parts[0].bytes, error)
                } else {
                    malformed += 1
                }
            }
        }
        return messages
    }

    /// Answers everything, inside the transaction of the turn.
    func answer(_ messages: [Message], at now: Int64) throws -> [Reply] {
        var replies = tooLarge + (try finishSlow(at: now))
        tooLarge = []
        for message in messages {
            if let reply = try answer(message, at: now) { replies.append(reply) }
        }
        return replies
    }

    /// - Returns: nil when there is nothing to say, or not yet.
    private func answer(_ message: Message, at now: Int64) throws -> Reply? {
        let type = message.envelope.type
        let (query, command, slowCommand) = (queries[type], commands[type], slow.handler(of: type))
        guard query != nil || command != nil || slowCommand != nil else {
            status.count("messages.unknownType")
            note(.info, message, "unknownType")
            let sentence = "\(turn.service.rawValue) does not answer \(type)"
            return reply(Refusal(code: .unknownType, message: sentence), to: message, at: now)
        }
        if query != nil, message.envelope.deadline != 0, message.envelope.deadline < now {
            return nil
        }
        let principal: Principal
        switch try doorkeeper.admit(message.envelope, from: message.sender, at: now) {
        case .admitted(let sender): principal = sender
        case .denied(let no, let sender):
            // Not kept: who logs in again may send the same command.
            status.count("access.denied")
            note(.notice, message, "denied")
            if let event = denials.note(type, of: sender, at: now) {
                try tellDenial(event, transaction(for: message, .system, at: now))
            }
            return reply(no, to: message, at: now)
        }
        if let query {
            let decision = try decide(message, principal, at: now) {
                try reply(try query.handle(message.envelope.data, $0), to: message, at: now)
            }
            status.count("queries.\(decision.outcome)")
            note(.debug, message, decision.outcome)
            return reply(of: decision, to: message, at: now)
        }
        if let command {
            if let kept = try keptReply(to: message, principal, at: now) { return kept }
            if let no = refusalOfID(message, at: now) { return no }
            let decision = try decide(message, principal, at: now) {
                try reply(try command.handle(message.envelope.data, $0), to: message, at: now)
            }
            return try conclude(
                decision, message, principal, isSecret: command.isSecret, at: now)
        }
        return try slowCommand.flatMap { try answer(message, principal, by: $0, at: now) }
    }

    /// Called each second, in the transaction of the turn.
    func beat(_ transaction: Transaction) throws {
        for event in denials.numbers(at: transaction.now) { try tellDenial(event, transaction) }
        replays.beat(at: transaction.now)
    }

    /// Once: a command whose reply is kept has been carried out, and gets the same reply again.
    func keptReply(
        to message: Message, _ principal: Principal, at now: Int64
    ) throws -> Reply? {
        guard let (kept, asker) = try turn.ledger.reply(to: message.id) else { return nil }
        // The id of a command is the id of what it created, which others may see.
        guard asker == principal.asker else {
            return reply(Refusal.conflict("another command has this id"), to: message, at: now)
        }
        status.count("commands.repeated")
        note(.info, message, "repeated")
        return Reply(peer: message.peer, envelope: kept)
    }

    /// Keeps the reply of a command, and returns it.
    func conclude(
        _ decision: Decision<Reply>, _ message: Message, _ principal: Principal,
        isSecret: Bool, at now: Int64
    ) throws -> Reply {
        let reply = reply(of: decision, to: message, at: now)
        switch decision {
        case .accepted where isSecret:
            let kept = self.reply(Refusal.notKept, to: message, at: now)
            try turn.ledger.keep(
                kept.envelope, to: message.id, of: principal.asker, at: now)
        case .accepted, .refused:
            try turn.ledger.keep(
                reply.envelope, to: message.id, of: principal.asker, at: now)
        case .failed: break  // So that a mended service answers when it is sent again.
        }
        status.count("commands.\(decision.outcome)")
        note(.info, message, decision.outcome)
        return reply
    }

    /// A handler packs its reply too, so that what can't be sent is undone and refused.
    func decide<R>(
        _ message: Message, _ principal: Principal, at now: Int64,
        _ handle: (Transaction) throws -> R
    ) throws -> Decision<R> {
        let transaction = transaction(for: message, principal, at: now)
        do {
            return try turn.attempt {
                do { return .accepted(try handle(transaction)) } catch let noted as NotedRefusal {
                    return .refused(noted.refusal)
                }
            }
        } catch let refusal as Refusal {
            return .refused(refusal)
        } catch let error where !Outage.isOutage(error) {
            log.write(
                .error, "defect",
                [.message: message.envelope.type, .id: "\(message.id)", .error: "\(error)"])
            let sentence =
                "\(turn.service.rawValue) failed on this \(message.envelope.type); nothing was "
                + "changed, and its log tells more under id \(message.id)"
            return .failed(Refusal(code: .internal, message: sentence))
        }
    }

    private func transaction(
        for message: Message, _ principal: Principal, at now: Int64
    ) -> Transaction {
        Transaction(
            db: db, now: now, principal: principal, id: message.id,
            correlation: message.correlation, turn: turn)
    }

    /// What the sender is told.
    private func reply(of decision: Decision<Reply>, to message: Message, at now: Int64) -> Reply {
        switch decision {
        case .accepted(let reply): reply
        case .refused(let refusal), .failed(let refusal):
            reply(refusal, to: message, at: now)
        }
    }

    /// - Throws: a `Refusal` when it is too large to be sent.
    func reply(
        _ reply: any ProtobufMessage, to message: Message, at now: Int64
    ) throws(Refusal) -> Reply {
        #if DEBUG
            try Self.requireReadable(reply)
        #endif
        let bytes = pack(reply, subject: message.envelope.subject, message, now)
        guard bytes.count <= Envelope.maximumSize else {
            throw Refusal(
                code: .tooLarge,
                message: "the answer would have \(bytes.count) bytes, more than may be sent; "
                    + "nothing was changed, ask for less")
        }
        return Reply(peer: message.peer, envelope: bytes)
    }

    /// A reply that its receiver would refuse to read is a defect, found by the tests.
    private static func requireReadable<M: ProtobufMessage>(_ reply: M) throws(Refusal) {
        do throws(ProtobufError) { _ = try M(unpacking: reply.packed()) } catch {
            guard error.isBeyondLimits else { return }
            throw Refusal(code: .internal, message: "the reply can't be read: \(error)")
        }
    }

    /// A refusal can always be sent: of what its sender wrote it repeats so much that it fits.
    func reply(_ refusal: Refusal, to message: Message, at now: Int64) -> Reply {
        var refusal = refusal
        refusal.message = refusal.message.prefix(bytes: Self.longestRepeated)
        let subject = message.envelope.subject.prefix(bytes: Self.longestRepeated)
        return Reply(peer: message.peer, envelope: pack(refusal, subject: subject, message, now))
    }

    /// How many bytes of a refusal's sentence, and of its subject, are sent.
    static let longestRepeated = 4000

    private func pack<M: ProtobufMessage>(
        _ reply: M, subject: String, _ message: Message, _ now: Int64
    ) -> [UInt8] {
        Envelope(
            id: turn.ids.next(at: now).bytes, type: M.protobufName, source: turn.service.rawValue,
            subject: subject, time: now, correlationId: message.correlation.bytes,
            causationId: message.envelope.id, data: reply.packed()
        ).packed()
    }

    /// Refuses an envelope with a field beyond its limits. Of what it says only the ids are used.
    private func refuse(_ frame: Frame, from peer: [UInt8], _ error: ProtobufError) {
        let envelope: Envelope
        do throws(ProtobufError) {
            envelope = try frame.withBytes { bytes throws(ProtobufError) in
                try Envelope(unpacking: bytes, limits: .stored)
            }
        } catch {
            malformed += 1
            return
        }
        guard let id = MessageID(bytes: envelope.id) else {
            malformed += 1
            return
        }
        status.count("messages.beyondLimits")
        let refusal = Refusal.invalid("the message can't be read: \(error)").because(.fieldLimit)
        let reply = Envelope(
            type: Refusal.protobufName, source: turn.service.rawValue, correlationId: id.bytes,
            causationId: id.bytes, data: refusal.packed())
        tooLarge.append(Reply(peer: peer, envelope: reply.packed()))
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

    func note(_ level: Log.Level, _ message: Message, _ outcome: String) {
        guard level >= log.threshold else { return }
        handled.append(
            Handled(level: level, type: message.envelope.type, id: message.id, outcome: outcome))
    }

    /// One line for each message, written after its reply has left.
    func logHandled() {
        log.write(
            handled.map {
                log.line(
                    $0.level, "handled",
                    [.message: $0.type, .id: "\($0.id)", .outcome: $0.outcome])
            })
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
