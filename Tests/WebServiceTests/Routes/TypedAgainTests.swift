import Bus
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// Forms that can't be carried out are shown again with what was typed, by real services.
@Suite(.waiting) struct TypedAgainTests {
    @Test func `a log-in and a new account stay in their forms while account-service is down`()
        throws
    {
        let lobby = try Lobby()
        lobby.others["account-service"]?.kill()
        let logIn = try lobby.ask(
            "POST", "/login", form: "name=kari&password=secret+word&stay=yes&next=/plans")
        #expect(logIn.status == 503)
        for part in [
            #"action="/login""#, #"value="kari""#, #"name="stay" value="yes" checked"#,
            #"value="/plans""#, #"role="alert""#,
        ] { #expect(logIn.body.contains(part), "\(part)") }
        #expect(!logIn.body.contains("secret word"))

        let signUp = try lobby.ask(
            "POST", "/sign-up", form: "code=abc&name=kari&displayName=Kari+N&password=secret+word")
        #expect(signUp.status == 503)
        for part in [
            #"action="/sign-up""#, #"value="abc""#, #"value="kari""#, #"value="Kari N""#,
        ] { #expect(signUp.body.contains(part), "\(part)") }
        #expect(!signUp.body.contains("secret word"))
    }

    @Test func `a log-in that is not answered says that nobody is logged in`() throws {
        let lobby = try Lobby()
        try lobby.holdOther("account-service", true)
        let logIn = try lobby.ask("POST", "/login", form: "name=kari&password=secret+word")
        try lobby.holdOther("account-service", false)
        #expect(logIn.status == 503)
        #expect(logIn.body.contains("account-service does not answer, so you are not logged in"))
    }

    @Test func `a first site that is refused stays in its form`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        let form = "name=Harbour&zone=Europe/Atlantis"
        let answer = try lobby.ask("POST", "/sites", cookie: kari, form: form)
        #expect(answer.status == 400)
        for part in [
            #"action="/sites""#, #"value="Harbour""#, #"value="Europe/Atlantis""#,
            #"role="alert""#,
        ] { #expect(answer.body.contains(part), "\(part)") }
        lobby.others["account-service"]?.kill()
        let later = try lobby.ask("POST", "/sites", cookie: kari, form: form)
        #expect(later.status == 503)
        #expect(later.body.contains(#"value="Harbour""#))
    }

    @Test func `preferences that are not kept stay in their form`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        let hours = "quietFrom=22:30&quietUntil=06:05"
        _ = try lobby.ask("POST", "/alerts/quiet-hours", cookie: kari, form: hours)
        let form = "mail=ole&from=warning&language=nb"
        let refused = try lobby.ask("POST", "/alerts/preferences", cookie: kari, form: form)
        #expect(refused.status == 400)
        #expect(refused.body.contains(#"value="22:30""#))
        lobby.others["notifier"]?.kill()
        let unanswered = try lobby.ask("POST", "/alerts/preferences", cookie: kari, form: form)
        #expect(unanswered.status == 503)
        // What isn't known can't be overwritten by what is shown.
        #expect(!unanswered.body.contains("quietFrom"))
        for answer in [refused, unanswered] {
            for part in [
                #"value="ole""#, #"<option value="warning" selected>"#,
                #"<option value="nb" selected>"#, #"role="alert""#,
            ] { #expect(answer.body.contains(part), "\(part)") }
        }
    }

    @Test func `a form of a page that was open for a day is shown again, and can be sent then`()
        throws
    {
        let lobby = try Lobby()
        let id = try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        var ids = MessageID.Generator()
        let key = ids.next(at: WallClock.milliseconds() - 86_400_000)
        let path = "/alerts/preferences"
        let wish = "mail=kari%40example.org&from=warning&language=nb&command=\(key)/\(id)"

        let old = try lobby.ask("POST", path, cookie: kari, form: wish)

        #expect(old.status == 400)
        #expect(old.body.contains("This page was open for too long"))
        #expect(!old.body.contains("Load the page again"))
        let form = try #require(
            PageForm.all(in: old.body).first { form in
                form.action == path && form.fields.contains { $0.value == "kari@example.org" }
            })
        let again = try lobby.ask("POST", path, cookie: kari, form: form.sent("", in: ""))
        #expect(again.status == 303)
    }

    @Test func `what was chosen and typed in other old forms is shown again, too`() throws {
        let lobby = try Lobby()
        let id = try lobby.add("kari", .administrator)
        let ole = try lobby.add("ole", .crew)
        try lobby.openShift()
        let kari = try lobby.logIn("kari")
        let site = try #require(
            try lobby.ask("GET", "/log-ins", cookie: kari).body
                .firstMatch(of: /(?s)<select id="site".*?<option value="([^"]+)"/)?.1)
        func key() -> String {
            var ids = MessageID.Generator()
            return "\(ids.next(at: WallClock.milliseconds() - 86_400_000))/\(id)"
        }
        for (path, form, parts) in [
            (
                "/people/\(ole)/grant", "role=supervisor&site=-",
                [
                    #"<option value="supervisor" selected>"#, #"<option value="-" selected>"#,
                    "<details open",
                ]
            ),
            ("/people/\(ole)/care", "person=nobody", [#"value="nobody""#, "<details open"]),
            ("/log-ins/code", "", [#"action="/log-ins/code""#]),
            ("/log-ins/picture", "site=\(site)", [#"<option value="\#(site)" selected>"#]),
        ] {
            let old = try lobby.ask(
                "POST", path, cookie: kari, form: form + "&command=" + key())

            #expect(old.status == 400, "\(path)")
            for part in parts + [#"role="alert""#, "This page was open for too long"] {
                #expect(old.body.contains(part), "\(path): \(part)")
            }
            #expect(!old.body.contains("Load the page again"), "\(path)")
        }
    }

    @Test func `preferences that were changed elsewhere meanwhile are shown with what was typed`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        let path = "/alerts/preferences"
        let open = try lobby.ask("GET", path, cookie: kari)
        for (field, value) in [("seenMail", ""), ("seenFrom", "3"), ("seenLanguage", "")] {
            let hidden = #"type="hidden" name="\#(field)" value"# + (value.isEmpty ? "" : "=\"3\"")
            #expect(open.body.contains(hidden), "\(field)")
        }
        // The page is open twice. In one the address is changed, in the other the language.
        let seen = "&seenMail=&seenFrom=3&seenLanguage="
        let address = "mail=kari%40example.org&from=warning&language=" + seen
        #expect(try lobby.ask("POST", path, cookie: kari, form: address).status == 303)

        let language = "mail=&from=urgent&language=nb" + seen
        let refused = try lobby.ask("POST", path, cookie: kari, form: language)

        #expect(refused.status == 409)
        for part in [
            #"type="email" value="kari@example.org""#, #"<option value="warning" selected>"#,
            #"<option value="nb" selected>"#, #"name="seenAwaited" value="kari@example.org""#,
            #"name="seenFrom" value="2""#, #"role="alert""#, "were changed elsewhere",
        ] { #expect(refused.body.contains(part), "\(part)") }
        let present = try lobby.ask("GET", path, cookie: kari).body
        #expect(present.contains(#"value="kari@example.org""#))
        #expect(!present.contains(#"<option value="nb" selected>"#))

        let again =
            "mail=kari%40example.org&from=warning&language=nb"
            + "&seenMail=&seenFrom=2&seenLanguage=&seenAwaited=kari%40example.org"
        #expect(try lobby.ask("POST", path, cookie: kari, form: again).status == 303)
        let saved = try lobby.ask("GET", path, cookie: kari).body
        #expect(saved.contains(#"value="kari@example.org""#))
        #expect(saved.contains(#"<option value="nb" selected>"#))
    }

    @Test func `quiet hours that were changed elsewhere meanwhile are shown with what was typed`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        let path = "/alerts/quiet-hours"
        func page() throws -> String {
            try lobby.ask("GET", "/alerts/preferences", cookie: kari).body
        }
        // The page is open twice while there are none.
        let form = try #require(PageForm.all(in: page()).first { $0.action == path })
        let seen = "&seenQuietFrom=0&seenQuietUntil=0&seenQuietZone=&quietZone=Etc/UTC"
        #expect(
            form.fields.map(\.name).suffix(4)
                == ["quietZone", "seenQuietFrom", "seenQuietUntil", "seenQuietZone"])
        let first = "quietFrom=22:00&quietUntil=07:00" + seen
        #expect(try lobby.ask("POST", path, cookie: kari, form: first).status == 303)

        let second = "quietFrom=&quietUntil=06:30" + seen
        let missing = try lobby.ask("POST", path, cookie: kari, form: second)
        #expect(missing.status == 400 && missing.body.contains(#"name="seenQuietZone" value>"#))
        let refused = try lobby.ask(
            "POST", path, cookie: kari, form: "quietFrom=23:00&quietUntil=06:30" + seen)
        #expect(refused.status == 409)
        let again = try #require(PageForm.all(in: refused.body).first { $0.action == path })
        for (name, value) in [
            ("quietFrom", "23:00"), ("quietUntil", "06:30"), ("quietZone", "Etc/UTC"),
            ("seenQuietFrom", "1320"), ("seenQuietUntil", "420"), ("seenQuietZone", "Etc/UTC"),
        ] { #expect(again.fields.first { $0.name == name }?.value == value, "\(name)") }
        #expect(refused.body.contains("were changed elsewhere"))
        #expect(try page().contains(#"value="22:00""#))
        // What the person has seen now is what the next form names.
        let sent = again.sent("", in: "")
        #expect(try lobby.ask("POST", path, cookie: kari, form: sent).status == 303)
        #expect(try page().contains(#"value="23:00""#))
    }

    @Test func `a change on a later part of the list of people leads back to that part`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let zoe = try lobby.add("zoe", .crew)
        let kari = try lobby.logIn("kari")
        let page = try lobby.ask("GET", "/people?after=kari", cookie: kari).body
        #expect(!page.contains("<b>kari</b>"))
        func form(_ change: String) throws -> PageForm {
            try #require(
                PageForm.all(in: page).first { $0.action.hasPrefix("/people/\(zoe)/\(change)") })
        }

        let (grant, care) = (try form("grant"), try form("care"))
        let granted = try lobby.ask(
            "POST", grant.action, cookie: kari, form: grant.sent("display", in: "role"))
        let refused = try lobby.ask(
            "POST", care.action, cookie: kari, form: care.sent("nobody", in: "person"))

        #expect(granted.header("Location") == "/people?after=kari")
        #expect(refused.status == 404)
        for part in [#"value="nobody""#, #"role="alert""#, "<b>zoe</b>"] {
            #expect(refused.body.contains(part), "\(part)")
        }
    }

    @Test func `what was chosen for an invitation is still chosen if it can't be made`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let kari = try lobby.logIn("kari")
        // Only an owner makes others owners.
        let refused = try lobby.ask(
            "POST", "/people/invite", cookie: kari, form: "role=owner&site=-")
        #expect(refused.status == 403)
        lobby.others["account-service"]?.kill()
        let unanswered = try lobby.ask(
            "POST", "/people/invite", cookie: kari, form: "role=crew&site=-")
        #expect(unanswered.status == 503)
        for (answer, role) in [(refused, "owner"), (unanswered, "crew")] {
            for part in [
                #"action="/people/invite""#, #"<option value="\#(role)" selected>"#,
                #"<option value="-" selected>"#, #"role="alert""#,
            ] { #expect(answer.body.contains(part), "\(part)") }
        }
    }
}
