import Bus
import HTTPExchange
import Markup
import Messages
import Phrases
import Speech

/// The open alerts of a person, newest first.
struct AlertPage {
    let alerts: [Alert]
    let language: Language
    /// The time zone of the person's first site. If nil, times are in the zone of the device, or in
    /// that of this machine on a page without a script.
    let zone: String?
    /// Which service doesn't answer, and when the alerts were read; nil if they are up to date.
    var obstacle: (service: ServiceName, read: Int64)?

    private var words: Words<WebPhrase> { Words(language) }

    /// The page.
    func response(_ visit: Visit, _ person: Person) -> Response {
        var frame = Frame(visit, language, title: words.say(.alerts), person: person)
        (frame.place, frame.reloads) = ("/alerts", true)
        return frame.page(
            [
                tag("h1", [:], .text(words.say(.alerts))),
                tag("noscript", [:], tag("p", ["class": "note"], .text(words.say(.needsScript)))),
                state, list,
                tag(
                    "p", [:],
                    tag(
                        "a", ["class": "button", "href": "/alerts/preferences"],
                        .text(words.say(.preferences)))),
            ])
    }

    /// The parts that change, by the ids of their elements: the list on its own page, the others on
    /// all pages.
    var parts: [(name: String, node: Node)] {
        [("alert-state", state), ("list", list), ("bell", bell), ("urgent", urgent)]
    }

    /// The element that says since when the alerts may have changed.
    static let silentState = tag(
        "p", ["id": "alert-state", "class": "state", "role": "status", "hidden": ""])

    /// Says since when the alerts may have changed; hidden if they are up to date.
    private var state: Node {
        guard let obstacle else { return Self.silentState }
        let service = words.say(.noContact, ["service": obstacle.service.rawValue])
        let clock = SiteClock(zone: zone).time(obstacle.read)
        let text = Words<ScreenPhrase>(language).say(
            .asOf, ["clock": clock, "obstacle": service])
        return tag(
            "p", ["id": "alert-state", "class": "state", "role": "status"], .text(text))
    }

    /// The number of open alerts, next to the word for them.
    private var bell: Node {
        guard !alerts.isEmpty else { return Self.silentBell }
        return tag(
            "span", ["id": "bell", "class": "bell"],
            tag("span", ["aria-hidden": "true"], .text("\(alerts.count)")),
            tag(
                "span", ["class": "away"],
                .text(words.say(.openAlerts, ["count": "\(alerts.count)"]))))
    }

    /// The element for the number of open alerts.
    static let silentBell = tag("span", ["id": "bell", "hidden": ""])

    /// The alerts that every page shows until someone acknowledges them. Those that don't fit are
    /// in the list.
    private var urgent: Node {
        let urgent = alerts.filter { $0.severity == .urgent }.prefix(3)
        return tag(
            "ol",
            ["id": "urgent", "class": "alerts", "hidden": urgent.isEmpty ? "" : nil],
            urgent.map(item))
    }

    /// The alerts, or a note that there are none.
    var list: Node {
        guard !alerts.isEmpty else {
            return tag(
                "div", ["id": "list", "class": "empty"],
                tag("p", ["class": "big"], Icon.done, tag("span", [:], .text(words.say(.noAlert)))),
                tag("p", [:], .text(words.say(.noAlertNote))))
        }
        return tag("ol", ["id": "list", "class": "alerts"], alerts.map(item))
    }

    private func item(_ alert: Alert) -> Node {
        let kept = alert.raised ?? AlertRaised()
        let raised = alert.said(onPageIn: language)
        let (kind, icon) = Self.kind(alert.severity)
        let severity = words.say(family: "severity", kind) ?? kind
        // A script leaves out the date if it is today's, and names the zone if the device shows
        // another time. Without one, nobody knows that the time of no site is that of this machine.
        let clock = SiteClock(zone: zone)
        let named = zone == nil ? clock.zoneName : clock.foreignZone(at: alert.time) ?? ""
        let moment = [String(clock.moment(alert.time).dropLast(3)), named]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let time = tag(
            "time", ["data-time": "\(alert.time)", "data-in": zone], .text(moment))
        var facts: [Node] = [time, .text(" · " + alert.source)]
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
        if let place = Self.place(of: kept) {
            content.append(
                tag(
                    "p", [:],
                    tag(
                        "a", ["class": "button", "href": place], .text(words.say(.lookAt)),
                        tag("span", ["class": "away"], .text(raised.title)))))
        }
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
        // The page of a ride hides what it says itself.
        let ride = kept.kind.hasPrefix("transit.") ? kept.subject : nil
        return tag(
            "li", ["class": "alert " + kind, "data-key": alert.id, "data-ride": ride], content)
    }

    /// The path of the page with what an alert is about; nil if there is none.
    private static func place(of raised: AlertRaised) -> String? {
        let subject = Target.encoded(raised.subject)
        if raised.kind.hasPrefix("transit.") { return "/ride" }
        if raised.kind == "plan.finding" { return "/plan/" + subject }
        // A shift that couldn't be started; the others are about a shift.
        if raised.kind == "checklist.scheduled" { return "/shift/" + subject }
        guard raised.kind.hasPrefix("checklist.") else { return nil }
        return raised.site.isEmpty ? "/" : "/shift/" + Target.encoded(raised.site)
    }

    private static func kind(_ severity: Severity) -> (String, Node) {
        switch severity {
        case .urgent: ("urgent", Icon.urgent)
        case .warning: ("warning", Icon.warning)
        default: ("info", Icon.info)
        }
    }
}

extension Alert {
    /// As it was raised, in the language that the person prefers, otherwise in that of the page.
    func said(onPageIn pageLanguage: Language) -> AlertRaised {
        let kept = raised ?? AlertRaised()
        return language.isEmpty ? kept.said(in: pageLanguage) : kept
    }
}
