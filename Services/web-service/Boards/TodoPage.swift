import HTTPExchange
import Markup
import Messages
import Phrases
import ShiftLog

/// The open to-dos of a site's open shift, for browsers without JavaScript. The checklist leads to
/// this page.
struct TodoPage {
    let visit: Visit
    let person: Person
    let site: Site
    let state: BoardState

    /// How soon it is loaded again, in seconds.
    private static let pause = 15

    private var language: Language { person.language ?? visit.language }
    private var words: Words<WebPhrase> { Words(language) }

    /// The path of the page of a site.
    static func path(of site: Site) -> String { "/todos/" + Target.encoded(site.id) }

    var response: Response {
        let title = "\(words.say(.todos)): \(site.name)"
        let frame = Frame(visit, language, title: title, person: person)
        return frame.page([tag("h1", [:], .text(title)), list])
            .adding("Refresh", visit.refresh(after: Self.pause))
    }

    private var list: Node {
        guard let shift = state.shift else {
            return tag("p", ["class": "empty"], .text(words.say(.scriptNoShift)))
        }
        let items = BoardItem.todos(of: shift, language)
        guard !items.isEmpty else {
            return tag("p", ["class": "empty"], .text(words.say(.scriptNoTodo)))
        }
        return tag(
            "ul", ["class": "rows"],
            items.map { item in
                tag(
                    "li", ["class": "card"], tag("span", [:], .text(item.text)),
                    tag("span", ["class": "hint"], .text(item.before)))
            })
    }
}
