import HTTPExchange
import Markup
import Messages
import Phrases
import ServiceRuntime

/// The checklist of the open shift on a phone. The server sends the frame; the script fills it from
/// what the device keeps.
struct ShiftPage {
    let visit: Visit
    let person: Person
    let site: Site

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    /// True if the person may do what is for those who lead the shift, such as delete a to-do.
    private var leads: Bool {
        person.account.grants.contains { grant in
            grant.role.reaches(.shiftManager) && grant.area.isEmpty
                && [site.id, ""].contains(grant.site)
        }
    }

    /// The areas where the person may do what crew members do, each encoded as in an address; nil
    /// for all areas.
    private var areas: String? {
        let grants = person.account.grants.filter { grant in
            grant.role.reaches(.crew) && [site.id, ""].contains(grant.site)
        }
        guard !grants.contains(where: \.area.isEmpty) else { return nil }
        return grants.map { Target.encoded($0.area) }.joined(separator: " ")
    }

    var response: Response {
        var frame = Frame(visit, words.language, title: site.name, person: person)
        (frame.script, frame.kind) = ("shift.js", "phone")
        frame.early = ("opening.js", ["live.js", "copy.js"])
        frame.imports = [
            "fold.js", "walk.js", "courier.js", "album.js", "answers.js", "undoing.js",
        ]
        frame.later = ["photos.js", "sheets.js"]
        let (id, account) = (Target.encoded(site.id), Target.encoded(person.account.id))
        frame.question = "/shift/\(id)/snapshot?account=\(account)"
        return frame.page([
            tag(
                "noscript", [:],
                tag("p", ["class": "fault"], .text(words.say(.needsScriptAlways))),
                tag(
                    "p", [:],
                    tag(
                        "a", ["class": "button", "href": TodoPage.path(of: site)],
                        .text(words.say(.todos))))),
            tag("p", ["class": "sending", "id": "sending", "role": "status"]),
            tag(
                "div",
                [
                    "id": "shift", "data-site": site.id, "data-called": site.name,
                    "data-zone": site.timeZone,
                    "data-account": person.account.id, "data-name": person.account.name,
                    "data-leads": leads ? "" : nil, "data-areas": areas,
                ]),
        ])
    }
}
