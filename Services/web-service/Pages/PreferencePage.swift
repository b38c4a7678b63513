import HTTPExchange
import Markup
import Messages
import Phrases

/// How a person's alerts reach the person, other than on pages.
struct PreferencePage {
    /// The lowest severities that can be chosen for delivery.
    static let severities: [Severity] = [.info, .warning, .urgent]

    let visit: Visit
    let person: Person
    let preference: AlertPreference
    /// The preference that the form was made from; nil if the page that sent it didn't say.
    let seen: AlertPreference?
    /// The quiet hours and the channels; nil if they aren't known.
    var others: (hours: QuietHours, channels: [AlertChannel])?
    /// Why the preference wasn't kept; nil if it was.
    var fault: FaultPage?
    /// The quiet hours as they were typed; nil to show those that are kept.
    private(set) var typedHours: TypedHours?
    /// The code of a mailbox as it was typed; empty for none.
    private(set) var typedCode = ""

    /// Quiet hours as a form has them.
    struct TypedHours {
        let from: String
        let until: String
        let zone: String
        /// The hours that the form was made from; nil if the page that sent it didn't say.
        let seen: QuietHours?
    }

    /// The same page with quiet hours that were not kept or a code that was not accepted, and why
    /// not; nil for those that are kept.
    func showing(_ typed: TypedHours?, code: String, _ fault: FaultPage?) -> PreferencePage {
        var page = self
        (page.typedHours, page.typedCode, page.fault) = (typed, code, fault)
        return page
    }

