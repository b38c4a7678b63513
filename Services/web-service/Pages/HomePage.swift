import Foundation
import HTTPExchange
import Markup
import Messages
import Phrases

/// The first page: the sites of a person.
struct HomePage {
    let visit: Visit
    let person: Person
    /// The first site as it was typed, and why it wasn't added; nil for none.
    var refused: (name: String, zone: String, fault: FaultPage)?

    /// True if it has a form for the first site.
    var asksForSite: Bool {
        person.sites.isEmpty
            && person.account.grants.contains {
                [.administrator, .owner].contains($0.role) && $0.site.isEmpty
            }
    }

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        var frame = Frame(visit, words.language, title: words.say(.home), person: person)
        frame.place = "/"
        let account = person.account
        let name = account.displayName.isEmpty ? account.name : account.displayName
        var content = [
            tag("h1", [:], .text(words.say(.hello, ["name": name])))
        ]
        if !account.proposedCarers.isEmpty { content.append(carerAsked) }
        content.append(tag("h2", [:], .text(words.say(.yourSites))))
        if person.sites.isEmpty {
            let none = tag("p", ["class": "empty"], .text(words.say(.noSite)))
            content.append(asksForSite ? firstSite : none)
        } else {
            content.append(tag("ul", ["class": "cards"], person.sites.map(card)))
        }
        var others: [(path: String, phrase: WebPhrase, lead: WebPhrase)] = [
            ("/alerts", .alerts, .alertsLead), ("/plans", .plans, .plansLead),
            ("/ride", .ride, .rideLead),
            ("/log-ins", .logIns, .logInsLead),
        ]
        let leads: Set<Role> = [.siteManager, .supervisor, .administrator, .owner]
        if account.grants.contains(where: { leads.contains($0.role) }) {
            others.append(("/people", .people, .peopleLead))
        }
        content.append(
            tag(
                "ul", ["class": "cards"],
                others.map { path, phrase, lead in
                    tag(
                        "li", ["class": "card"],
                        tag("h2", [:], tag("a", ["href": path], .text(words.say(phrase)))),
                        tag("p", ["class": "hint"], .text(words.say(lead))))
                }))
        return frame.page(content, status: refused?.fault.status ?? .ok)
    }

    /// Tells people who may add sites how to get their first one.
    private var firstSite: Node {
        var content = [
            tag("h3", [:], .text(words.say(.addSite))),
            tag("p", ["class": "hint"], .text(words.say(.noSiteYet))),
        ]
        if let refused { content.append(refused.fault.banner) }
        content += [
            tag(
                "form", ["method": "post", "action": "/sites", "class": "inline"],
                FormKey().field(for: person.account.id),
                Field.text("name", words.say(.siteName), value: refused?.name ?? ""),
                Field.text(
                    "zone", words.say(.timeZone),
                    value: refused?.zone ?? TimeZone.current.identifier,
                    ["spellcheck": "false", "aria-describedby": "zone-note"]),
                tag("button", ["class": "main"], .text(words.say(.addSite)))),
            tag("p", ["class": "hint", "id": "zone-note"], .text(words.say(.timeZoneNote))),
        ]
        return tag("section", ["class": "card"], content)
    }

    /// Tells the person that somebody else has named a carer.
    private var carerAsked: Node {
        tag(
            "section", ["class": "card"],
            tag("h2", [:], tag("a", ["href": "/people"], .text(words.say(.carerAsked)))),
            tag("p", ["class": "hint"], .text(words.say(.carerAskedLead))))
    }

    private func card(_ site: Site) -> Node {
        tag(
            "li", ["class": "card"], tag("h3", [:], .text(site.name)),
            tag(
                "p", ["class": "row"],
                tag(
                    "a", ["class": "button main", "href": "/shift/" + Target.encoded(site.id)],
                    .text(words.say(.openShift)), tag("span", ["class": "away"], .text(site.name))),
                tag(
                    "a", ["class": "button", "href": "/board/" + Target.encoded(site.id)],
                    .text(words.say(.openBoard)), tag("span", ["class": "away"], .text(site.name)))
            ))
    }
}
