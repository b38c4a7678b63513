/// The texts of alerts, and texts about them.
package enum AlertPhrase: String, PhraseKey {
    case plain

    // A ride.
    case yourStop, getReady, getOff, passed, wrongDirection, offRoute, elsewhere
    case skipped, skippedBody, standing, standingBody
    case coarse, coarseBody, coarseSilent, old, oldBody, oldSilent
    case toGo, toGoIn, estimated, passedBody, wrongDirectionBody, offRouteBody
    case elsewhereBody, passedNext, landmark, onTheLeft, onTheRight, seeLandmark

    // A shift.
    case travelPath, travelPathLate, travelPathBody, overdue, overdueMore, overdueTogether
    case escalatedBody, escalatedUndoneBody, todoOverdue, todosOverdue
    case shiftWaiting, shiftWaitingBody, shiftMissed, shiftMissedOff, shiftMissedOpen
    case shiftMissedManager, shiftMissedRefused

    // A plan.
    case findings, clause, moreFindings, olderFindings, seeFindings

    // A person's day.
    case dayNow, dayNowBody, daySoon, daySoonBody, dayFinished, dayProposed, dayProposedBody
    case dayNowOf, daySoonOf, dayFinishedOf, dayProposedOf
    case dayLeave, dayLeaveSoon, dayLeaveBody, dayLeaveOf, dayLeaveSoonOf

    // An issue of a project.
    case issueAssigned, issueAssignedBody, issueDueSoon, issueOverdue
    case issueMoved, issueMovedByIssue, issueMovedByPerson, seeIssue

    // The mirror of a project.
    case mirrorConflict, mirrorDown, mirrorDownBody, mirrorStopped, seeMirror

    // A calendar that is fetched.
    case calendarOld, calendarOldBody, seeCalendars

    // Mails that can't be sent.
    case deadMails, deadMailBody, mailServerFails, seeMails

    // Channels.
    case channelFails, channelTest, channelTestBody, seeChannels, digest, moreInDigest
    case mailTest, mailTestBody, unreached, unreachedBody

    // What services have put aside.
    case lettersAside, jobAside, errandAside, commandAside, timersFail, asideBody, seeAside

    // The state of an alert.
    case acknowledge, repeatedUntil, told, again, changed, reopened, over, overBody, overNotice
    case unreadable
    case info = "severity.info"
    case warning = "severity.warning"
    case urgent = "severity.urgent"
    case open = "state.open"
    case acknowledged = "state.acknowledged"
    case withdrawn = "state.withdrawn"
    case expired = "state.expired"
    case acknowledgedBy

    package static let subject = "alerts"
    package static let all = Words<AlertPhrase>.read(
        en: PackageResources.alerts_en_txt, nb: PackageResources.alerts_nb_txt,
        sv: PackageResources.alerts_sv_txt)
}
