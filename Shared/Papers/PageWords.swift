/// The words that each page of a paper has, in the languages that are shipped. Any other language
/// has the English ones.
struct PageWords: Sendable {
    var continued = "continued"
    var page = "Page"
    var of = "of"

    /// The words of a language.
    static func of(_ language: String) -> PageWords {
        switch language {
        case "nb", "no", "nn": PageWords(continued: "forts.", page: "Side", of: "av")
        case "sv": PageWords(continued: "forts.", page: "Sida", of: "av")
        default: PageWords()
        }
    }
}
