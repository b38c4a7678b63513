import HTTPExchange
import Markup
import Messages
import Phrases

/// The frame that all pages have around their content.
struct Frame: Sendable {
    let visit: Visit
    /// The language of the page.
    let language: Language
    /// The title of the page.
    let title: String
    /// The name of the person who sees it; nil if no one is logged in.
    private let who: String?
    /// The path of the current page in the menu; empty for none.
    var place = ""
    /// The styles of the page besides those of all pages; nil for none.
    var style: String?
    /// The script of the page; nil for none.
    var script: String?
    /// A script that it imports and that runs while the others are still being loaded, with what
    /// that script imports; nil for none.
    var early: (script: String, imports: [String])?
    /// The other scripts that it imports, so that browsers fetch all of them at once. The first are
    /// the largest, and those without which nothing is shown.
    var imports: [String] = []
    /// The scripts that it imports once they are needed.
    var later: [String] = []
    /// The address that the script requests as soon as it runs, so that the answer is already on
    /// its way; nil for none.
    var question: String?
    /// True to reload the page every 15 seconds in browsers without JavaScript.
    var reloads = false
    /// A class for the whole page; empty for none.
    var kind = ""

    private var words: Words<WebPhrase> { Words(language) }

    init(_ visit: Visit, _ language: Language, title: String, person: Person? = nil) {
        (self.visit, self.language, self.title) = (visit, language, title)
        who = person.map {
            $0.account.displayName.isEmpty ? $0.account.name : $0.account.displayName
        }
    }

    /// The page with its content.
    func page(_ content: [Node], status: Status = .ok) -> Response {
        let look = visit.look == .system ? nil : visit.look.rawValue
        let root = tag(
            "html",
            ["lang": language.rawValue, "data-look": look],
            head,
            tag(
                "body", ["class": kind.isEmpty ? nil : kind],
                [tag("a", ["class": "skip", "href": "#main"], .text(words.say(.skip)))]
                    + (kind == "board" ? [] : [bar])
                    + (hasBell && place != "/alerts" ? [AlertPage.silentState, urgent] : [])
                    + [tag("main", ["id": "main", "tabindex": "-1"], content)]
                    + (kind == "board" ? [] : [tag("footer", ["class": "end"], looks)])))
        return .page(root.document, status: status)
    }

    /// True for pages that show alerts.
    private var hasBell: Bool { who != nil && kind != "board" }

    /// The element for urgent alerts.
    private var urgent: Node {
        tag(
            "div", ["id": "urgent-alerts", "role": "alert"],
            tag("ol", ["id": "urgent", "class": "alerts", "hidden": ""]))
    }

    private var head: Node {
        var nodes = [
            tag("meta", ["charset": "utf-8"]),
            tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            tag("meta", ["name": "color-scheme", "content": "light dark"]),
            tag("title", [:], .text(title + " · Steward")),
        ]
        nodes += ["steward.css", style].compactMap { $0 }.map {
            tag("link", ["rel": "stylesheet", "href": visit.files.path($0)])
        }
        nodes += [
            tag(
                "link",
                ["rel": "icon", "type": "image/png", "href": visit.files.path("icon-192.png")]),
            tag("link", ["rel": "manifest", "href": visit.files.path("app.webmanifest")]),
            tag("link", ["rel": "apple-touch-icon", "href": visit.files.path("icon-192.png")]),
        ]
        if let question {
            nodes.append(
                tag(
                    "link",
                    ["rel": "preload", "as": "fetch", "crossorigin": "", "href": question]))
        }
        // The words come before the scripts that use them, because browsers run them in this order.
        if script != nil || hasBell {
            nodes += scripts("words.\(language.rawValue).js", [], priority: nil)
        }
        if let early { nodes += scripts(early.script, early.imports, priority: nil) }
        if let script { nodes += scripts(script, imports, priority: nil) }
        if hasBell {
            // The page's own work has priority.
            let named = imports + (early?.imports ?? [])
            nodes += scripts(
                "bell.js", ["live.js", "alarm.js"].filter { !named.contains($0) },
                priority: script == nil ? nil : "low")
        }
        nodes += later.map { preload($0, priority: "low") }
        if reloads {
            nodes.append(
                tag(
                    "noscript", [:],
                    tag("meta", ["http-equiv": "refresh", "content": visit.refresh(after: 15)])))
        }
        return tag("head", [:], nodes)
    }

    /// A script with everything that it needs, so that none of it waits for another script.
    private func scripts(_ name: String, _ imports: [String], priority: String?) -> [Node] {
        let script = tag(
            "script",
            ["type": "module", "src": visit.files.path(name), "fetchpriority": priority])
        return [script] + imports.map { preload($0, priority: priority) }
    }

    private func preload(_ name: String, priority: String?) -> Node {
        tag(
            "link",
            [
                "rel": "modulepreload", "href": visit.files.path(name), "fetchpriority": priority,
            ])
    }

    private var bar: Node {
        let name = tag(
            "a", ["class": "brand", "href": "/"], Icon.brand, tag("span", [:], "Steward"))
        guard let who else { return tag("header", ["class": "bar"], name) }
        let links = [("/", WebPhrase.home, Icon.home), ("/alerts", .alerts, Icon.bell)].map {
            tag(
                "a", ["href": $0.0, "aria-current": $0.0 == place ? "page" : nil],
                [$0.2, tag("span", [:], .text(words.say($0.1)))]
                    + ($0.1 == .alerts ? [AlertPage.silentBell] : []))
        }
        let out = tag(
            "form", ["method": "post", "action": "/logout"],
            tag("button", ["class": "quiet"], .text(words.say(.logOut))))
        return tag(
            "header", ["class": "bar"], name,
            tag("nav", ["aria-label": words.say(.menu)], links),
            tag("span", ["class": "who"], .text(who)), out)
    }

    /// The choice of a look for pages.
    private var looks: Node {
        let options = Look.allCases.map { look in
            tag(
                "option", ["value": look.rawValue, "selected": look == visit.look ? "" : nil],
                .text(words.say(family: "look", look.rawValue) ?? look.rawValue))
        }
        return tag(
            "form", ["method": "post", "action": "/look", "class": "look"],
            tag("input", ["type": "hidden", "name": "next", "value": visit.address]),
            tag("label", ["for": "look"], .text(words.say(.look))),
            tag("select", ["id": "look", "name": "look"], options),
            tag("button", ["class": "quiet"], .text(words.say(.change))))
    }
}

/// The pictures of pages, drawn as lines in the colour of the text next to them.
enum Icon {
    static let brand = drawn("M4 11 12 4l8 7v9H4z", "M9 20v-6h6v6")
    static let home = drawn("M4 11 12 4l8 7", "M6 10v10h12V10")
    static let bell = drawn("M6 16V10a6 6 0 0 1 12 0v6l2 2H4z", "M10 21h4")
    static let info = drawn("M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18", "M12 11v6", "M12 7.5v.5")
    static let warning = drawn("M12 3 22 20H2z", "M12 10v5", "M12 17.5v.5")
    static let urgent = drawn("M8 2h8l6 6v8l-6 6H8l-6-6V8z", "M12 7v6", "M12 16v.5")
    static let done = drawn("M4 12l5 6L20 6")
    static let late = drawn("M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18", "M12 7v5l4 2")

    private static func drawn(_ paths: String...) -> Node {
        tag(
            "svg",
            ["class": "icon", "viewBox": "0 0 24 24", "aria-hidden": "true", "focusable": "false"],
            paths.map { tag("path", ["d": $0]) })
    }
}
