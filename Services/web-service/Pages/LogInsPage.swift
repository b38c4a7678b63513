import BrowserSeal
import HTTPExchange
import Markup
import Messages
import Phrases

/// Where a person is logged in, and how to log in another device.
struct LogInsPage {
    let visit: Visit
    let person: Person
    let sessions: [Session]
    /// The site that was chosen for a picture; empty for none.
    var site = ""
    /// Why no code was made; nil if none was refused.
    var fault: FaultPage?

    private let key = FormKey()

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }
    private var keyField: Node { key.field(for: person.account.id) }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.logIns), person: person)
        var content = [
            tag("h1", [:], .text(words.say(.logIns))),
            tag("p", ["class": "lead"], .text(words.say(.logInsLead))),
        ]
        if let fault { content.append(fault.banner) }
        content += [
            tag("ul", ["class": "rows"], sessions.map(row)),
            tag(
                "form", ["method": "post", "action": "/log-ins/end"], keyField,
                tag("button", [:], .text(words.say(.endAllLogIns)))),
            tag(
                "section", ["class": "card"],
                tag("h2", [:], .text(words.say(.addDevice))),
                tag("p", ["class": "hint"], .text(words.say(.addDeviceNote))),
                tag(
                    "form", ["method": "post", "action": "/log-ins/code"], keyField,
                    tag("button", ["class": "main"], .text(words.say(.makeCode))))),
        ]
        if !person.sites.isEmpty { content.append(picture) }
        if person.proof(for: .transitAlert) != nil { content.append(phone) }
        return frame.page(content, status: fault?.status ?? .ok)
    }

    private var picture: Node {
        let sites = person.sites.map {
            tag(
                "option", ["value": $0.id, "selected": $0.id == site ? "" : nil], .text($0.name))
        }
        return tag(
            "section", ["class": "card"],
            tag("h2", [:], .text(words.say(.boardPicture))),
            tag("p", ["class": "hint"], .text(words.say(.boardPictureNote))),
            tag(
                "form", ["method": "post", "action": "/log-ins/picture"], keyField,
                tag(
                    "div", ["class": "field"],
                    tag("label", ["for": "site"], .text(words.say(.pictureSite))),
                    tag("select", ["id": "site", "name": "site"], sites)),
                tag("button", [:], .text(words.say(.makePicture)))))
    }

    private var phone: Node {
        tag(
            "section", ["class": "card"],
            tag("h2", [:], .text(words.say(.phonePlace))),
            tag("p", ["class": "hint"], .text(words.say(.phonePlaceNote))),
            tag(
                "form", ["method": "post", "action": "/log-ins/phone"], keyField,
                tag("button", [:], .text(words.say(.makePhone)))))
    }

    private func row(_ session: Session) -> Node {
        var name = [tag("b", [:], .text(session.device))]
        if session.isThis {
            name.append(tag("span", ["class": "badge"], .text(words.say(.thisOne))))
        }
        let use = words.say(
            .usedSince,
            ["began": person.moment(session.began), "time": person.moment(session.used)])
        return tag(
            "li", ["class": "card"],
            tag(
                "div", [:], tag("p", [:], name), tag("p", ["class": "hint"], .text(use))),
            tag(
                "form",
                [
                    "method": "post",
                    "action": "/log-ins/" + Target.encoded(session.id) + "/end",
                ],
                keyField,
                tag(
                    "button", [:], .text(words.say(session.isThis ? .logOut : .endLogIn)),
                    // Several may be of the same kind of device.
                    tag("span", ["class": "away"], .text("\(session.device), \(use)")))))
    }
}

/// The address from which a display gets a board as a picture. It is shown once.
struct PicturePage {
    let visit: Visit
    let person: Person
    let site: Site
    let seal: BrowserSeal

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.boardPicture), person: person)
        let path = "/board/\(Target.encoded(site.id)).png"
        let address = visit.origin + path + "?width=800&height=480&bits=1&key=" + seal.text
        return frame.page([
            tag(
                "section", ["class": "card narrow"],
                tag("h1", [:], .text(words.say(.boardPicture))),
                tag("p", ["class": "lead"], .text(words.say(.pictureLead, ["site": site.name]))),
                tag(
                    "dl", ["class": "code"],
                    tag("dt", [:], .text(words.say(.pictureAddress))),
                    tag("dd", ["class": "long", "id": "address"], .text(address))),
                tag("p", [:], .text(words.say(.pictureSizes))),
                tag(
                    "p", ["class": "note"],
                    .text(words.say(.pictureKey, ["name": "\(site.name).png"]))),
                tag(
                    "p", [:],
                    tag("a", ["class": "button", "href": "/log-ins"], .text(words.say(.logIns)))))
        ])
    }
}

/// A code for another device, to be scanned or typed there.
struct CodePage {
    let visit: Visit
    let person: Person
    let code: LogInCode

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.addDevice), person: person)
        let address = visit.origin + "/login"
        // What follows # is not sent to any server, so it is in no log.
        let link =
            address + "#name=" + Target.encoded(code.name) + "&code=" + Target.encoded(code.code)
        let until = person.moment(code.expires)
        var content = [tag("h1", [:], .text(words.say(.addDevice)))]
        if let picture = QRCode.picture(of: link, label: words.say(.qrCode)) {
            content += [tag("p", ["class": "lead"], .text(words.say(.scanThis))), picture]
        }
        content += [
            tag("p", [:], .text(words.say(.typeThis, ["address": address]))),
            tag(
                "dl", ["class": "code"],
                tag("dt", [:], .text(words.say(.codeName))), tag("dd", [:], .text(code.name)),
                tag("dt", [:], .text(words.say(.code))),
                tag("dd", ["id": "code"], .text(code.code))),
            tag("p", ["class": "note"], .text(words.say(.codeGoodUntil, ["time": until]))),
            tag(
                "p", [:],
                tag("a", ["class": "button", "href": "/log-ins"], .text(words.say(.logIns)))),
        ]
        return frame.page([tag("section", ["class": "card narrow"], content)])
    }
}
