import Foundation
import Messages

/// Keeps the replies of commands, and answers commands that are sent again.
extension CommandDesk {
    /// Carries out a command, and packs its reply and what is kept of it, so that a reply that
    /// can't be sent undoes its work.
    func carryOut(
        _ command: CommandHandler, _ message: Message, _ transaction: Transaction
    ) throws -> Reply {
        let answer = try command.handle(message.envelope.data, transaction)
        var whole = try reply(answer, to: message, at: transaction.now)
        if let keeping = command.keeping {
            let rest = try reply(keeping.kept(answer), to: message, at: transaction.now)
            whole.kept = rest.envelope
        }
        return whole
    }

    /// The reply of a command that has already been carried out; nil for a new one.
    ///
    /// - Parameters:
    ///   - message: the command.
    ///   - principal: who sent it.
    ///   - keeping: how the reply is made again, if only a part of it is kept.
    ///   - now: the time, in milliseconds since 1970.
    func keptReply(
        to message: Message, _ principal: Principal, renewing keeping: ReplyKeeping? = nil,
        at now: Int64
    ) throws -> Reply? {
        guard
            let (kept, asker) = try refusals.reply(to: message.id)
                ?? turn.ledger.reply(to: message.id)
        else { return nil }
        // A command's id is the id of what it created, which others may see.
        guard asker == principal.asker else {
            let refusal = Refusal.conflict("another command has this id").because(.idTaken)
            return passing(refusal, to: message, at: now)
        }
        status.count("commands.repeated")
        log.note(.info, message, "repeated")
        let rest = Reply(peer: message.peer, envelope: kept)
        guard let keeping, let envelope = Envelope.readable(Data(kept)),
            envelope.type == keeping.type
        else { return rest }
        let decision = try decide(message, principal, at: now) {
            try reply(try keeping.renewed(envelope.data, $0), to: message, at: now)
        }
        guard case .accepted(let renewed) = decision else { return rest }
        return renewed
    }

    /// Keeps the reply of a command, and returns it.
    func conclude(
        _ decision: Decision<Reply>, _ message: Message, _ principal: Principal,
        isSecret: Bool, at now: Int64
    ) throws -> Reply {
        let reply: Reply
        if case .failed(let refusal) = decision {
            reply = passing(refusal, to: message, at: now)
        } else {
            reply = self.reply(of: decision, to: message, at: now)
            refusedLately.remove(message.id)
        }
        switch decision {
        case .accepted where isSecret:
            let kept = self.reply(Refusal.notKept, to: message, at: now)
            try keep(kept.envelope, to: message, of: principal, at: now)
        case .refused where principal.kind == .anonymous:
            refusals.keep(reply.envelope, to: message.id, of: principal.asker)
        case .accepted, .refused:
            try keep(reply.kept ?? reply.envelope, to: message, of: principal, at: now)
        case .failed: break  // So that a repaired service answers when it is sent again.
        }
        status.count("commands.\(decision.outcome)")
        log.note(
            .info, message, decision.outcome,
            isStranger: principal.kind == .anonymous && decision.outcome != "accepted")
        return reply
    }
}
