import Bus
import HTTPExchange
import Markup
import Messages
import Phrases

/// Every component of pages in every state, for those who design and test them. It shows no one's
/// data.
struct GalleryPage {
    let visit: Visit

    private var words: Words<WebPhrase> { Words(visit.language) }

    var response: Response {
        let frame = Frame(visit, visit.language, title: "Gallery")
        return frame.page([
            tag("h1", ["lang": "en"], "Gallery"), section("Type", type),
            section("Buttons", buttons), section("Fields", fields), section("Messages", messages),
            section("Alerts", alerts), section("Cards", cards),
        ])
    }

    private func section(_ title: String, _ nodes: [Node]) -> Node {
        tag("section", ["lang": nil], [tag("h2", ["lang": "en"], .text(title))] + nodes)
    }

    private var type: [Node] {
        [
            tag("h1", [:], .text(words.say(.yourSites))),
            tag("h2", [:], .text(words.say(.yourSites))),
            tag("h3", [:], .text(words.say(.yourSites))),
            tag("p", ["class": "lead"], .text(words.say(.logInLead))),
            tag("p", [:], .text(words.say(.newPasswordNote))),
            tag("p", ["class": "hint"], .text(words.say(.stayNote))),
            tag("p", [:], tag("a", ["href": "/gallery"], .text(words.say(.back)))),
        ]
    }

    private var buttons: [Node] {
        [
            tag(
                "p", ["class": "row"],
                tag("button", ["class": "main", "type": "button"], .text(words.say(.logIn))),
                tag("button", ["type": "button"], .text(words.say(.change))),
                tag("button", ["class": "quiet", "type": "button"], .text(words.say(.logOut))),
                tag(
                    "button", ["class": "main", "type": "button", "disabled": ""],
                    .text(words.say(.logIn))),
                tag("a", ["class": "button", "href": "/gallery"], .text(words.say(.openBoard))))
        ]
    }

    private var fields: [Node] {
        [
            tag(
                "form", ["method": "get", "action": "/gallery", "class": "narrow"],
                Field.text("sample", words.say(.logInName), value: "Kari Nordmann"),
                Field.password(
                    "secret", words.say(.logInPassword), note: words.say(.logInCode), "off"),
                tag(
                    "div", ["class": "field check"],
                    tag(
                        "label", [:],
                        tag("input", ["type": "checkbox", "name": "box", "checked": ""]),
                        tag("span", [:], .text(words.say(.stay))))))
        ]
    }

    private var messages: [Node] {
        [
            tag("p", ["class": "note"], .text(words.say(.loggedOut))),
            tag(
                "p", ["class": "fault"], Icon.warning,
                tag("span", [:], .text(words.say(.refusalLoginWrong)))),
            tag(
                "p", ["class": "state stale"],
                .text(words.say(.scriptAsOf, ["clock": "10:42:07"]))),
            tag("p", ["class": "empty"], .text(words.say(.noSite))),
        ]
    }

    private var alerts: [Node] {
        let samples: [(Severity, String)] = [
            (.urgent, "Gå av nå: Åsane terminal"),
            (.warning, "Marinader <b>laget</b> & merket: ikke i orden"), (.info, "Backup OK"),
        ]
        let alerts = samples.enumerated().map { index, sample in
            Alert(
                id: "sample\(index)", source: ServiceName.checklist.rawValue,
                raised: AlertRaised(
                    title: sample.1, body: String(repeating: "Lorem ipsum. ", count: 6)),
                state: .open, time: 1_790_000_000_000, repeats: UInt32(index), severity: sample.0)
        }
        let full = AlertPage(alerts: alerts, language: visit.language, zone: "UTC").list
        let empty = AlertPage(alerts: [], language: visit.language, zone: "UTC").list
        guard case .element(let name, _, let children) = empty else { return [full] }
        return [full, .element(name, [.init("class", "empty")], children)]
    }

    private var cards: [Node] {
        [
            tag(
                "ul", ["class": "cards"],
                ["Havnen", "Domkirkeodden kulturkafé og friluftsscene"].map {
                    tag(
                        "li", ["class": "card"], tag("h3", [:], .text($0)),
                        tag(
                            "p", [:],
                            tag(
                                "a", ["class": "button", "href": "/gallery"],
                                .text(words.say(.openBoard)))))
                })
        ]
    }
}
