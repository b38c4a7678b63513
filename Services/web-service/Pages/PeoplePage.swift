import HTTPExchange
import Markup
import Messages
import Phrases

/// The people of an organisation with their roles, as far as the person may see them. What the
/// person can't do with any of their roles is not offered; for the rest, the service decides who
/// may change what, and says why not.
struct PeoplePage {
    /// A code made for someone.
    struct Code {
        /// The account that it is for; empty for someone who has no account yet.
        let name: String
        let code: String
        /// Milliseconds since 1970.
        let expires: Int64
    }

    /// A form of the page that wasn't carried out, with what was chosen and typed in it.
    struct Refused {
        /// The account that it was to change, and how; nil for an invitation.
        let account: String?
        let change: String?
        let form: Fields
        /// Why it wasn't carried out.
        let fault: FaultPage
    }

    /// The roles that can be granted, the least first.
    static let roles: [Role] = [
        .display, .crew, .shiftManager, .siteManager, .supervisor, .administrator, .owner,
    ]

    let visit: Visit
    let person: Person
    let accounts: Accounts
    /// The names of others by their ids.
    var names: [String: String] = [:]
    var code: Code?
    /// A form that is shown again; nil for none.
    var refused: Refused?

    private let key = FormKey()

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }
    private var keyField: Node { key.field(for: person.account.id) }

    private func has(_ role: Role) -> Bool { person.account.grants.contains { $0.role == role } }

    /// True if the person may do what is for administrators.
    private var isHead: Bool { has(.administrator) || has(.owner) }

    /// The roles that the person may give and take away at some site.
    private var givable: [Role] {
        if has(.owner) { return Self.roles }
        if has(.administrator) { return Self.roles.filter { $0 != .owner } }
        return has(.siteManager) ? [.display, .crew, .shiftManager] : []
    }

    /// True if the person may disable an account, and reset its password.
    private func mayAdminister(_ account: Account) -> Bool {
        isHead && (has(.owner) || !account.grants.contains { $0.role == .owner })
    }

    var response: Response {
        let frame = Frame(visit, words.language, title: words.say(.people), person: person)
        var content = [
            tag("h1", [:], .text(words.say(.people))),
            tag("p", ["class": "lead"], .text(words.say(.peopleLead))),
        ]
        if isHead {
            content.append(
                tag(
                    "p", [:],
                    tag(
                        "a", ["class": "button", "href": "/people/audit"],
                        .text(words.say(.audit)))))
        }
        if let code { content.append(shown(code)) }
        if let refused, refused.account != nil { content.append(refused.fault.banner) }
        // The first page leads here for these, and the person may be on another page.
        let isListed = accounts.accounts.contains { $0.id == person.account.id }
        let isAsked = !isListed && !person.account.proposedCarers.isEmpty
        if isAsked, refused == nil { content.append(ownProposals) }
        let isInvitation = refused.map { $0.account == nil } ?? false
        if isInvitation { content.append(invitation) }
        if !givable.isEmpty {
            content.append(tag("p", ["class": "hint"], .text(words.say(.lastRole))))
        }
        content.append(tag("ul", ["class": "rows people"], accounts.accounts.map(row)))
        content.append(
            tag(
                "datalist", ["id": "everyone"],
                accounts.accounts.map { tag("option", ["value": $0.name]) }))
        if !accounts.next.isEmpty {
            let path = "/people?after=" + Target.encoded(accounts.next)
            content.append(
                tag(
                    "p", [:], tag("a", ["class": "button", "href": path], .text(words.say(.more)))))
        }
        if !isInvitation, !givable.isEmpty { content.append(invitation) }
        return frame.page(content, status: refused?.fault.status ?? .ok)
    }

    private func shown(_ code: Code) -> Node {
        let title =
            code.name.isEmpty
            ? words.say(.invite) : words.say(.codeFor, ["name": code.name])
        let until = words.say(.codeGoodUntil, ["time": person.moment(code.expires)])
        return tag(
            "section", ["class": "card narrow"],
            [tag("h2", [:], .text(title))] + (code.name.isEmpty ? link(code) : [])
                + [
                    tag(
                        "dl", ["class": "code"], tag("dt", [:], .text(words.say(.code))),
                        tag("dd", ["id": "code"], .text(code.code)))
                ] + (code.name.isEmpty ? [] : [tag("p", ["class": "note"], .text(until))]))
    }

    /// The link of an invitation. What follows # is not sent to any server, so it is in no log.
    private func link(_ code: Code) -> [Node] {
        let address = visit.origin + "/sign-up#code=" + Target.encoded(code.code)
        let picture = QRCode.picture(of: address, label: words.say(.qrCode)).map { [$0] } ?? []
        return [tag("p", [:], .text(words.say(.inviteScan)))] + picture + [
            tag("p", ["id": "link"], tag("a", ["href": address], .text(address)))
        ]
    }

    /// The carers to whom the person has not agreed.
    private var ownProposals: Node {
        tag(
            "section", ["class": "card"], tag("h2", [:], .text(words.say(.carerAsked))),
            tag("p", ["class": "hint"], .text(words.say(.carerAskedLead))),
            tag(
                "ul", ["class": "grants"],
                person.account.proposedCarers.map { proposed($0, person.account) }))
    }

    private var invitation: Node {
        var content = [
            tag("h2", [:], .text(words.say(.invite))),
            tag("p", ["class": "hint"], .text(words.say(.inviteNote))),
        ]
        let refused = self.refused.flatMap { $0.account == nil ? $0 : nil }
        if let refused { content.append(refused.fault.banner) }
        content.append(
            tag(
                "form",
                [
                    "method": "post", "action": "/people/invite" + Self.part(of: visit),
                    "class": "inline",
                ],
                keyField, role(id: "new", hasNone: true, chosen: refused?.form["role"]),
                site(id: "new", chosen: refused?.form["site"]),
                tag("button", ["class": "main"], .text(words.say(.makeCode)))))
        return tag("section", ["class": "card"], content)
    }

    // MARK: One person

    private func row(_ account: Account) -> Node {
        let called = account.displayName.isEmpty ? account.name : account.displayName
        var name = [tag("b", [:], .text(called))]
        if called != account.name { name.append(.text(" · " + account.name)) }
        if account.isDisabled {
            name.append(tag("span", ["class": "badge bad"], .text(words.say(.disabled))))
        }
        let changes = [granting(account), carer(account), administering(account)].compactMap(\.self)
        var content = [
            tag("p", [:], name),
            tag(
                "ul", ["class": "grants"],
                account.grants.map { granted($0, account) }
                    + account.caresFor.map { cared($0, account) }
                    + account.proposedCarers.map { proposed($0, account) }),
        ]
        if !changes.isEmpty {
            let summary = tag(
                "summary", [:], .text(words.say(.change)),
                tag("span", ["class": "away"], .text(called)))
            content.append(
                tag(
                    "details", ["open": refused?.account == account.id ? "" : nil],
                    [summary] + changes))
        }
        return tag("li", ["class": "card"], content)
    }

    /// The form that gives a role; nil if the person may give none.
    private func granting(_ account: Account) -> Node? {
        let grant = typed("grant", for: account)
        guard grant != nil || !givable.isEmpty else { return nil }
        return tag(
            "form", ["method": "post", "action": path(account, "grant"), "class": "inline"],
            keyField, role(id: account.id, hasNone: false, chosen: grant?["role"]),
            site(id: account.id, chosen: grant?["site"]),
            tag("button", [:], .text(words.say(.grantRole))))
    }

    /// The buttons for the account itself; nil if the person may use none.
    private func administering(_ account: Account) -> Node? {
        guard mayAdminister(account) else { return nil }
        // Nobody can log in with the code of a disabled account.
        let buttons =
            account.isDisabled
            ? [button(account, "enable", .enable)]
            : [button(account, "reset", .resetPassword), button(account, "disable", .disable)]
        return tag("div", ["class": "row"], buttons)
    }

    /// What was chosen and typed in a form of somebody's row; nil if it isn't shown again.
    private func typed(_ change: String, for account: Account) -> Fields? {
        guard let refused, refused.account == account.id, refused.change == change else {
            return nil
        }
        return refused.form
    }

    private func path(_ account: Account, _ change: String) -> String { path(account.id, change) }

    private func path(_ account: String, _ change: String) -> String {
        "/people/" + Target.encoded(account) + "/" + change + Self.part(of: visit)
    }

    /// The query that leads back to the part of the list that is shown; empty for the first one.
    static func part(of visit: Visit) -> String {
        let after = visit.request.target.query["after"] ?? ""
        return after.isEmpty ? "" : "?after=" + Target.encoded(after)
    }

    private func button(_ account: Account, _ change: String, _ phrase: WebPhrase) -> Node {
        tag(
            "form", ["method": "post", "action": path(account, change)], keyField,
            tag("input", ["type": "hidden", "name": "name", "value": account.name]),
            tag(
                "button", [:], .text(words.say(phrase)),
                tag("span", ["class": "away"], .text(account.name))))
    }

    private func granted(_ grant: Grant, _ account: Account) -> Node {
        let place =
            grant.site.isEmpty
            ? words.say(.everywhere).lowercased()
            : person.sites.first { $0.id == grant.site }?.name ?? grant.site
        let role = words.say(family: "role", "\(grant.role)") ?? "\(grant.role)"
        let area = Words<PaperPhrase>(words.language).say(family: "area", grant.area) ?? grant.area
        let text = [role, place, area].filter { !$0.isEmpty }.joined(separator: ", ")
        guard givable.contains(grant.role) else {
            return tag("li", [:], tag("span", [:], .text(text)))
        }
        return tag(
            "li", [:], tag("span", [:], .text(text)),
            tag(
                "form", ["method": "post", "action": path(account, "revoke")], keyField,
                tag("input", ["type": "hidden", "name": "role", "value": "\(grant.role)"]),
                tag("input", ["type": "hidden", "name": "site", "value": grant.site]),
                tag("input", ["type": "hidden", "name": "area", "value": grant.area]),
                tag(
                    "button", ["class": "quiet"], .text(words.say(.revokeRole)),
                    tag("span", ["class": "away"], .text(text + ", " + account.name)))))
    }

    private func cared(_ id: String, _ carer: Account) -> Node {
        let text = words.say(.caresFor, ["name": name(of: id)])
        guard isHead || [carer.id, id].contains(person.account.id) else {
            return tag("li", [:], tag("span", [:], .text(text)))
        }
        return tag(
            "li", [:], tag("span", [:], .text(text)),
            care("uncare", by: carer.id, for: id, .revokeRole, text + ", " + carer.name))
    }

    /// A carer to whom the person has not agreed. Only the person is asked to.
    private func proposed(_ carer: String, _ account: Account) -> Node {
        let text = words.say(.carerProposed, ["name": name(of: carer)])
        let isOwn = account.id == person.account.id
        let about = text + ", " + account.name
        var parts = [tag("span", [:], .text(text))]
        if isOwn { parts.append(care("care", by: carer, for: account.id, .carerAgree, about)) }
        let ending: WebPhrase = isOwn ? .carerDecline : .revokeRole
        parts.append(care("uncare", by: carer, for: account.id, ending, about))
        return tag("li", [:], parts)
    }

    private func name(of id: String) -> String {
        accounts.accounts.first { $0.id == id }?.name ?? names[id] ?? id
    }

    /// A button that makes someone the carer of a person, or ends that.
    private func care(
        _ change: String, by carer: String, for person: String, _ phrase: WebPhrase,
        _ about: String
    ) -> Node {
        tag(
            "form", ["method": "post", "action": path(carer, change)], keyField,
            tag("input", ["type": "hidden", "name": "person", "value": person]),
            tag(
                "button", ["class": "quiet"], .text(words.say(phrase)),
                tag("span", ["class": "away"], .text(about))))
    }

    /// The form that lets somebody care for another one, who may be on another page; nil if there
    /// is nobody else.
    private func carer(_ account: Account) -> Node? {
        let isPart = !accounts.next.isEmpty || visit.request.target.query["after"] != nil
        guard isPart || accounts.accounts.count > 1 else { return nil }
        return tag(
            "form", ["method": "post", "action": path(account, "care"), "class": "inline"],
            keyField,
            tag(
                "div", ["class": "field"],
                tag("label", ["for": "care-" + account.id], .text(words.say(.addCarer))),
                tag(
                    "input",
                    [
                        "id": "care-" + account.id, "name": "person", "list": "everyone",
                        "required": "", "autocomplete": "off", "maxlength": "400",
                        "value": typed("care", for: account)?["person"],
                    ])),
            tag("button", [:], .text(words.say(.save))))
    }

    private func option(_ value: String, _ text: String, _ chosen: String?) -> Node {
        tag("option", ["value": value, "selected": value == chosen ? "" : nil], .text(text))
    }

    private func role(id: String, hasNone: Bool, chosen: String? = nil) -> Node {
        let none = hasNone ? [option("none", words.say(.noRole), chosen)] : []
        // What was chosen in a form that is shown again stays.
        let roles = Self.roles.filter { givable.contains($0) || "\($0)" == chosen }
        return tag(
            "div", ["class": "field"],
            tag("label", ["for": "role-" + id], .text(words.say(.role))),
            tag(
                "select", ["id": "role-" + id, "name": "role"],
                none
                    + roles.map {
                        option("\($0)", words.say(family: "role", "\($0)") ?? "\($0)", chosen)
                    }))
    }

    private func site(id: String, chosen: String? = nil) -> Node {
        tag(
            "div", ["class": "field"],
            tag("label", ["for": "site-" + id], .text(words.say(.atSite))),
            tag(
                "select", ["id": "site-" + id, "name": "site"],
                person.sites.map { option($0.id, $0.name, chosen) }
                    + [option("-", words.say(.everywhere), chosen)]))
    }
}
