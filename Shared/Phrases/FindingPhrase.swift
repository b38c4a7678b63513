/// The findings of a plan's check, and the repairs that they suggest.
package enum FindingPhrase: String, PhraseKey {
    // What a rule measures, as a noun.
    case doorWidth, doorHeight, threshold, latchSpace, pushSpace, hingeSpace, swing, turningSpace
    case floorSpace, passage
    case ceiling, sideSpace, oneSideSpace, frontSpace, toiletZone, centreLine, size
    case railReach

    // What is required.
    case atLeast, atMost, between, or, none, outward, sides, sizes

    // What was found.
    case at, passes, fails, exceeds, isUncertain, isUnknown, shapeFits, noNumber, opensInward
    case opensOutward, noWay, sidesFound, guessed, noThreshold, doorStopped, gapBetween
    case doorStoppedByWall, dependsOnWay, heightUnmeasured
    case doorNarrowed, ramped, rampOneSide
    case metElsewhere, metByOther, perhapsElsewhere, perhapsByOther
    case rampOver, rampUpTo, rampFromGround, sizeUnmeasured, rampAskew, rampNarrow, rampSteep
    case rampEndless, obstructionUncertain, unhung, straightBlocked, homeBasin
    case placeElsewhere, heightUncertain, hangsOver, frontAtWall, basinAtEnd, nearSquare
    case wallNearLimit, widthNearLimit, rampByOther, asideUncertain

    // The consequence for a chair.
    case chairPasses, chairStops, chairPerhaps, chairTurns, chairManoeuvres, chairTurnsNot
    case chairTurnsPerhaps, chairGoes, chairGoesNot, chairGoesPerhaps, chairStands
    case chairStandsNot, chairStandsPerhaps, chairGuessed
    case chairCrosses, chairCrossesNot, chairCrossesPerhaps

    // What can be done.
    case move, moveFixture, turnLeft, turnRight, hangOtherSide, hangOtherEnd, hangBoth, widen
    case widenOpening, lower, layRamps, layRampIn, layRampOutside

    // The direction.
    case north, south, east, west

    // Objects, with the article that they have as something that is moved.
    case thing, bed, toilet, washbasin, shower, bath, kitchenBench, table, seat, cupboard
    case appliance, aid, door, slidingDoor, opening, room, wall, named

    // The verdict of a check.
    case pass = "verdict.pass"
    case fail = "verdict.fail"
    case uncertain = "verdict.uncertain"
    case unknownVerdict = "verdict.unknown"
    case checkSummary, checkHollow, checkDoubtful, advisory, toBuild, toGet, repair

    // What a check passed over.
    case passedWithoutRooms, passedThings, passedRooms, andMore

    // What keeps a chair out.
    case noWayThere, tooMuch, and, byThreshold, byRamp, byWidth, byNarrowed, tightAt, tightBend
    case measureChair, byUnmeasured, byFloor, roomTooSmall

    // Where a chair can go, as it is listed.
    case reachChair, reachDoor, reachDoorUnsure, reachStopped, reachNoDoor, reachWay, reachNoWay
    case reachRoom, reachGetsIn, reachTurns, reachKeptOut
    case reachYes, reachNo, reachUnsure, reachUnknown

    package static let subject = "findings"
    package static let all = Words<FindingPhrase>.read(
        en: PackageResources.findings_en_txt, nb: PackageResources.findings_nb_txt,
        sv: PackageResources.findings_sv_txt)
}
