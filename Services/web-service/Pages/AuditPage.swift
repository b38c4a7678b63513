import HTTPExchange
import Markup
import Messages
import Phrases
import Speech

/// What was done with accounts and roles, newest first.
struct AuditPage {
    /// The most entries that a page reads.
    static let most: UInt32 = 500

    let visit: Visit
    let person: Person
    let entries: [Audit.Entry]
    /// The names of accounts by their ids.
    let names: [String: String]
    /// The text that an entry must contain; empty for any entry.
    let text: String

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

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
        if entries.count >= Int(Self.most), let last = entries.last {
            let path =
                "/people/audit?before=\(last.number)"
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

    private func all(_ entry: Audit.Entry) -> [String] {
        let who = names[entry.actor] ?? entry.actor
        let whom = names[entry.subject] ?? entry.subject
        return [who, entry.action, whom == who ? "" : whom, entry.detail].filter { !$0.isEmpty }
    }

    private func row(_ entry: Audit.Entry) -> Node {
        let times = entry.count > 1 ? " × \(entry.count)" : ""
        let moment = SiteClock(zone: person.zone).fullMoment(entry.time)
        return tag(
            "li", [:], tag("p", ["class": "hint"], .text(moment)),
            tag("p", [:], .text(all(entry).joined(separator: " · ") + times)))
    }
}
