import Bus
import GRDB
import Messages

/// Answers commands and queries, and carries out each command once, however often it is sent.
final class CommandDesk {
    let db: Database
    let log: MessageLog
    private let doorkeeper: Doorkeeper
    private let replays: ReplayDesk
    private var denials = DenialDesk()
    private let tellDenial: (AccessDenied, Transaction) throws -> Void
    let turn: Turn
    let status: StatusBoard
    let slow: SlowDesk
    let suspects: Suspects
    private var handlers: [String: MessageHandler] = [:]
    private let jobs: JobRunner
    private var tooLarge: [Reply] = []
    /// Refusals that are kept only in memory.
    var refusals = RefusalShelf()
    /// Refusals that are not kept, for the copies of their messages.
    var refusedLately = PassingShelf()
    /// How much is kept for each account.
    var allowances = ReplyAllowances()
    /// The replies that wait for peers that do not read.
    let unsent = Unsent()
    /// The number of messages that the last turn handled.
    private(set) var handledInTurn = 0

    init<S: Service>(
        _: S.Type, db: Database, turn: Turn, jobs: JobRunner, slow: SlowDesk,
        status: StatusBoard, followings: [Following], doorkeeper: Doorkeeper,
        snapshots: SnapshotMaker, suspects: Suspects, log: Log
    ) {
        self.db = db
        self.turn = turn
        self.slow = slow
        self.jobs = jobs
        self.suspects = suspects
        self.status = status
        self.log = MessageLog(log, status: status)
        self.doorkeeper = doorkeeper
        tellDenial = S.denied
        let letters = DeadLetterOffice(followings, suspects: suspects)
        let followingDesk = FollowingDesk(followings)
        replays = ReplayDesk(
            ledger: turn.ledger, maker: snapshots, log: log, historyReplaced: S.historyReplaced
        ) { status.noteReport(of: $0, at: $1) }
        let own = MessageHandler.query(
            { [turn] (_: ReadStatus, transaction) in
                try status.read(
                    transaction, ledger: turn.ledger, followings: followings, jobs: jobs)
            }, .anyone)
        let shared =
            jobs.handlers + letters.handlers + replays.handlers + followingDesk.handlers + [own]
        for handler in S.handlers + Backups.handlers(of: S.self) + shared {
            precondition(handlers[handler.type] == nil, "\(handler.type) has two handlers")
            handlers[handler.type] = handler
        }
    }

    /// The next message that is waiting. Malformed messages are counted and dropped, and so are
    /// messages of a peer that does not read its replies.
    private func next(from socket: Socket, _ budget: inout TurnBudget) throws -> Message? {
        while !budget.isSpent, let parts = try socket.receive() {
            budget.countMessage(bytes: parts.reduce(0) { $0 + $1.count })
            guard parts.count == 2 else {
                log.noteMalformed()
                continue
            }
            let peer = parts[0].bytes
            guard hasRoom(for: peer) else {
                log.noteUnread()
                continue
            }
            guard parts[1].count <= Envelope.maximumSize else {
                refuseTooLarge(peer, size: parts[1].count)
                continue
            }
            do throws(ProtobufError) {
                let envelope = try parts[1].withBytes { bytes throws(ProtobufError) in
                    try Envelope(unpacking: bytes, limits: .standard)
                }
                if let id = MessageID(bytes: envelope.id), !envelope.type.isEmpty {
                    return Message(
                        peer: peer, envelope: envelope, id: id, sender: parts[1].peer)
                }
                log.noteMalformed()
            } catch {
                if error.isBeyondLimits {
                    refuse(parts[1], from: peer, error)
                } else {
                    log.noteMalformed()
                }
            }
        }
        return nil
    }

    /// The next message of a turn. If the turn has to be committed but has fewer messages than
    /// expected, it waits a moment for more: a flush of the disk takes as long for one as for
    /// hundreds.
    private func next(
        from socket: Socket, _ budget: inout TurnBudget, expecting expected: Int
    ) throws -> Message? {
        while true {
            if let message = try next(from: socket, &budget) { return message }
            guard handledInTurn < expected, budget.mayWait, !turn.ledger.isUnchanged else {
                return nil
            }
            try Poller.wait(for: socket, milliseconds: 1)
        }
    }

    /// False while so much is waiting for a peer that it gets nothing more.
    private func hasRoom(for peer: [UInt8]) -> Bool {
        guard unsent.total > 0 else { return true }
        let waiting = unsent.bytes(for: peer)
        return waiting < UnreadLimit.ofOnePeer
            && (waiting == 0 || unsent.total < UnreadLimit.ofAll)
    }

