/// Texts about a person's day: why something is not done, what was changed, and the view of the
/// day.
package enum DayPhrase: String, PhraseKey {
    // Why an action is not done.
    case timeOver, dayOver, passedOver, noRoom, noRoomBefore, windowTooShort, fixedStartTaken
    // Why it is at another time.
    case movedLate, movedFor, movedPassed, movedToFit

    // What someone did.
    case planned, confirmed, done, skipped, paused, resumed, more, added, removed, moved
    case swapped, takenBack

    // The view of a day.
    case now, next, first, then, atClock, minutesLeft, ready, dayDone, noDay, isPaused, nothingNow
    case isProposal
    case keys, keysFree, noKeys, notConfirmed, changedBy, unreachable, waitingFor, isProposed
    case notPossible, needsContact, staysHere
    // What follows the list of a day, with a command.
    case changedDay, isItRight, takesYou
    // The screen of today.
    case todayShift, todayMeeting, todayIssue, todayRide, todayAlert, todayMissing
    case stateOpen = "state.open"
    case stateNow = "state.now"
    case stateDone = "state.done"
    case stateSkipped = "state.skipped"
    case stateLeftOut = "state.leftOut"

    package static let subject = "days"
    package static let all = Words<DayPhrase>.read(
        en: PackageResources.days_en_txt, nb: PackageResources.days_nb_txt,
        sv: PackageResources.days_sv_txt)
}
