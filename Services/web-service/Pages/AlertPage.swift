import HTTPExchange
import Markup
import Messages
import Phrases
import Speech

/// The open alerts of a person, the newest first.
struct AlertPage {
    let alerts: [Alert]
    let language: Language
    /// The time zone in which times are told where there is no script.
    let zone: String

    private var words: Words<WebPhrase> { Words(language) }

    /// The page.
    func response(_ visit: Visit, _ person: Person) -> Response {
        var frame = Frame(visit, language, title: words.say(.alerts), person: person)
        (frame.place, frame.script, frame.reloads) = ("/alerts", "alerts.js", true)
        frame.imports = ["live.js"]
        return frame.page(
            [
                tag("h1", [:], .text(words.say(.alerts))),
                tag("noscript", [:], tag("p", ["class": "note"], .text(words.say(.needsScript)))),
                tag("p", ["class": "state", "id": "state", "role": "status", "hidden": ""]),
            ] + parts.map(\.node))
    }

    /// What changes, by the ids of the elements.
    var parts: [(name: String, node: Node)] { [("list", list)] }

    private var list: Node {
        guard !alerts.isEmpty else {
            return tag(
                "div", ["id": "list", "class": "empty"],
                tag("p", ["class": "big"], Icon.done, tag("span", [:], .text(words.say(.noAlert)))),
                tag("p", [:], .text(words.say(.noAlertNote))))
        }
        return tag("ol", ["id": "list", "class": "alerts"], alerts.map(item))
    }

    private func item(_ alert: Alert) -> Node {
        // Told in the language that the person prefers, or else in that of the page.
        let kept = alert.raised ?? AlertRaised()
        let raised = alert.language.isEmpty ? kept.said(in: language) : kept
        let (kind, icon) = Self.kind(alert.severity)
        let severity = words.say(family: "severity", kind) ?? kind
        let clock = tag(
            "time", ["data-time": "\(alert.time)"], .text(Wording.time(alert.time, in: zone)))
        var facts: [Node] = [clock, .text(" · " + alert.source)]
        if alert.repeats > 0 {
            facts.append(
                .text(" · " + words.say(.raisedAgain, ["count": "\(alert.repeats)"])))
        }
        var content = [
            tag(
                "p", ["class": "severity"], icon, tag("span", [:], .text(severity))),
            tag("h2", [:], .text(raised.title)),
        ]
        if !raised.body.isEmpty {
            content.append(tag("p", ["class": "body"], .text(raised.body)))
        }
        content.append(tag("p", ["class": "facts"], facts))
        content.append(
            tag(
                "form",
                [
                    "method": "post",
                    "action": "/alerts/" + Target.encoded(alert.id) + "/acknowledge",
                ],
                tag(
                    "button", ["class": "main"], Icon.done,
                    tag("span", [:], .text(words.say(.acknowledge))),
                    tag("span", ["class": "away"], .text(raised.title)))))
        return tag("li", ["class": "alert " + kind, "data-key": alert.id], content)
    }

    private static func kind(_ severity: Severity) -> (String, Node) {
        switch severity {
        case .urgent: ("urgent", Icon.urgent)
        case .warning: ("warning", Icon.warning)
        default: ("info", Icon.info)
        }
    }
}
