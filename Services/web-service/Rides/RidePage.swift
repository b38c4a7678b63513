import HTTPExchange
import Markup
import Phrases

/// The get-off alarm. The server sends the frame; the script follows the ride.
struct RidePage {
    let visit: Visit
    let person: Person

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        var frame = Frame(visit, words.language, title: words.say(.ride), person: person)
        (frame.script, frame.imports, frame.kind) = (
            "ride.js", ["alarm.js", "live.js", "positions.js"], "phone"
        )
        frame.style = "ride.css"
        return frame.page([
            tag("h1", [:], .text(words.say(.ride))),
            tag("p", ["class": "lead"], .text(words.say(.rideLead))),
            tag(
                "noscript", [:],
                tag("p", ["class": "fault"], .text(words.say(.needsScriptAlways))),
                tag(
                    "p", [:],
                    tag(
                        "a", ["class": "button", "href": "/ride/favourites"],
                        .text(words.say(.scriptFavourites))))),
            tag("div", ["id": "ride", "data-account": person.account.id]),
        ])
    }
}
