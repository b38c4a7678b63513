/// What a check of a plan finds, and what can be done about it.
package enum FindingPhrase: String, PhraseKey {
    // What a rule measures, as a noun.
    case doorWidth, doorHeight, threshold, latchSpace, pushSpace, hingeSpace, swing, turningSpace
    case floorSpace, passage
    case ceiling, sideSpace, oneSideSpace, frontSpace, toiletZone, centreLine, size

    // What is required.
    case atLeast, atMost, between, or, none, outward, sides, sizes

    // What was found.
    case at, passes, fails, exceeds, isUncertain, isUnknown, shapeFits, noNumber, opensInward
    case opensOutward, noWay, sidesFound, guessed, noThreshold

    // What it means for a chair.
    case chairPasses, chairStops, chairPerhaps, chairTurns, chairManoeuvres, chairTurnsNot
    case chairTurnsPerhaps, chairGoes, chairGoesNot, chairGoesPerhaps, chairStands
    case chairStandsNot, chairStandsPerhaps

    // What can be done.
    case move, turnLeft, turnRight, hangOtherSide, hangOtherEnd, hangBoth, widen, lower

    // Where to.
    case north, south, east, west

    // What there is, with its article as something that is moved.
    case thing, bed, toilet, washbasin, shower, bath, kitchenBench, table, seat, cupboard
    case appliance, aid, door, slidingDoor, opening, room, named

    // What a check comes to.
    case pass = "verdict.pass"
    case fail = "verdict.fail"
    case uncertain = "verdict.uncertain"
    case unknownVerdict = "verdict.unknown"
    case checkSummary, checkHollow, advisory, toBuild, repair

    // What keeps a chair out.
    case noWayThere, tooMuch, and

    package static let subject = "findings"
    package static let all = Words<FindingPhrase>.read(
        en: PackageResources.findings_en_txt, nb: PackageResources.findings_nb_txt,
        sv: PackageResources.findings_sv_txt)
}
