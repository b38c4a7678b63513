import HTTPExchange
import Markup
import Messages
import Phrases

/// The first page: the sites of a person.
struct HomePage {
    let visit: Visit
    let person: Person

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        var frame = Frame(visit, words.language, title: words.say(.home), person: person)
        frame.place = "/"
        let account = person.account
        let name = account.displayName.isEmpty ? account.name : account.displayName
        var content = [
            tag("h1", [:], .text(words.say(.hello, ["name": name]))),
            tag("h2", [:], .text(words.say(.yourSites))),
        ]
        if person.sites.isEmpty {
            content.append(tag("p", ["class": "empty"], .text(words.say(.noSite))))
        } else {
            content.append(tag("ul", ["class": "cards"], person.sites.map(card)))
        }
        return frame.page(content)
    }

    private func card(_ site: Site) -> Node {
        tag(
            "li", ["class": "card"], tag("h3", [:], .text(site.name)),
            tag(
                "p", ["class": "row"],
                tag(
                    "a", ["class": "button", "href": "/shift/" + Target.encoded(site.id)],
                    .text(words.say(.openShift)), tag("span", ["class": "away"], .text(site.name))),
                tag(
                    "a", ["class": "button", "href": "/board/" + Target.encoded(site.id)],
                    .text(words.say(.openBoard)), tag("span", ["class": "away"], .text(site.name)))
            ))
    }
}
