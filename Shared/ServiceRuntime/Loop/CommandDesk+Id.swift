import Messages

/// The id of a command says when it was made. A reply is kept for a day after the command arrives,
/// so the reply to an older id may be gone, and carrying the command out could do it twice. The
/// same is true of an id that only seems new because the clock was set back since, and of one from
/// before the move of an organisation: see ``DeletedReplies``.
extension CommandDesk {
    /// The refusal of a command whose id has no time or a wrong one; nil when it is valid. It is
    /// not kept.
    func refusalOfID(_ message: Message, _ principal: Principal, at now: Int64) -> Reply? {
        let refusal =
            Self.refusal(of: message.id, at: now)
            ?? refusalOfDeleted(message.id, principal, at: now)
        guard let refusal else { return nil }
        status.count("commands.badId")
        log.note(.info, message, "badId")
        return passing(refusal, to: message, at: now)
    }

    /// The refusal of a command whose reply may have been deleted. The process's own threads send
    /// no command for that long.
    private func refusalOfDeleted(
        _ id: MessageID, _ principal: Principal, at now: Int64
    ) -> Refusal? {
        guard principal.kind != .system, turn.ledger.deletedReplies.contains(id) else { return nil }
        return .invalid(
            "the replies to commands of that time are deleted, so this service doesn't know "
                + "whether it has carried out the command \(id): set its clock if that is wrong, "
                + "see whether the command was carried out, and if it wasn't, give it a new id"
        ).because(.answerDeleted, of: "\(id)", ["clock": "\(now)"])
    }

    static func refusal(of id: MessageID, at now: Int64) -> Refusal? {
        guard id.isOfTime else {
            return .invalid("the id of a command is a UUID of version 7; \(id) is not")
                .because(.idVersion, of: "\(id)")
        }
        let age = now - id.milliseconds
        guard !(-MessageID.farthestAhead...MessageID.oldestNew).contains(age) else { return nil }
        let clock = ["clock": "\(now)"]
        guard age < 0 else {
            return .invalid(
                "the id \(id) was made \(age / 60_000) minutes ago by this service's clock, and "
                    + "may be \(MessageID.oldestNew / 60_000) minutes old; give the command a new "
                    + "id, and set the clock if it is wrong"
            ).because(.idOld, of: "\(id)", clock)
        }
        return .invalid(
            "the id \(id) was made \(-age / 60_000) minutes ahead of this service's clock; "
                + "\(MessageID.farthestAhead / 60_000) are allowed: set the clock"
        ).because(.idAhead, of: "\(id)", clock)
    }
}

extension MessageID {
    /// How old the id of an unknown command may be, in milliseconds: less than replies are kept, by
    /// more than an id may be ahead.
    static let oldestNew: Int64 = 23 * 3_600_000
    /// How far the sender's clock may be ahead of this one, in milliseconds.
    static let farthestAhead: Int64 = 15 * 60_000

    /// True when no command can have had this id by now, because its sender's clock would be too
    /// far ahead. So the clock of the service was set back after the command was carried out.
    public func isAhead(of now: Int64) -> Bool {
        isOfTime && milliseconds > now + Self.farthestAhead
    }
}
