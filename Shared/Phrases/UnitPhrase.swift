/// The texts of durations and distances.
package enum UnitPhrase: String, PhraseKey {
    case seconds, minutes, minutesSeconds, metres, kilometres

    package static let subject = "units"
    package static let all = Words<UnitPhrase>.read(
        en: PackageResources.units_en_txt, nb: PackageResources.units_nb_txt,
        sv: PackageResources.units_sv_txt)
}