    /// Answers waiting messages inside the transaction of the turn, up to the limits of a turn. A
    /// reply is sent immediately while the turn has nothing to commit; the others are returned.
    ///
    /// - Parameters:
    ///   - socket: the socket to read; nil when no message is waiting.
    ///   - now: the time, in milliseconds since 1970.
    func answer(from socket: Socket?, at now: Int64) throws -> [Reply] {
        var replies = try finishSlow(at: now)
        let expected = handledInTurn < ServiceLoop.manyMessages ? 0 : handledInTurn / 2
        handledInTurn = 0
        guard let socket else { return replies }
        var budget = TurnBudget()
        var now = now
        while let message = try next(from: socket, &budget, expecting: expected) {
            handledInTurn += 1
            // A turn has one time, unless the machine was asleep meanwhile: then the message would
            // seem to have been made in the future.
            let present = WallClock.milliseconds()
            if present - now > TurnLimits.longestMilliseconds { now = present }
            guard let reply = try answer(message, at: now) else { continue }
            budget.countReply(bytes: reply.envelope.count)
            if turn.ledger.isUnchanged {
                try send([reply], to: socket)
            } else {
                replies.append(reply)
            }
        }
        replies += tooLarge
        tooLarge = []
        return replies
    }

    /// Sends the replies, after the commit.
    func send(_ replies: [Reply], to socket: Socket) throws {
        for reply in replies {
            try socket.send(reply.envelope, to: reply.peer, counting: unsent)
        }
    }

    /// - Returns: nil when there is no reply, or not yet.
    private func answer(_ message: Message, at now: Int64) throws -> Reply? {
        let type = message.envelope.type
        guard let handler = handlers[type] else {
            status.count("messages.unknownType")
            log.note(.info, message, "unknownType", isStranger: true)
            let sentence = "\(turn.service.rawValue) does not answer \(type)"
            return reply(Refusal(code: .unknownType, message: sentence), to: message, at: now)
        }
        let isQuery = handler.isQuery
        if isQuery, message.envelope.deadline != 0,
            message.envelope.deadline < now - TokenVerifier.skew
        {
            status.count("queries.tooLate")
            return reply(Refusal.tooLate(message.envelope, at: now), to: message, at: now)
        }
        if !isQuery, let former = passingReply(to: message, at: now) { return former }
        let principal: Principal
        switch try doorkeeper.admit(
            message.envelope, from: message.sender, by: handler.access, at: now)
        {
        case .admitted(let sender): principal = sender
        case .denied(let no, let sender):
            // Not kept: the same command may be sent again after logging in.
            status.count("access.denied")
            log.note(.notice, message, "denied", isStranger: true)
            if let event = denials.note(type, of: sender, at: now) {
                try tellDenial(event, transaction(for: message, .system, at: now))
            }
            return isQuery
                ? reply(no, to: message, at: now) : passing(no, to: message, at: now)
        }
        switch handler.kind {
        case .query(let query):
            let decision = try decide(message, principal, at: now) {
                try reply(try query.handle(message.envelope.data, $0), to: message, at: now)
            }
            status.count("queries.\(decision.outcome)")
            log.note(.debug, message, decision.outcome)
            return reply(of: decision, to: message, at: now)
        case .command(let command):
            return try answer(message, principal, by: command, at: now)
        case .slow(let command):
            return try answer(message, principal, by: command, at: now)
        case .job(let job):
            return try answer(message, principal, by: jobs.accepting(job), at: now)
        }
    }

    private func answer(
        _ message: Message, _ principal: Principal, by command: CommandHandler, at now: Int64
    ) throws -> Reply? {
        let kept = try keptReply(to: message, principal, renewing: command.keeping, at: now)
        if let kept { return kept }
        if slow.entry(message.id) != nil { return refusalOfIDUnderWay(message, at: now) }
        if let no = refusalOfID(message, principal, at: now) { return no }
        if let no = try refusalOfAllowance(message, principal, at: now) { return no }
        let decision = try decide(message, principal, at: now) {
            try carryOut(command, message, $0)
        }
        return try conclude(decision, message, principal, isSecret: command.isSecret, at: now)
    }

    /// Publishes the numbers of denials and drops what is idle. Called each second, in the
    /// transaction of the turn.
    func beat(_ transaction: Transaction) throws {
        for event in denials.numbers(at: transaction.now) { try tellDenial(event, transaction) }
        replays.beat(at: transaction.now)
        unsent.forgetIdle()
    }

