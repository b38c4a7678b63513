import Messages

/// Refusals that aren't kept.
extension CommandDesk {
    /// A refusal that isn't kept. It has the deadline of its message, by which the sender
    /// recognises which of its attempts was refused.
    func passing(_ refusal: Refusal, to message: Message, at now: Int64) -> Reply {
        let refused = pack(refusal, to: message, at: now, deadline: message.envelope.deadline)
        refusedLately.keep(refused.envelope, to: message, at: now)
        return refused
    }

    /// The reply to a copy of a message that was refused a moment ago; nil for another message.
    func passingReply(to message: Message, at now: Int64) -> Reply? {
        guard let envelope = refusedLately.reply(to: message, at: now) else { return nil }
        status.count("commands.repeated")
        log.note(.info, message, "repeated", isStranger: true)
        return Reply(peer: message.peer, envelope: envelope)
    }
}
