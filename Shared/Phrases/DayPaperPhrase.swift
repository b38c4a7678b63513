/// The texts of a day's papers, except the names of its actions.
package enum DayPaperPhrase: String, PhraseKey {
    case date, page
    case first, then, done, skipped, nothing, allDone

    case monday = "weekday.0"
    case tuesday = "weekday.1"
    case wednesday = "weekday.2"
    case thursday = "weekday.3"
    case friday = "weekday.4"
    case saturday = "weekday.5"
    case sunday = "weekday.6"

    case january = "month.1"
    case february = "month.2"
    case march = "month.3"
    case april = "month.4"
    case may = "month.5"
    case june = "month.6"
    case july = "month.7"
    case august = "month.8"
    case september = "month.9"
    case october = "month.10"
    case november = "month.11"
    case december = "month.12"

    package static let subject = "daypapers"
    package static let all = Words<DayPaperPhrase>.read(
        en: PackageResources.daypapers_en_txt, nb: PackageResources.daypapers_nb_txt,
        sv: PackageResources.daypapers_sv_txt)
}
