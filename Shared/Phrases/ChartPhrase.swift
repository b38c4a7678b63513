/// The texts of project charts.
package enum ChartPhrase: String, PhraseKey {
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

    case jan = "short.1"
    case feb = "short.2"
    case mar = "short.3"
    case apr = "short.4"
    case mayShort = "short.5"
    case jun = "short.6"
    case jul = "short.7"
    case aug = "short.8"
    case sep = "short.9"
    case oct = "short.10"
    case nov = "short.11"
    case dec = "short.12"

    case week, asOf, comparedWith, addedSince, page, later

    case issue, done, closed, critical, slack, milestone, whole, baseline, today, openBegin, openEnd
    case freeDays, follows, undated, late, shares, laterWeeks, laterOver

    package static let subject = "charts"
    package static let all = Words<ChartPhrase>.read(
        en: PackageResources.charts_en_txt, nb: PackageResources.charts_nb_txt,
        sv: PackageResources.charts_sv_txt)
}
