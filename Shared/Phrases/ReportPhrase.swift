/// The texts of a report on a plan, except for its drawing and its findings.
package enum ReportPhrase: String, PhraseKey {
    case title, revision, met, metButNotForChair, failed, undecided, undecidedNotForChair

    case conclusion, nothingFails, partlyChecked, keptOut, moreBelow, number, place, lacks
    case remedy, payer
    case putAway, noRemedy, paysNobody, paysNAV, paysMunicipality, paysUnknown, passesCleared
    case ownWords, chair, chairTurning, chairHands, chairAssistant, chairLegRests, signature
    case afterRepairs
    case fail, uncertain, unknown, fits, fitsNot, noChair

    case findings, required, measured, margin, missing, tooMuch, tolerance, chairSaid, repair
    case advisory, source, moreFindings, moreRows

    case aids, articleNumber, name, maker, isoCode, size, guessed

    case rooms, chairSize, roomName, getsIn, turns, hindered, yes, no
    case narrow, perhapsNarrow, freeWidth, lacking, stopped

    case standards, standard, edition
    case notChecked, notCheckedText, clausesApplied, someClausesApplied, noClauseApplied
    case withoutUse, withoutStandard, withoutChair, withoutEntrance
    case disclaimer, disclaimerText

    package static let subject = "reports"
    package static let all = Words<ReportPhrase>.read(
        en: PackageResources.reports_en_txt, nb: PackageResources.reports_nb_txt,
        sv: PackageResources.reports_sv_txt)
}
