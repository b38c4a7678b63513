/// Why a message was refused, for programs: `Refusal.reason`. A word never changes its meaning. A
/// refusal that programs need not distinguish has none.
public enum RefusalReason: String, Sendable, CaseIterable {
    /// A field is beyond the limits in its .proto file.
    case fieldLimit = "field.limit"
    /// The service has no key of account-service yet to check an access token with.
    case keyAwaited = "key.awaited"
    /// The command's id is not a UUID of version 7.
    case idVersion = "id.version"
    /// The command's id was made too long ago; `clock` is the service's time.
    case idOld = "id.old"
    /// The command's id was made ahead of the service's time, which is `clock`.
    case idAhead = "id.ahead"
    /// The query came after its deadline, by the service's clock.
    case queryLate = "query.late"
    /// The subject, a device, must send its operation `wanted` next.
    case shiftGap = "shift.gap"
    /// The photo whose SHA-256 is the subject has to be sent first.
    case photoMissing = "photo.missing"
    /// There is no plan with the id or name in the subject.
    case planMissing = "plan.missing"
    /// Several plans could be meant by the subject.
    case planAmbiguous = "plan.ambiguous"
    /// There is no project with the id, identifier or name in the subject.
    case projectMissing = "project.missing"
    /// The account has ordered too many mails; there is room for these in `minutes`.
    case mailLimit = "mail.limit"
    /// The password has less than eight characters.
    case passwordShort = "password.short"
    /// The password is among those that are tried first.
    case passwordEasy = "password.easy"
    /// The present password, typed to set another, is wrong.
    case passwordWrong = "password.wrong"
    /// Someone else logs in with the name in the subject.
    case nameTaken = "name.taken"
    /// The invitation was never made, was used or has expired.
    case invitationOver = "invitation.over"
    /// There were too many failed attempts; the next one may come in `seconds`.
    case attemptsLimit = "attempts.limit"
    /// There is a site with the name in the subject.
    case siteTaken = "site.taken"
    /// The subject is no time zone.
    case zoneUnknown = "zone.unknown"
    /// The sender lacks the role in the subject.
    case roleLacking = "role.lacking"
}

extension Refusal {
    /// The same refusal with a reason, so that programs need not parse the sentence.
    ///
    /// - Parameters:
    ///   - reason: the reason.
    ///   - subject: the id or name that it is about.
    ///   - arguments: the other values in the sentence, by name.
    public func because(
        _ reason: RefusalReason, of subject: String = "", _ arguments: [String: String] = [:]
    ) -> Refusal {
        var refusal = self
        refusal.reason = reason.rawValue
        refusal.subject = subject.prefix(bytes: 1000)
        refusal.arguments = arguments.mapValues { $0.prefix(bytes: 1000) }
        return refusal
    }

    /// True when the refusal has that reason.
    public func isBecause(_ reason: RefusalReason) -> Bool { self.reason == reason.rawValue }
}
