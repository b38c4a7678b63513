/// The texts of the screens for use at work: the walk and the board.
package enum ScreenPhrase: String, PhraseKey {
    // The walk: its keys.
    case keys, keysShort, keysTyping, keysChoosing, keysFinished, keysHelp
    case helpOk, helpNotOk, helpNotApplicable, helpNote, helpUndo, helpStep, helpSection
    case helpSearch, helpQuit, helpGeneral, helpSending

    // The walk: its display.
    case progress, notOkCount, section, noTasks, general, markedDifferently, notApplicableBecause
    case overdue, you, lookAgain, nothingFound, finished, finishedOk, finishedNotOk
    case finishedNotApplicable, finishedOwn
    case unchecked = "state.unchecked"
    case ok = "state.ok"
    case notOk = "state.notOk"
    case notApplicable = "state.notApplicable"

    // The walk: its questions and messages.
    case askReason, askNote, askSection, askSearch, askAnswer, askSignature, askPhoto, askRemedy
    case noAnswer
    case noted, openedByTask, endedElsewhere
    case explainsKeys, nothingToUndo, undone, allSent, sending, kept, notTakenIn
    case setAside

    // Refusals, by their reasons, where the phrase of pages speaks of the page.
    case refusalIdTaken = "refusal.id.taken"
    case refusalOperationUnknown = "refusal.operation.unknown"

    // What was done in a shift.
    case taskTitled, todoTitled, todoUntitled, noteOn, todoAdded, todoCarried, pathBegun
    case pathWalked, crewLet, crewMembers
    case crewMayNothing = "crewMay.nothing"
    case crewMayTick = "crewMay.tick"
    case crewMayInspect = "crewMay.inspect"
    case reviewed, markTakenBack, shiftBegan, shiftEnded, unknownOperation, figureAt
    case salesPlanned, salesActual, crewPlanned, crewActual

    // What devices that were apart have to know.
    case markedApart, contradictory, statementBy, decideTodo, decideFigure, lateOperation
    case photoNotTakenIn, forgotten, photoUnread, photoUnusable

    // Why screens go on without a service.
    case serviceNotRunning, noService, sessionOver, photoWaits

    // The board.
    case asking, noShift, dayShift, eveningShift, tasksDone, noTodo, andMore, overdueTask
    case brokenEquipment, faultyEquipment
    case reviewTask, asOf, todosDone, allDone, pathLate, pathNow, pathNext

    // What is done with a passenger's positions.
    case privacyTitle, privacyWhat, privacyUse, privacyEnd, privacyComment, privacyKept
    case privacyErase

    package static let subject = "screens"
    package static let all = Words<ScreenPhrase>.read(
        en: PackageResources.screens_en_txt, nb: PackageResources.screens_nb_txt,
        sv: PackageResources.screens_sv_txt)
}
