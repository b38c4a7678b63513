import Bus
import HTTPExchange
import Markup
import Phrases

/// The page on which a person logs in.
struct LogInPage {
    let visit: Visit
    /// The path to continue to.
    var next = "/"
    /// The name that the person typed.
    var name = ""
    /// True if the person chose to stay logged in.
    var stays = false
    /// What went wrong; nil if nothing did.
    var fault: String?
    /// What the person should know; nil for nothing.
    var note: String?

    private var words: Words<WebPhrase> { Words(visit.language) }

    func response(_ status: Status = .ok) -> Response {
        var frame = Frame(visit, visit.language, title: words.say(.logIn))
        (frame.script, frame.imports) = ("login.js", ["live.js"])
        var content = [tag("h1", [:], .text(words.say(.logIn)))]
        content.append(tag("p", ["class": "lead"], .text(words.say(.logInLead))))
        if let note { content.append(tag("p", ["class": "note", "role": "status"], .text(note))) }
        if let fault { content.append(FaultPage.banner(fault)) }
        content.append(form)
        return frame.page([Self.dated(content)], status: status)
    }

    /// The content of the page, with the time of the server for its script.
    static func dated(_ content: [Node]) -> Node {
        let now = "\(WallClock.milliseconds())"
        return tag("section", ["class": "card narrow", "data-now": now], content)
    }

    private var form: Node {
        tag(
            "form", ["method": "post", "action": "/login"],
            tag("input", ["type": "hidden", "name": "next", "value": next]),
            Field.text(
                "name", words.say(.logInName), value: name,
                [
                    "autocomplete": "username", "autocapitalize": "none", "spellcheck": "false",
                    "autofocus": name.isEmpty ? "" : nil,
                    "aria-describedby": fault == nil ? nil : "fault",
                ]),
            Field.password(
                "password", words.say(.logInPassword), note: words.say(.logInCode),
                "current-password"),
            tag(
                "div", ["class": "field check"],
                tag(
                    "label", [:],
                    tag(
                        "input",
                        [
                            "type": "checkbox", "name": "stay", "value": "yes",
                            "checked": stays ? "" : nil,
                        ]),
                    tag("span", [:], .text(words.say(.stay)))),
                tag("p", ["class": "hint"], .text(words.say(.stayNote)))),
            tag("button", ["class": "main"], .text(words.say(.logIn))))
    }
}

/// The page on which someone who was invited makes an account.
struct SignUpPage {
    let visit: Visit
    /// What the person typed.
    var name = "", displayName = "", code = ""
    /// What went wrong; nil if nothing did.
    var fault: String?

    private var words: Words<WebPhrase> { Words(visit.language) }

    func response(_ status: Status = .ok) -> Response {
        var frame = Frame(visit, visit.language, title: words.say(.signUp))
        (frame.script, frame.imports) = ("login.js", ["live.js"])
        var content = [
            tag("h1", [:], .text(words.say(.signUp))),
            tag("p", ["class": "lead"], .text(words.say(.signUpLead))),
        ]
        if let fault { content.append(FaultPage.banner(fault)) }
        content.append(
            tag(
                "form", ["method": "post", "action": "/sign-up"], FormKey().field(for: ""),
                Field.text(
                    "code", words.say(.signUpCode), value: code,
                    ["autocomplete": "one-time-code", "spellcheck": "false"]),
                Field.text(
                    "name", words.say(.signUpName), value: name,
                    ["autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"]),
                Field.text(
                    "displayName", words.say(.displayName), value: displayName,
                    ["autocomplete": "name"]),
                Field.password(
                    "password", words.say(.logInPassword), note: words.say(.newPasswordNote),
                    "new-password"),
                tag("button", ["class": "main"], .text(words.say(.signUp)))))
        return frame.page([LogInPage.dated(content)], status: status)
    }
}

/// The page on which a person replaces a single-use code by a password.
struct PasswordPage {
    let visit: Visit
    /// The id of the account that gets it.
    let account: String
    /// The language that the person prefers; nil for that of the browser.
    let language: Language?
    /// What went wrong; nil if nothing did.
    let fault: String?

    private var words: Words<WebPhrase> { Words(language ?? visit.language) }

    func response(_ status: Status) -> Response {
        let frame = Frame(visit, words.language, title: words.say(.setPassword))
        var content = [
            tag("h1", [:], .text(words.say(.setPassword))),
            tag("p", ["class": "lead"], .text(words.say(.setPasswordNote))),
        ]
        if let fault { content.append(FaultPage.banner(fault)) }
        content.append(
            tag(
                "form", ["method": "post", "action": "/password"], FormKey().field(for: account),
                Field.password("present", words.say(.presentPassword), "current-password"),
                Field.password(
                    "new", words.say(.newPassword), note: words.say(.newPasswordNote),
                    "new-password"),
                tag("button", ["class": "main"], .text(words.say(.setPassword)))))
        return frame.page([tag("section", ["class": "card narrow"], content)], status: status)
    }
}

/// A field of a form with its label.
enum Field {
    static func text(
        _ name: String, _ label: String, value: String = "",
        _ attributes: KeyValuePairs<String, String?> = [:]
    ) -> Node {
        var all: [Node.Attribute] = [
            .init("id", name), .init("name", name), .init("value", value), .init("required"),
        ]
        for (name, value) in attributes { if let value { all.append(.init(name, value)) } }
        return tag(
            "div", ["class": "field"], tag("label", ["for": name], .text(label)),
            .element("input", all, []))
    }

    static func password(
        _ name: String, _ label: String, note: String? = nil, _ autocomplete: String
    ) -> Node {
        var nodes = [
            tag("label", ["for": name], .text(label)),
            tag(
                "input",
                [
                    "id": name, "name": name, "type": "password", "required": "",
                    "autocomplete": autocomplete,
                    "aria-describedby": note == nil ? nil : name + "-note",
                ]),
        ]
        if let note {
            nodes.append(tag("p", ["class": "hint", "id": name + "-note"], .text(note)))
        }
        return tag("div", ["class": "field"], nodes)
    }
}
