/// The texts in drawings of plans.
package enum DrawingPhrase: String, PhraseKey {
    case bed = "kind.bed"
    case toiletSeat = "kind.toilet"
    case washbasin = "kind.washbasin"
    case shower = "kind.shower"
    case bath = "kind.bath"
    case kitchenBench = "kind.kitchenBench"
    case table = "kind.table"
    case seat = "kind.seat"
    case cupboard = "kind.cupboard"
    case appliance = "kind.appliance"
    case wheelchair = "kind.wheelchair"
    case aid = "kind.aid"
    case structure = "kind.structure"
    case stairs = "kind.stairs"
    case element = "kind.unspecified"

    case living = "use.living"
    case bedroom = "use.bedroom"
    case kitchen = "use.kitchen"
    case bathroom = "use.bathroom"
    case toilet = "use.toilet"
    case hall = "use.hall"
    case storage = "use.storage"
    case laundry = "use.laundry"
    case balcony = "use.balcony"
    case room, entrance, north

    case client, author, scale, fitted, date, revision, measuresIn, measuresWithin

    case fails, chairFails, chairAlone, undecided, reached, notReached, perhapsReached, tightDoor
    case perhapsTightDoor
    case route, freeWidth, unmeasuredThreshold, unhungDoor, turningCircle, door, window, passage

    package static let subject = "drawings"
    package static let all = Words<DrawingPhrase>.read(
        en: PackageResources.drawings_en_txt, nb: PackageResources.drawings_nb_txt,
        sv: PackageResources.drawings_sv_txt)
}