    /// Runs a handler, which also packs its reply, so that a reply that can't be sent undoes its
    /// work.
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
            log.noteDefect(error, in: message)
            if let error = error as? any PartialOutage { return .failed(error.refusal) }
            let sentence =
                "\(turn.service.rawValue) failed on this \(message.envelope.type); nothing was "
                + "changed, and its log has more under id \(message.id)"
            return .failed(Refusal(code: .internal, message: sentence))
        }
    }

    func transaction(
        for message: Message, _ principal: Principal, at now: Int64
    ) -> Transaction {
        Transaction(
            db: db, now: now, principal: principal, id: message.id,
            correlation: message.correlation, turn: turn)
    }

    /// The reply that the sender gets for a decision.
    func reply(of decision: Decision<Reply>, to message: Message, at now: Int64) -> Reply {
        switch decision {
        case .accepted(let reply): reply
        case .refused(let refusal), .failed(let refusal):
            reply(refusal, to: message, at: now)
        }
    }

    /// - Throws: a `Refusal` when the reply is too large to be sent.
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
                    + "nothing was changed, ask for less"
            ).because(.answerLarge)
        }
        return Reply(peer: message.peer, envelope: bytes)
    }

    /// Fails on a reply that its receiver would refuse to read, so that the tests find the defect.
    private static func requireReadable<M: ProtobufMessage>(_ reply: M) throws(Refusal) {
        do throws(ProtobufError) { _ = try M(unpacking: reply.packed()) } catch {
            guard error.isBeyondLimits else { return }
            throw Refusal(code: .internal, message: "the reply can't be read: \(error)")
        }
    }

    func reply(_ refusal: Refusal, to message: Message, at now: Int64) -> Reply {
        pack(refusal, to: message, at: now, deadline: 0)
    }

    /// A refusal can always be sent: what it repeats of the sender's text is cut to fit.
    ///
    /// - Parameter deadline: that of the message, if the refusal isn't kept; otherwise 0.
    func pack(
        _ refusal: Refusal, to message: Message, at now: Int64, deadline: Int64
    ) -> Reply {
        let subject = message.envelope.subject.prefix(bytes: Turn.longestSubject)
        let bytes = pack(refusal.cut, subject: subject, message, now, deadline: deadline)
        return Reply(peer: message.peer, envelope: bytes)
    }

    private func pack<M: ProtobufMessage>(
        _ reply: M, subject: String, _ message: Message, _ now: Int64, deadline: Int64 = 0
    ) -> [UInt8] {
        Envelope(
            id: turn.ids.next(at: now).bytes, type: M.protobufName, source: turn.service.rawValue,
            subject: subject, time: now, correlationId: message.correlation.bytes,
            causationId: message.envelope.id, deadline: deadline, data: reply.packed()
        ).packed()
    }

    /// Refuses an envelope with a field beyond its limits. Only its ids are used.
    private func refuse(_ frame: Frame, from peer: [UInt8], _ error: ProtobufError) {
        let envelope: Envelope
        do throws(ProtobufError) {
            envelope = try frame.withBytes { bytes throws(ProtobufError) in
                try Envelope(unpacking: bytes, limits: .stored)
            }
        } catch {
            log.noteMalformed()
            return
        }
        guard let id = MessageID(bytes: envelope.id) else {
            log.noteMalformed()
            return
        }
        status.count("messages.beyondLimits")
        let refusal = Refusal.invalid("the message can't be read: \(error)")
            .because(.fieldLimit, of: error.field ?? "")
        let reply = Envelope(
            type: Refusal.protobufName, source: turn.service.rawValue, correlationId: id.bytes,
            causationId: id.bytes, data: refusal.packed())
        tooLarge.append(Reply(peer: peer, envelope: reply.packed()))
    }

    private func refuseTooLarge(_ peer: [UInt8], size: Int) {
        status.count("messages.tooLarge")
        let refusal = Refusal(
            code: .tooLarge,
            message: "the message has \(size) bytes; at most \(Envelope.maximumSize) may be sent"
        ).because(.messageLarge)
        let envelope = Envelope(
            type: Refusal.protobufName, source: turn.service.rawValue, data: refusal.packed())
        tooLarge.append(Reply(peer: peer, envelope: envelope.packed()))
    }
}

extension Refusal {
    /// The refusal of a query that came after its sender stopped waiting, by more than clocks may
    /// differ.
    static func tooLate(_ question: Envelope, at now: Int64) -> Refusal {
        let (late, isBeyond) = now.subtractingReportingOverflow(question.deadline)
        let seconds = isBeyond ? "very many" : String(late / 1000)
        return .invalid(
            "the query came \(seconds) s after its deadline, by the clock here; let both hosts "
                + "take their time from a time server, and ask again"
        ).because(.queryLate)
    }
}
