import Messages

/// Bounds what is kept of the replies to an account.
extension CommandDesk {
    /// The refusal of a command of an account for which too much was kept lately; nil if it may be
    /// carried out. It is not kept.
    func refusalOfAllowance(
        _ message: Message, _ principal: Principal, at now: Int64
    ) throws -> Reply? {
        guard principal.kind == .account else { return nil }
        let wait = try allowances.wait(of: principal.account, at: now, db)
        guard wait > 0 else { return nil }
        status.count("commands.beyondAllowance")
        log.note(.info, message, "beyondAllowance", isStranger: true)
        return passing(Refusal.tooManyReplies(wait: wait), to: message, at: now)
    }

    /// Keeps the reply of a command, and counts it.
    func keep(
        _ reply: [UInt8], to message: Message, of principal: Principal, at now: Int64
    ) throws {
        try turn.ledger.keep(reply, to: message.id, of: principal.asker, at: now)
        // Whoever has no token is the owner, or gets replies that are bounded otherwise.
        guard principal.kind == .account else { return }
        try allowances.count(reply.count, for: principal.account, at: now, db)
    }
}

extension Refusal {
    /// The refusal of a command while no more replies are kept for its account.
    fileprivate static func tooManyReplies(wait: Int64) -> Refusal {
        let seconds = (wait + 999) / 1000
        let most = AllowanceTable.replies.limit.most >> 20
        return .conflict(
            "your commands of the last day have taken \(most) MiB of answers, "
                + "which are kept for a day; nothing was changed, try again in \(seconds) seconds"
        ).because(.answersLimit, ["seconds": "\(seconds)"])
    }
}
