/// Why a message was refused, for programs: `Refusal.reason`. A word is never changed, nor used for
/// something else. A refusal that no program has to tell from others has none.
public enum RefusalReason: String, Sendable, CaseIterable {
    /// A field is beyond the limits in its .proto file.
    case fieldLimit = "field.limit"
    /// The command's id is no UUID of version 7.
    case idVersion = "id.version"
    /// The command's id was made too long ago; `clock` is the service's time.
    case idOld = "id.old"
    /// The command's id was made ahead of the service's time, which is `clock`.
    case idAhead = "id.ahead"
    /// The question came after the time until which its answer was wanted, by the service's clock.
    case queryLate = "query.late"
    /// The subject, a device, has to send its operation `wanted` next.
    case shiftGap = "shift.gap"
    /// There is no plan of that id or name, the subject.
    case planMissing = "plan.missing"
    /// Several plans could be meant by the subject.
    case planAmbiguous = "plan.ambiguous"
    /// The account has ordered too many mails; there is room for these in `minutes`.
    case mailLimit = "mail.limit"
}

extension Refusal {
    /// The same with a reason for programs, so that none has to read the sentence.
    ///
    /// - Parameters:
    ///   - subject: the id or name that it is about.
    ///   - arguments: what else the sentence tells, by name.
    public func because(
        _ reason: RefusalReason, of subject: String = "", _ arguments: [String: String] = [:]
    ) -> Refusal {
        var refusal = self
        refusal.reason = reason.rawValue
        refusal.subject = subject.prefix(bytes: 1000)
        refusal.arguments = arguments.mapValues { $0.prefix(bytes: 1000) }
        return refusal
    }

    /// True when it was refused for that reason.
    public func isBecause(_ reason: RefusalReason) -> Bool { self.reason == reason.rawValue }
}
