import Messages
import TestSupport
import TestThreads
import Testing

/// Which changes the page of people offers, by real services.
@Suite(.waiting) struct OfferedChangeTests {
    private let lobby: Lobby
    private let kari: String
    private let ann: String

    init() throws {
        lobby = try Lobby()
        kari = try lobby.add("kari", .administrator)
        try lobby.add("ole", .siteManager)
        ann = try lobby.add("ann", .crew)
    }

    /// The changes to an account that a page offers.
    private func changes(of account: String, on page: String) -> Set<String> {
        let forms = PageForm.all(in: page).filter { $0.action.hasPrefix("/people/\(account)/") }
        return Set(forms.compactMap { $0.action.split(separator: "/").last.map { String($0) } })
    }

    private func page(by cookie: String) throws -> String {
        try lobby.ask("GET", "/people", cookie: cookie).body
    }

    private func offersInvitation(_ page: String) -> Bool {
        PageForm.all(in: page).contains { $0.action == "/people/invite" }
    }

    @Test func `an administrator is offered everything except what is for owners`() throws {
        let page = try page(by: lobby.logIn("kari"))

        #expect(
            changes(of: ann, on: page) == ["grant", "revoke", "care", "reset", "disable"])
        #expect(offersInvitation(page) && page.contains(#"<option value="administrator""#))
        #expect(!page.contains(#"<option value="owner""#))
    }

    @Test func `a site manager is offered only changes of roles that site managers give`() throws {
        let cookie = try lobby.logIn("ole")
        let page = try page(by: cookie)

        #expect(changes(of: ann, on: page) == ["grant", "revoke", "care"])
        #expect(changes(of: kari, on: page) == ["grant", "care"])
        #expect(offersInvitation(page) && page.contains(#"<option value="shiftManager""#))
        #expect(!page.contains(#"<option value="siteManager""#))
        // The others would have been refused.
        for (path, form) in [
            ("/people/\(ann)/reset", "name=ann"), ("/people/\(ann)/disable", "name=ann"),
            ("/people/\(kari)/revoke", "role=administrator&site=&area="),
            ("/people/\(ann)/grant", "role=siteManager&site=-"),
        ] {
            let answer = try lobby.ask("POST", path, cookie: cookie, form: form)
            #expect(answer.status == 403, "\(path)")
        }
    }

    @Test func `whoever leads nobody is offered no change of roles, and no invitation`() throws {
        let page = try page(by: lobby.logIn("ann"))

        #expect(page.contains("<b>ann</b>") && !page.contains("<details"))
        #expect(changes(of: ann, on: page).isEmpty && !offersInvitation(page))
    }

    @Test func `no new code is offered for a disabled account`() throws {
        let cookie = try lobby.logIn("kari")
        let path = "/people/\(ann)/"
        #expect(
            try lobby.ask("POST", path + "disable", cookie: cookie, form: "name=ann").status == 303)

        #expect(
            try changes(of: ann, on: page(by: cookie)) == ["grant", "revoke", "care", "enable"])
        let reset = try lobby.ask("POST", path + "reset", cookie: cookie, form: "name=ann")
        #expect(reset.status == 409)
    }
}
