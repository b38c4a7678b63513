/// Why a message was refused, for programs: `Refusal.reason`. A word never changes its meaning. A
/// refusal that programs need not distinguish has none.
public enum RefusalReason: String, Sendable, CaseIterable {
    /// A field is beyond the limits in its .proto file.
    case fieldLimit = "field.limit"
    /// The key of account-service that verifies the access token has not arrived yet. The same
    /// message may be sent again in a moment.
    case keyAwaited = "key.awaited"
    /// The command's id is not a UUID of version 7.
    case idVersion = "id.version"
    /// The command's id was made too long ago; `clock` is the service's time.
    case idOld = "id.old"
    /// The command's id was made ahead of the service's time, which is `clock`.
    case idAhead = "id.ahead"
    /// Replies to commands from the time of this id were deleted, so it isn't known whether the
    /// command was carried out; `clock` is the service's time.
    case answerDeleted = "answer.deleted"
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
    /// The password has fewer than eight characters.
    case passwordShort = "password.short"
    /// The password is among those that are tried first.
    case passwordEasy = "password.easy"
    /// The present password, typed to set another, is wrong.
    case passwordWrong = "password.wrong"
    /// Someone else logs in with the name in the subject.
    case nameTaken = "name.taken"
    /// The invitation was never made, was used or has expired.
    case invitationOver = "invitation.over"
    /// `most` invitations are valid, and no more are possible.
    case invitationLimit = "invitation.limit"
    /// There were too many failed attempts; the next one may come in `seconds`.
    case attemptsLimit = "attempts.limit"
    /// Many signed up without an invitation; the next person may sign up in `seconds`.
    case signUpLimit = "signup.limit"
    /// There is a site with the name in the subject.
    case siteTaken = "site.taken"
    /// The subject is no time zone.
    case zoneUnknown = "zone.unknown"
    /// The sender lacks the role in the subject.
    case roleLacking = "role.lacking"
    /// The access token is not valid: it has expired, was revoked or never was valid.
    case tokenInvalid = "token.invalid"
    /// Another command has the id of this one.
    case idTaken = "id.taken"
    /// The subject is too short for the beginning of an id.
    case idShort = "id.short"
    /// Nothing that the asker may see has an id that begins with the subject; `thing` says what it
    /// would be, such as `session`.
    case idMissing = "id.missing"
    /// Several things have an id that begins with the subject; `thing` says what they are.
    case idAmbiguous = "id.ambiguous"
    /// Only someone with an account may do this.
    case accountNeeded = "account.needed"
    /// A display may not do this.
    case displayDenied = "display.denied"
    /// Too many commands are waiting; this one may be sent again.
    case serviceBusy = "service.busy"
    /// The command was answered before, and the answer was a secret, which is not kept.
    case answerGone = "answer.gone"
    /// Too many answers are kept for the account, or its refresh tokens were exchanged too often;
    /// the next command may come in `seconds`.
    case answersLimit = "answers.limit"
    /// The message has more bytes than may be sent.
    case messageLarge = "message.large"
    /// The answer would have more bytes than may be sent.
    case answerLarge = "answer.large"
    /// The event about it would be beyond its limits.
    case eventLarge = "event.large"
    /// A text is empty that must not be.
    case textMissing = "text.missing"
    /// A text has fewer than `least` or more than `most` characters; `field` says which, if several
    /// may be meant.
    case textLength = "text.length"
    /// A text has more combining marks in a row than any language needs.
    case textMarks = "text.marks"
    /// A text has a control character.
    case textControl = "text.control"
    /// The subject is not a plain e-mail address.
    case addressForm = "address.form"
    /// A name to log in with is neither an e-mail address nor a word.
    case nameForm = "name.form"
    /// A name has the form of an id.
    case nameId = "name.id"
    /// The password has more than `most` bytes.
    case passwordLong = "password.long"
    /// The log-in began with a single-use code, and a password has to be set first.
    case passwordTemporary = "password.temporary"
    /// The name or the password is wrong, or the account is disabled.
    case loginWrong = "login.wrong"
    /// The log-in is over.
    case sessionOver = "session.over"
    /// Only someone who was invited may sign up.
    case invitationNeeded = "invitation.needed"
    /// There is no account with the id or name in the subject that the asker may know of.
    case accountMissing = "account.missing"
    /// The account is disabled.
    case accountDisabled = "account.disabled"
    /// The organisation would be without an administrator.
    case administratorLast = "administrator.last"
    /// The installation would be without an owner.
    case ownerLast = "owner.last"
    /// The account in the subject has no such role.
    case grantMissing = "grant.missing"
    /// The account has `most` roles, and no more are possible.
    case grantLimit = "grant.limit"
    /// The role in the subject can't be restricted to a site.
    case grantEverywhere = "grant.everywhere"
    /// The carer would care for itself.
    case carerSelf = "carer.self"
    /// The carer cares for `most` others, and no more are possible.
    case carerLimit = "carer.limit"
    /// Carers are proposed to the person, `most` of them, and no more are possible.
    case carerProposed = "carer.proposed"
    /// There is no such carer.
    case carerMissing = "carer.missing"
    /// There is no organisation with the id or name in the subject.
    case organisationMissing = "organisation.missing"
    /// There is no site with the id or name in the subject that the asker may know of.
    case siteMissing = "site.missing"
    /// The organisation has `most` sites, and no more are possible.
    case siteLimit = "site.limit"
    /// The sites and areas of the organisation would take more than `most` bytes.
    case siteLarge = "site.large"
    /// The site has no area with the name in the subject.
    case areaMissing = "area.missing"
    /// An area is named without its site.
    case areaAlone = "area.alone"
    /// The sender has no role at the site.
    case siteRole = "site.role"
    /// No shift is open at the site in the subject.
    case shiftNone = "shift.none"
    /// A shift of `manager` is open at the site in the subject since `date`.
    case shiftOpen = "shift.open"
    /// The shift has ended already.
    case shiftEnded = "shift.ended"
    /// Something in the shift is open: in `lists` and for `devices` the names, each with a number;
    /// in `todos` and `reviews` a number; `travelPath` if one is due.
    case shiftUnfinished = "shift.unfinished"
    /// A shift is neither a day shift nor an evening shift.
    case shiftPart = "shift.part"
    /// The machine of the service doesn't know the time zone in the subject.
    case zoneMissing = "zone.missing"
    /// The site in the subject has no checklist for this part of the day and weekday.
    case checklistNone = "checklist.none"
    /// The checklists would have more than `most` bytes together.
    case checklistLarge = "checklist.large"
    /// The log of the shift ends before what the sender has read.
    case logBehind = "log.behind"
    /// The account has used `most` devices in the shift, and no more are possible.
    case deviceLimit = "device.limit"
    /// The device in the subject is somebody else's.
    case deviceTaken = "device.taken"
    /// The clock of a device is impossible.
    case deviceClock = "device.clock"
    /// The account has recorded `most` operations in the shift, and no more are possible.
    case operationLimit = "operation.limit"
    /// This version doesn't know the operations, or they don't belong together.
    case operationUnknown = "operation.unknown"
    /// Crew members only tick in this list.
    case crewTick = "crew.tick"
    /// Crew members take no part in this list.
    case crewBarred = "crew.barred"
    /// The shift has no such list.
    case listMissing = "list.missing"
    /// The shift has no such task.
    case taskMissing = "task.missing"
    /// The task has no state of its own, because others belong to it.
    case taskParent = "task.parent"
    /// The task is done or not; it can't be not ok.
    case taskFinding = "task.finding"
    /// The shift has no such to-do.
    case todoMissing = "todo.missing"
    /// A change of a to-do changes nothing.
    case todoUnchanged = "todo.unchanged"
    /// The site doesn't have the area of a to-do.
    case todoArea = "todo.area"
    /// The site doesn't have the priority of a to-do.
    case todoPriority = "todo.priority"
    /// The beginning of the travel path isn't in the shift.
    case pathMissing = "path.missing"
    /// A task asks for an answer, and there is none.
    case answerMissing = "answer.missing"
    /// A task doesn't ask for such an answer.
    case answerWrong = "answer.wrong"
    /// The answer contradicts what was found.
    case answerFinding = "answer.finding"
    /// A figure, or its hour, is beyond what is possible.
    case figureWrong = "figure.wrong"
    /// There are `most` photos in the shift, and no more are possible.
    case photoLimit = "photo.limit"
    /// There are `most` photos at the site that nothing names, and no more are possible.
    case photoUnnamed = "photo.unnamed"
    /// More photos go together than is allowed.
    case photoTogether = "photo.together"
    /// The same photo is named twice.
    case photoTwice = "photo.twice"
    /// The file isn't a photo that was prepared.
    case photoWrong = "photo.wrong"
    /// A photo did not arrive with what names it.
    case photoLost = "photo.lost"
    /// The sender is neither the recipient nor cares for the recipient.
    case recipientDenied = "recipient.denied"
    /// The source of the alert has withdrawn it.
    case alertWithdrawn = "alert.withdrawn"
    /// The alert has expired.
    case alertExpired = "alert.expired"
    /// Someone else has changed what the change was made from.
    case changedSince = "changed.since"
    /// The subject can't be a name: it has other characters than letters, digits, `-` and `_`, or
    /// isn't 1 to 40 characters long.
    case namePlain = "name.plain"
    /// There are no texts in the language in the subject; `known` are the others.
    case languageUnknown = "language.unknown"
    /// The preferences for alerts were changed elsewhere since the sender read them.
    case preferenceChanged = "preference.changed"
    /// Quiet hours would end when they begin.
    case quietHoursEmpty = "quietHours.empty"
    /// The sender has no channel with the name in the subject.
    case channelMissing = "channel.missing"
    /// What is kept of the channel can't be read.
    case channelDamaged = "channel.damaged"
    /// No timetable has been imported.
    case feedNone = "feed.none"
    /// There is no timetable with the name in the subject.
    case feedMissing = "feed.missing"
    /// The file of the timetable in the subject is missing or damaged.
    case feedDamaged = "feed.damaged"
    /// The timetable `feed` has no stop with the id in the subject.
    case stopMissing = "stop.missing"
    /// No trip of the timetable `feed` calls at the stop with the id in the subject.
    case stopUnserved = "stop.unserved"
    /// The stop with the id in the subject is no favourite of the passenger.
    case favouriteMissing = "favourite.missing"
    /// The passenger has `most` favourites, and no more are possible.
    case favouriteLimit = "favourite.limit"
    /// The line can't be followed.
    case lineBroken = "line.broken"
    /// The passenger has not accepted the privacy policy of `date`.
    case policyUnaccepted = "policy.unaccepted"
    /// The passenger has accepted a version of the privacy policy that isn't the present one.
    case policyChanged = "policy.changed"
    /// The journey with the id in the subject has ended.
    case journeyEnded = "journey.ended"
    /// The journey can't continue to that stop, or not without alerts yet.
    case journeyOnward = "journey.onward"
    /// There are no positions, or more than `most`.
    case positionCount = "position.count"
    /// The position `number` is not on Earth.
    case positionPlace = "position.place"
    /// The position `number` has an impossible time.
    case positionTime = "position.time"
    /// Examining or drawing the plan would take too long.
    case planWork = "plan.work"
    /// The plan changes faster than it is read.
    case planBusy = "plan.busy"
    /// The plan, of `width` by `height` metres, doesn't fit on the paper in the subject at a scale
    /// of 1 to `scale`.
    case planPaper = "plan.paper"
    /// The plan has no wheelchair, and none was described.
    case chairNone = "chair.none"
    /// There is no standard with the name in the subject.
    case standardMissing = "standard.missing"
    /// The organisation has `most` plans, and no more are possible.
    case planLimit = "plan.limit"
    /// The plans of the organisation have `most` GiB with their histories, and no more are kept.
    case planLarge = "plan.large"
    /// A catalogue has at most `most` products.
    case productLimit = "product.limit"
    /// The organisation has `most` projects, and no more are possible.
    case projectLimit = "project.limit"
    /// The projects of the organisation have `most` GiB with their histories, and no more are kept.
    case projectLarge = "project.large"
    /// The person has `most` journeys under way, and no more are possible.
    case journeyActive = "journey.active"
    /// The person has begun `most` journeys in the last 30 days, and no more are possible.
    case journeyLimit = "journey.limit"
    /// The days of the person have `most` MiB together, and no more are kept.
    case dayLarge = "day.large"
    /// The account has tested channels `most` times within an hour; the next test may come in
    /// `seconds`.
    case testLimit = "test.limit"
    /// The account has called people `most` times within a day; the next call may come in
    /// `seconds`.
    case callLimit = "call.limit"
    /// `most` codes for mailboxes were mailed for the account within a day; the next may be in
    /// `seconds`.
    case mailboxLimit = "mailbox.limit"
    /// The code of a mailbox is not valid, or no longer valid.
    case mailboxCode = "mailbox.code"
    /// The organisation has `most` checklists, with removed ones, and no more are possible.
    case templateLimit = "template.limit"
    /// The checklists of the organisation have `most` GiB in all versions, and no more are kept.
    case templateLarge = "template.large"
    /// The organisation has `most` accounts, and no more are possible in this way.
    case accountLimit = "account.limit"
    /// The account has named `most` pieces of equipment at the site, and no more are possible.
    case equipmentLimit = "equipment.limit"
    /// `most` shifts have begun at the site within 24 hours, and no more are possible.
    case shiftLimit = "shift.limit"
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
