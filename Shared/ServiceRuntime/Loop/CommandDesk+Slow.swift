import Messages

/// Slow commands: prepared in one turn, finished in a later one.
extension CommandDesk {
    /// - Returns: nil when the command is under way; its reply comes later.
    func answer(
        _ message: Message, _ principal: Principal, by handler: SlowCommandHandler, at now: Int64
    ) throws -> Reply? {
        if let kept = try keptReply(to: message, principal, at: now) { return kept }
        if let entry = slow.entry(message.id) {
            // Someone who knows only the id of a command must not get its reply.
            guard entry.message.envelope.data == message.envelope.data,
                entry.principal.asker == principal.asker
            else { return refusalOfIDUnderWay(message, at: now) }
            slow.redirect(message.id, to: message)
            status.count("commands.repeated")
            return nil
        }
        if let no = refusalOfID(message, principal, at: now) { return no }
        if let no = try refusalOfAllowance(message, principal, at: now) { return no }
        guard !slow.isFull(for: principal) else {
            // Not kept: the sender may try the same command again.
            status.count("commands.tooMany")
            log.note(.info, message, "tooMany", isStranger: true)
            let refusal = Refusal.conflict("too busy, try again").because(.serviceBusy)
            return passing(refusal, to: message, at: now)
        }
        let act = SlowDesk.act(message)
        if let reason = suspects.reason(against: act) {
            if suspects.isNews(act) {
                status.count("commands.setAside")
                try transaction(for: message, .system, at: now).noteAside(
                    .command, message.envelope.type, reason: reason, log: log.log)
            }
            return try conclude(
                .failed(Refusal(code: .internal, message: reason)), message, principal,
                isSecret: false, at: now)
        }
        let decision = try noting(act) {
            try decide(message, principal, at: now) {
                try handler.prepare(message.envelope.data, $0)
            }
        }
        switch decision {
        case .accepted(let work):
            slow.add(
                SlowDesk.Entry(
                    message: message, handler: handler, principal: principal, work: work))
            return nil
        case .refused(let refusal):
            return try conclude(.refused(refusal), message, principal, isSecret: false, at: now)
        case .failed(let refusal):
            return try conclude(.failed(refusal), message, principal, isSecret: false, at: now)
        }
    }

    /// The refusal of a command with the id of a slow one under way. Only one reply can be kept
    /// under an id.
    func refusalOfIDUnderWay(_ message: Message, at now: Int64) -> Reply {
        let refusal = Refusal.conflict("another command under way has this id").because(.idTaken)
        return passing(refusal, to: message, at: now)
    }

    /// Records what the loop is doing: if it ends the process each time, it is not done again.
    private func noting<R>(_ act: String, _ body: () throws -> R) rethrows -> R {
        suspects.begin(act)
        defer { suspects.rest() }
        return try body()
    }

    /// Finishes the commands whose work is done, inside the transaction of the turn.
    func finishSlow(at now: Int64) throws -> [Reply] {
        try slow.takeDone().map { entry, result in
            let (message, handler) = (entry.message, entry.handler)
            let decision = try noting(entry.act) {
                try decide(message, entry.principal, at: now) {
                    try reply(
                        try handler.finish(message.envelope.data, try result.get(), $0),
                        to: message, at: now)
                }
            }
            try suspects.clear(entry.act, db)
            return try conclude(
                decision, message, entry.principal, isSecret: handler.isSecret, at: now)
        }
    }
}