    private let key = FormKey()

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }
    private var keyField: Node { key.field(for: person.account.id) }

    var response: Response {
        var frame = Frame(visit, words.language, title: words.say(.preferences), person: person)
        frame.place = "/alerts"
        var content = [
            tag("h1", [:], .text(words.say(.preferences))),
            tag("p", ["class": "lead"], .text(words.say(.preferencesLead))),
        ]
        let query = visit.request.target.query
        if query["saved"] != nil || query["tested"] != nil {
            let text = words.say(query["saved"] != nil ? .saved : .tested)
            content.append(tag("p", ["class": "note", "role": "status"], .text(text)))
        }
        if let fault { content.append(fault.banner) }
        content.append(mail)
        if seen?.mailWaits == true {
            let text = words.say(.mailWaits)
            content.append(tag("p", ["class": "note", "id": "mail-waits"], .text(text)))
        }
        if let awaited = seen?.awaitedMail, !awaited.isEmpty { content.append(code(for: awaited)) }
        if let others { content += [quiet(others.hours), list(others.channels)] }
        return frame.page(content, status: fault?.status ?? .ok)
    }

    private var mail: Node {
        // The default is urgent.
        let from = Self.severities.contains(preference.from) ? preference.from : .urgent
        let languages =
            [("", words.say(.preferAny))]
            + Language.allCases.map {
                ($0.rawValue, words.say(family: "languageName", $0.rawValue) ?? $0.rawValue)
            }
        let address = tag(
            "div", ["class": "field"],
            tag("label", ["for": "mail"], .text(words.say(.preferMail))),
            tag(
                "input",
                [
                    "id": "mail", "name": "mail", "type": "email", "value": preference.wantedMail,
                    "autocomplete": "email", "aria-describedby": "mail-note",
                ]),
            tag("p", ["class": "hint", "id": "mail-note"], .text(words.say(.preferMailNote))))
        let severities = Self.severities.map { ("\($0)", severity($0)) }
        let fields = [
            address, choice("from", .preferFrom, severities, "\(from)"),
            choice("language", .preferLanguage, languages, preference.language),
        ]
        let button = tag("button", ["class": "main"], .text(words.say(.save)))
        return tag(
            "section", ["class": "card"],
            tag(
                "form", ["method": "post", "action": "/alerts/preferences"],
                [keyField] + fields + origin + [button]))
    }

    /// The form for the code of an address that isn't confirmed yet.
    private func code(for awaited: String) -> Node {
        let (former, waits) = (seen?.mail ?? "", seen?.codeWaits == true)
        let note =
            former.isEmpty
            ? words.say(waits ? .mailboxHeldNone : .mailboxAwaitedNone, ["mail": awaited])
            : words.say(
                waits ? .mailboxHeld : .mailboxAwaited, ["mail": awaited, "former": former])
        return tag(
            "section", ["class": "card"], tag("p", ["id": "code-note"], .text(note)),
            tag(
                "form", ["method": "post", "action": "/alerts/mailbox", "class": "inline"],
                keyField,
                Field.text(
                    "code", words.say(.mailboxCode), value: typedCode,
                    [
                        "maxlength": "100", "autocomplete": "one-time-code",
                        "aria-describedby": "code-note",
                    ]),
                tag("button", [:], .text(words.say(.mailboxConfirm)))))
    }

    /// The fields that say what the form was made from.
    private var origin: [Node] {
        guard let seen else { return [] }
        return [
            ("seenMail", seen.mail), ("seenFrom", "\(seen.from.rawValue)"),
            ("seenLanguage", seen.language), ("seenAwaited", seen.awaitedMail),
            ("seenWaits", seen.codeWaits ? "yes" : ""),
        ].map { tag("input", ["type": "hidden", "name": $0.0, "value": $0.1]) }
    }

    /// The preference that a form was made from, according to its fields; nil if they don't say.
    static func seen(in form: Fields) -> AlertPreference? {
        guard let mail = form["seenMail"], let language = form["seenLanguage"],
            let from = form["seenFrom"].flatMap({ Int32($0) })
        else { return nil }
        return AlertPreference(
            mail: mail, from: Severity(rawValue: from), language: language,
            awaitedMail: form["seenAwaited"] ?? "", codeWaits: form["seenWaits"] == "yes")
    }

    private func choice(
        _ name: String, _ label: WebPhrase, _ options: [(String, String)],
        _ present: String
    ) -> Node {
        tag(
            "div", ["class": "field"], tag("label", ["for": name], .text(words.say(label))),
            tag(
                "select", ["id": name, "name": name],
                options.map {
                    tag(
                        "option",
                        ["value": $0.0, "selected": $0.0 == present ? "" : nil], .text($0.1))
                }))
    }

    private func severity(_ severity: Severity) -> String {
        words.say(family: "severity", "\(severity)") ?? "\(severity)"
    }

    private func quiet(_ hours: QuietHours) -> Node {
        let shown = typedHours ?? TypedHours(hours, zone: person.zone)
        let note = words.say(.quietNote) + " " + words.say(.quietZone, ["zone": shown.zone])
        return tag(
            "section", ["class": "card"], tag("h2", [:], .text(words.say(.quietHours))),
            tag("p", ["class": "hint", "id": "quiet-note"], .text(note)),
            tag(
                "form", ["method": "post", "action": "/alerts/quiet-hours", "class": "inline"],
                [
                    keyField, time("quietFrom", .quietFrom, shown.from),
                    time("quietUntil", .quietUntil, shown.until),
                ] + shown.hidden + [tag("button", [:], .text(words.say(.save)))]))
    }

    private func time(_ name: String, _ label: WebPhrase, _ text: String) -> Node {
        tag(
            "div", ["class": "field"], tag("label", ["for": name], .text(words.say(label))),
            tag(
                "input",
                [
                    "id": name, "name": name, "type": "time", "value": text,
                    "aria-describedby": "quiet-note",
                ]))
    }

    private func list(_ channels: [AlertChannel]) -> Node {
        var content = [tag("h2", [:], .text(words.say(.channels)))]
        if channels.isEmpty {
            content.append(tag("p", ["class": "empty"], .text(words.say(.noChannel))))
        } else {
            content.append(tag("ul", ["class": "rows"], channels.map(row)))
        }
        return tag("section", [:], content)
    }

    private func row(_ channel: AlertChannel) -> Node {
        // Only what is damaged has no kind.
        let isDamaged = channel.kind == .unspecified
        var facts: [Node] = []
        var buttons = [button(channel, "remove", .removeChannel)]
        if isDamaged {
            facts.append(fault(words.say(.channelDamaged)))
        } else {
            let from = words.say(.channelFrom, ["severity": severity(channel.from).lowercased()])
            facts.append(tag("p", ["class": "hint"], .text("\(channel.kind) · \(from)")))
            buttons.insert(button(channel, "test", .testChannel), at: 0)
        }
        if !isDamaged, !channel.error.isEmpty {
            facts.append(fault(words.say(.channelFails, ["reason": channel.error])))
        }
        return tag(
            "li", ["class": "card"],
            tag("div", [:], [tag("p", [:], tag("b", [:], .text(channel.name)))] + facts),
            tag("div", ["class": "row"], buttons))
    }

    private func fault(_ text: String) -> Node {
        tag("p", ["class": "fault"], Icon.warning, tag("span", [:], .text(text)))
    }

    private func button(_ channel: AlertChannel, _ change: String, _ phrase: WebPhrase) -> Node {
        let path = "/alerts/channels/" + Target.encoded(channel.name) + "/" + change
        return tag(
            "form", ["method": "post", "action": path], keyField,
            tag(
                "button", [:], .text(words.say(phrase)),
                tag("span", ["class": "away"], .text(channel.name))))
    }
}

