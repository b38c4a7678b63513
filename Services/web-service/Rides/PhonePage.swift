import BrowserSeal
import Foundation
import HTTPExchange
import Markup
import Messages
import Phrases

/// How to set up a phone's app OwnTracks to report its position. It is shown once.
struct PhonePage {
    let visit: Visit
    let person: Person
    let seal: BrowserSeal

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    /// The configuration that OwnTracks imports (the OwnTracks booklet, chapter “Remote
    /// configuration”).
    private struct Configuration: Encodable {
        let _type = "configuration"
        /// By HTTP.
        let mode = 3
        let auth = true
        let url: String
        let username: String
        let password: String
    }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.phonePlace), person: person)
        let address = visit.origin + "/positions"
        let rows: [(WebPhrase, String)] = [
            (.pictureAddress, address), (.codeName, person.account.name),
            (.logInPassword, seal.text),
        ]
        var content = [
            tag("h1", [:], .text(words.say(.phonePlace))),
            tag("p", ["class": "lead"], .text(words.say(.phoneLead))),
        ]
        if let link = link(to: address) {
            content.append(
                tag(
                    "p", [:],
                    tag("a", ["class": "button", "href": link], .text(words.say(.phoneSetUp)))))
            if let picture = QRCode.picture(of: link, label: words.say(.qrCode)) {
                content.append(picture)
            }
        }
        content += [
            tag("p", [:], .text(words.say(.phoneByHand))),
            tag(
                "dl", ["class": "code"],
                rows.flatMap { name, value in
                    [
                        tag("dt", [:], .text(words.say(name))),
                        tag("dd", ["class": "long", "id": "\(name)"], .text(value)),
                    ]
                }),
            tag("p", [:], .text(words.say(.phoneMove))),
            tag("p", ["class": "note"], .text(words.say(.phoneKey))),
            tag(
                "p", [:],
                tag("a", ["class": "button", "href": "/log-ins"], .text(words.say(.logIns)))),
        ]
        return frame.page([tag("section", ["class": "card narrow"], content)])
    }

    /// The link that sets up the app when it is opened on the phone.
    private func link(to address: String) -> String? {
        let configuration = Configuration(
            url: address, username: person.account.name, password: seal.text)
        do {
            let text = try JSONEncoder().encode(configuration)
            return "owntracks:///config?inline=" + text.base64EncodedString()
        } catch {
            return nil
        }
    }
}
