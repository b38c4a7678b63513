import HTTPExchange
import Markup
import Messages
import Phrases
import ServiceRuntime

/// The audit of accounts and roles, newest first.
struct AuditPage {
    /// The most entries that a page reads.
    static let most: UInt32 = 500

    let visit: Visit
    let person: Person
    let entries: [Audit.Entry]
    /// Before which number the next page begins; 0 if there is none.
    let next: UInt64
    /// The names of accounts by their ids.
    let names: [String: String]
    /// The names of organisations by their ids.
    let organisations: [String: String]
    /// The text that an entry must contain; empty for any entry.
    let text: String

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }
    private var audit: Words<AuditPhrase> { Words(words.language) }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.audit), person: person)
        let found = entries.filter { entry in
            let line = all(entry).joined(separator: " ").lowercased()
            return text.lowercased().split(separator: " ").allSatisfy { line.contains($0) }
        }
        var content = [
            tag("h1", [:], .text(words.say(.audit))),
            tag("p", ["class": "lead"], .text(words.say(.auditLead))), search,
        ]
        if found.isEmpty {
            content.append(tag("p", ["class": "empty"], .text(words.say(.noAudit))))
        } else {
            content.append(tag("ol", ["class": "rows audit"], found.map(row)))
        }
        if next > 0 {
            let path =
                "/people/audit?before=\(next)"
                + (text.isEmpty ? "" : "&text=" + Target.encoded(text))
            content.append(
                tag(
                    "p", [:], tag("a", ["class": "button", "href": path], .text(words.say(.more)))))
        }
        return frame.page(content)
    }

    private var search: Node {
        tag(
            "form", ["method": "get", "action": "/people/audit", "class": "search"],
            tag("label", ["for": "text"], .text(words.say(.auditFilter))),
            tag("input", ["id": "text", "name": "text", "type": "search", "value": text]),
            tag("button", [:], .text(words.say(.search))))
    }

    /// The ids of the accounts that entries mention.
    static func accounts(in entries: [Audit.Entry]) -> [String] {
        entries.flatMap { entry in
            let isAccount = AuditAction(rawValue: entry.action).map(namesAccount) ?? false
            return [entry.actor, entry.subject] + (isAccount ? [entry.detail] : [])
        }.filter { !$0.isEmpty }
    }

    /// True if the detail of such an entry is an account.
    private static func namesAccount(_ action: AuditAction) -> Bool {
        [.carerAdded, .carerProposed, .carerAssigned, .carerRemoved].contains(action)
    }

    /// The ids of the organisations that entries mention.
    static func organisations(in entries: [Audit.Entry]) -> Set<String> {
        let named = entries.filter {
            switch AuditAction(rawValue: $0.action) {
            case .organisationCreated, .signUpOpened, .signUpClosed: true
            default: false
            }
        }
        return Set(named.map(\.detail))
    }

    private func all(_ entry: Audit.Entry) -> [String] {
        let who = names[entry.actor] ?? entry.actor
        let whom = names[entry.subject] ?? entry.subject
        let action = AuditAction(rawValue: entry.action)
        let what = action.flatMap { audit.say(family: "action", "\($0)") } ?? entry.action
        return [who, what, whom == who ? "" : whom, detail(entry, action)].filter { !$0.isEmpty }
    }

    /// The detail of an entry in words; what isn't known, such as the name of a device, as it is.
    private func detail(_ entry: Audit.Entry, _ action: AuditAction?) -> String {
        switch action {
        case .invited, .signedUp, .roleGranted, .roleRevoked: return roles(entry.detail)
        case let action? where Self.namesAccount(action):
            return names[entry.detail] ?? entry.detail
        case .siteCreated, .siteChanged: return siteName(entry.detail)
        case .organisationCreated, .signUpOpened, .signUpClosed:
            return organisations[entry.detail] ?? entry.detail
        case .logInFailed:
            return LogInFailure(rawValue: entry.detail)
                .flatMap { audit.say(family: "failure", "\($0)") } ?? entry.detail
        case .denied: return denial(Denial(detail: entry.detail))
        default: return entry.detail
        }
    }

    /// Roles, each with its site and area.
    private func roles(_ detail: String) -> String {
        detail.split(separator: ", ").map { text -> String in
            let parts = text.split(separator: " · ").map { String($0) }
            guard let role = PeoplePage.roles.first(where: { $0.words == parts.first }) else {
                return String(text)
            }
            let area = Words<PaperPhrase>(words.language)
            let places = parts.dropFirst().map {
                area.say(family: "area", $0) ?? siteName($0)
            }
            let name = words.say(family: "role", "\(role)") ?? role.words
            return ([name] + places).joined(separator: " · ")
        }.joined(separator: ", ")
    }

    private func siteName(_ id: String) -> String {
        person.sites.first { $0.id == id }?.name ?? id
    }

    private func denial(_ denial: Denial) -> String {
        var text = denial.type.isEmpty ? audit.say(.severalMessages) : denial.type
        if !denial.service.isEmpty {
            text = audit.say(.toService, ["what": text, "service": denial.service])
        }
        return denial.key.isEmpty ? text : audit.say(.fromKey, ["what": text, "key": denial.key])
    }

    private func row(_ entry: Audit.Entry) -> Node {
        let times = entry.count > 1 ? " × \(entry.count)" : ""
        let moment = person.moment(entry.time)
        return tag(
            "li", [:], tag("p", ["class": "hint"], .text(moment)),
            tag("p", [:], .text(all(entry).joined(separator: " · ") + times)))
    }
}