extension PreferencePage.TypedHours {
    /// Hours as a form made from them shows them.
    ///
    /// - Parameters:
    ///   - hours: the hours that are kept.
    ///   - zone: the zone of new ones, if none are kept.
    init(_ hours: QuietHours, zone: String) {
        let isSet = !hours.timeZone.isEmpty
        self.init(
            from: isSet ? Self.clock(hours.from) : "", until: isSet ? Self.clock(hours.until) : "",
            zone: isSet ? hours.timeZone : zone, seen: hours)
    }

    /// The hours in a form; nil if it lacks something.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - zone: the zone, if the form doesn't say it, as in pages of former releases.
    init?(_ form: Fields, zone: String) {
        guard let from = form["quietFrom"], let until = form["quietUntil"] else { return nil }
        var seen: QuietHours?
        if let begin = form["seenQuietFrom"].flatMap({ UInt32($0) }),
            let end = form["seenQuietUntil"].flatMap({ UInt32($0) }),
            let zone = form["seenQuietZone"]
        {
            seen = QuietHours(from: begin, until: end, timeZone: zone)
        }
        let said = form["quietZone"] ?? ""
        self.init(from: from, until: until, zone: said.isEmpty ? zone : said, seen: seen)
    }

    /// The fields that people don't see: the zone, and what the form was made from.
    var hidden: [Node] {
        var fields = [("quietZone", zone)]
        if let seen {
            fields += [
                ("seenQuietFrom", "\(seen.from)"), ("seenQuietUntil", "\(seen.until)"),
                ("seenQuietZone", seen.timeZone),
            ]
        }
        return fields.map { tag("input", ["type": "hidden", "name": $0.0, "value": $0.1]) }
    }

    /// These other hours, with the changes from `before` to this form made to them.
    func changed(from before: Self, in others: Self) -> Self {
        Self(
            from: from == before.from ? others.from : from,
            until: until == before.until ? others.until : until,
            zone: zone == before.zone ? others.zone : zone, seen: others.seen)
    }

    /// A time of the day: `07:00`.
    private static func clock(_ minutes: UInt32) -> String {
        [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}

extension AlertPreference {
    /// The address that the person has chosen, whether it is confirmed or not.
    var wantedMail: String { awaitedMail.isEmpty ? mail : awaitedMail }

    /// These other preferences, with the changes from `seen` to this one made to them.
    func changed(from seen: AlertPreference, in others: AlertPreference) -> AlertPreference {
        AlertPreference(
            mail: mail == seen.wantedMail ? others.wantedMail : mail,
            from: from == seen.from ? others.from : from,
            language: language == seen.language ? others.language : language)
    }
}
