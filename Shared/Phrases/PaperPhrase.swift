/// The texts of a shift's papers, except for its lists, and those of every page.
package enum PaperPhrase: String, PhraseKey {
    case page, pageHeading

    case todoListOf, nothingToDo, done, emptyList, general, contradiction, standingNote
    case assignee, dueAt, madeBy, handover, openTodos, nothingHandedOver, handedOverTimes
    case contradictions, notMarked, lateAndContradictory, afterTheEnd
    case todoAdded, todoDone, todoOpen, todoRemoved, todoChanged
    case todoDoneLate, todoRemovedLate
    case travelPathBegun, travelPathWalked
    case areaManager = "area.manager"
    case areaKitchen = "area.kitchen"
    case areaService = "area.service"
    case dayShift = "dayPart.day"
    case eveningShift = "dayPart.evening"

    case version, tasks, ok, notOk, notApplicable, notApplicableBecause
    case signedBy, photo, photos
    case countOk, countNotOk, countNotApplicable, countUnchecked
    case securityRound, securityRoundOf

    case travelPaths, noTravelPaths, outsideSchedule, found
    case slotOpen = "slot.open"
    case slotDone = "slot.done"
    case slotLate = "slot.late"
    case slotMissed = "slot.missed"

    case sales, hour, salesPlanned, salesActual, crewPlanned, crewActual, travelPath, total
    case measurement, value

    case weeklyReport, fromTo, noShifts, missedShifts, oftenNotOk
    case week, site, task, shifts, missedCount, lookedAt, notOkRate, overdueCount

    /// The names of areas, by what lists call them.
    package static var areas: [(area: String, phrase: PaperPhrase)] {
        allCases.filter { $0.rawValue.hasPrefix("area.") }
            .map { (String($0.rawValue.dropFirst("area.".count)), $0) }
    }

    package static let subject = "papers"
    package static let all = Words<PaperPhrase>.read(
        en: PackageResources.papers_en_txt, nb: PackageResources.papers_nb_txt,
        sv: PackageResources.papers_sv_txt)
}
