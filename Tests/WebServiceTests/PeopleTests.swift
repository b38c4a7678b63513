import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// The pages about people, sites and preferences, over HTTP from real services.
@Suite(.waiting) struct PeopleTests {
    private static let password = Target.encoded(Lobby.password)

    /// The code that a page shows.
    private func code(on page: String) throws -> String {
        String(try #require(page.firstMatch(of: /<dd id="code">([^<]+)</)).1)
    }

    @Test func `someone is invited, signs up, gets a role, loses it and is disabled`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        let invited = try lobby.ask(
            "POST", "/people/invite", cookie: kari, form: "role=none&site=-")
        #expect(invited.body.contains("/sign-up#code="))
        let code = Target.encoded(try code(on: invited.body))

        // The page says what is wrong, and keeps what was typed.
        let short = try lobby.ask(
            "POST", "/sign-up", form: "code=\(code)&name=ole&displayName=Ole&password=short")
        #expect(short.status == 400)
        #expect(short.body.contains(#"value="ole""#) && short.body.contains(#"id="fault""#))
        let form = "code=\(code)&name=ole&displayName=Ole+Hansen&password=\(Self.password)"
        let made = try lobby.ask("POST", "/sign-up", form: form)
        #expect(made.header("Location") == "/login?new=1")
        // An invitation works once.
        #expect(try lobby.ask("POST", "/sign-up", form: form).status == 403)
        let ole = try lobby.logIn("ole")
        #expect(try lobby.ask("GET", "/", cookie: ole).body.contains("Hello, Ole Hansen"))
        // Ole leads nobody, so the service shows him only himself, and refuses the rest.
        #expect(try !lobby.ask("GET", "/people", cookie: ole).body.contains("<b>kari</b>"))
        #expect(try lobby.ask("GET", "/people/audit", cookie: ole).status == 403)
        let refused = try lobby.ask(
            "POST", "/people/invite", cookie: ole, form: "role=crew&site=-")
        #expect(refused.status == 403)

        let people = try lobby.ask("GET", "/people", cookie: kari).body
        let found = try #require(
            people.firstMatch(of: /<b>Ole Hansen<\/b>.*?\/people\/([^\/]+)\/grant/))
        #expect(people.contains("also loses their log-ins at Redmine servers"))
        let path = "/people/\(found.1)"
        func change(_ what: String, _ form: String) throws -> String? {
            try lobby.ask("POST", "\(path)/\(what)", cookie: kari, form: form)
                .header("Location")
        }
        #expect(try change("grant", "role=siteManager&site=-") == "/people")
        try eventually("ole sees the people now") {
            try lobby.ask("GET", "/people", cookie: ole).body.contains("<b>kari</b>")
        }
        #expect(try change("revoke", "role=siteManager&site=&area=") == "/people")
        try eventually("ole no longer sees them") {
            try !lobby.ask("GET", "/people", cookie: ole).body.contains("<b>kari</b>")
        }
        #expect(try change("grant", "role=king&site=-") == nil)

        let reset = try lobby.ask("POST", "\(path)/reset", cookie: kari, form: "name=ole")
        let word = Target.encoded(try self.code(on: reset.body))
        let back = try lobby.ask("POST", "/login", form: "name=ole&password=\(word)")
        #expect(back.header("Location") == "/password")

        #expect(try change("disable", "name=ole") == "/people")
        #expect(try lobby.ask("GET", "/people", cookie: kari).body.contains("disabled"))
        let late = try lobby.ask("POST", "/login", form: "name=ole&password=\(Self.password)")
        #expect(late.status == 403)
        #expect(try change("enable", "name=ole") == "/people")

        let audit = try lobby.ask("GET", "/people/audit?text=role+ole", cookie: kari).body
        #expect(audit.contains("role granted") && audit.contains("role revoked"))
        #expect(!audit.contains("log-in failed"))
        let none = try lobby.ask("GET", "/people/audit?text=nothing+like+it", cookie: kari).body
        #expect(none.contains("Nothing fits."))
    }

    @Test func `the audit names every account that its entries mention, and no other text`() {
        let entries = [
            Audit.Entry(actor: "kari", action: "role granted", subject: "ole", detail: "member"),
            Audit.Entry(action: "carer added", subject: "ole", detail: "anne"),
        ]
        #expect(AuditPage.accounts(in: entries) == ["kari", "ole", "ole", "anne"])
    }

    @Test func `the audit names organisations`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .owner)
        _ = try lobby.addElsewhere("ole", organisation: "Second house")
        let kari = try lobby.logIn("kari")
        let audit = try lobby.ask("GET", "/people/audit", cookie: kari).body
        #expect(audit.contains("organisation created · Second house<"))
    }

    @Test func `the audit is in the language of the page`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let ole = try lobby.add("ole", .crew)
        let (kari, other) = (try lobby.logIn("kari"), try lobby.logIn("ole"))
        let granted = try lobby.ask(
            "POST", "/people/\(ole)/grant", cookie: kari, form: "role=shiftManager&site=-")
        #expect(granted.header("Location") == "/people")
        #expect(try lobby.ask("GET", "/people/audit", cookie: other).status == 403)
        try eventually("a log-in fails") {
            try lobby.ask("POST", "/login", form: "name=ole&password=wrong").status == 403
        }
        let norwegian = ["Accept-Language: nb"]
        let page = try lobby.ask("GET", "/people/audit", cookie: kari, norwegian).body
        for line in [
            "kari · rolle gitt · ole · Skiftleder<", "ole · registrerte seg · Mannskap<",
            "ole · avvist · ", "innlogging mislyktes · ole · feil passord<",
        ] {
            #expect(page.contains(line), "\(line)")
        }
        // What is shown is also what is searched.
        let found = try lobby.ask(
            "GET", "/people/audit?text=skiftleder", cookie: kari, norwegian
        ).body
        #expect(found.contains("rolle gitt") && !found.contains("registrerte seg"))
    }

    @Test func `whoever reads the audit gets to its oldest entry, however long the entries are`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        try lobby.system.edit(
            .account,
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
            INSERT INTO audit (time, organisation, who, action, subject, detail)
            SELECT strftime('%s', 'now') * 1000, 'local', hex(zeroblob(50)), 'long', '',
                'entry-' || i || '-' || hex(zeroblob(1000))
            FROM n
            """)

        var found: Set<String> = []
        var path: String? = "/people/audit"
        var pages = 0
        while let next = path, pages < 50 {
            let answer = try lobby.ask("GET", next, cookie: kari)
            #expect(answer.status == 200)
            found.formUnion(answer.body.matches(of: /entry-(\d+)-/).map { String($0.1) })
            // Where the page itself is stands in other links.
            path = answer.body.firstMatch(of: /class="button" href="([^"]+before=\d+)"/)
                .map { String($0.1) }
            pages += 1
        }

        #expect(found.count == 600)
        #expect(path == nil && pages > 1)
    }

    @Test func `what people meet most often is refused in the language of the page`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        try lobby.add("ole", .crew)
        let (kari, ole) = (try lobby.logIn("kari"), try lobby.logIn("ole"))
        let norwegian = ["Accept-Language: nb"]
        func answer(_ path: String, _ form: String, _ cookie: String? = nil) throws -> String {
            var page = ""
            try eventually("\(path) is answered") {
                let answer = try lobby.ask("POST", path, cookie: cookie, form: form, norwegian)
                page = answer.body
                return answer.status != 503
            }
            return page
        }

        let invited = try answer("/people/invite", "role=none&site=-", kari)
        let invitation = Target.encoded(try code(on: invited))
        let signUp = "name=ann&displayName=Ann&password=short"
        #expect(
            try answer("/sign-up", signUp + "&code=\(invitation)").contains("minst 8 tegn"))
        #expect(
            try answer("/sign-up", signUp + "&code=abcd")
                .contains("Denne invitasjonen er ikke gyldig"))
        #expect(
            try answer("/sites", "name=Harbour&zone=Atlantis", kari)
                .contains("«Atlantis» er ikke en tidssone."))
        #expect(
            try answer("/sites", "name=Harbour&zone=UTC", ole)
                .contains("Dette krever rollen «Administrator»."))
    }

    @Test func `a carer is named, agreed to or declined by the person, and removed`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let (ann, bo) = (try lobby.add("ann", .crew), try lobby.add("bo", .crew))
        let (kari, own) = (try lobby.logIn("kari"), try lobby.logIn("bo"))
        let asked = "Someone wants to be your carer"
        func care(_ change: String, by cookie: String) throws {
            let done = try lobby.ask(
                "POST", "/people/\(ann)/\(change)", cookie: cookie, form: "person=\(bo)")
            #expect(done.header("Location") == "/people")
        }
        func people(_ cookie: String) throws -> String {
            try lobby.ask("GET", "/people", cookie: cookie).body
        }
        for (answer, isCarer) in [("uncare", false), ("care", true)] {
            try care("care", by: kari)
            let page = try people(kari)
            #expect(page.contains("ann as carer: not agreed yet") && !page.contains("Agree<"))
            #expect(!page.contains("Cares for bo"))
            try eventually("bo is asked") {
                try lobby.ask("GET", "/", cookie: own).body.contains(asked)
            }
            #expect(try people(own).contains("Agree<"))
            try care(answer, by: own)
            #expect(try people(kari).contains("Cares for bo") == isCarer)
            #expect(try !people(kari).contains("not agreed yet"))
            try eventually("bo isn't asked again") {
                try !lobby.ask("GET", "/", cookie: own).body.contains(asked)
            }
        }
        try care("uncare", by: kari)
        #expect(try !people(kari).contains("Cares for bo"))
    }

    @Test func `whoever is cared for, or asked about that, may be on another page of people`()
        throws
    {
        let lobby = try Lobby()
        let id = try lobby.add("kari", .administrator)
        let (ann, zoe) = (try lobby.add("ann", .crew), try lobby.add("zoe", .crew))
        let kari = try lobby.logIn("kari")
        for cookie in [kari, try lobby.logIn("ann")] {
            let done = try lobby.ask(
                "POST", "/people/\(zoe)/care", cookie: cookie, form: "person=ann")
            #expect(done.header("Location") == "/people")
        }
        func page() throws -> String {
            try lobby.ask("GET", "/people?after=kari", cookie: kari).body
        }
        let first = try page()
        #expect(first.contains("Cares for ann") && !first.contains("<b>ann</b>"))
        #expect(first.contains(#"value="\#(ann)""#))

        // The person who is asked is on the page before, and the one who cares has a name.
        try lobby.command("carer", "add", "ann", "kari")
        try eventually("kari is asked") {
            let asked = try page()
            return asked.contains("ann as carer: not agreed yet") && asked.contains("Agree<")
        }
        let agreed = try lobby.ask(
            "POST", "/people/\(ann)/care", cookie: kari, form: "person=\(id)")
        #expect(agreed.header("Location") == "/people")
        #expect(try !page().contains("not agreed yet"))
    }

    @Test(arguments: ["", "&site=", "&site=-&site=-", "&site=-&area=a&area=b"])
    func `a form that doesn't say where a role is held grants none`(place: String) throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let ole = try lobby.add("ole", .crew)
        let kari = try lobby.logIn("kari")
        for path in ["/people/\(ole)/grant", "/people/invite"] {
            let form = "role=administrator" + place
            #expect(try lobby.ask("POST", path, cookie: kari, form: form).status == 400, "\(path)")
        }
        let page = try lobby.ask("GET", "/people", cookie: kari).body
        #expect(page.contains("Administrator, everywhere, kari"))
        #expect(!page.contains("Administrator, everywhere, ole"))
    }

    @Test func `if there is no site, a leader adds the first, and others are told whom to ask`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        try lobby.add("ole", .crew)
        let (kari, ole) = (try lobby.logIn("kari"), try lobby.logIn("ole"))
        #expect(try lobby.ask("GET", "/", cookie: ole).body.contains("Ask an administrator"))
        let first = try lobby.ask("GET", "/", cookie: kari).body
        #expect(first.contains(#"action="/sites""#) && !first.contains("Ask an administrator"))
        let wrong = try lobby.ask(
            "POST", "/sites", cookie: kari, form: "name=Harbour&zone=Europe/Atlantis")
        #expect(wrong.status == 400)
        let added = try lobby.ask(
            "POST", "/sites", cookie: kari, form: "name=Harbour&zone=Europe/Berlin")
        #expect(added.header("Location") == "/")
        #expect(try lobby.ask("GET", "/", cookie: kari).body.contains("Harbour"))
        #expect(
            try lobby.ask("POST", "/sites", cookie: ole, form: "name=X&zone=UTC").status == 403)
    }

    @Test func `people choose their language, mail and quiet hours`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        let saved = try lobby.ask(
            "POST", "/alerts/preferences", cookie: kari,
            form: "mail=kari%40example.org&from=warning&language=nb")
        #expect(saved.header("Location") == "/alerts/preferences?saved=1")
        let hours = try lobby.ask(
            "POST", "/alerts/quiet-hours", cookie: kari, form: "quietFrom=22:30&quietUntil=06:05")
        #expect(hours.header("Location") == "/alerts/preferences?saved=1")
        let page = try lobby.ask("GET", "/alerts/preferences", cookie: kari).body
        #expect(page.contains(#"<html lang="nb""#))
        for part in [
            "Ingen kode er sendt til kari@example.org, fordi", #"action="/alerts/mailbox""#,
            #"value="kari@example.org""#, #"value="22:30""#, #"value="06:05""#,
            #"<option value="warning" selected>"#, #"<option value="nb" selected>"#,
        ] { #expect(page.contains(part), "\(part)") }
        let code = try lobby.ask("POST", "/alerts/mailbox", cookie: kari, form: "code=abc")
        #expect(code.status == 400)
        #expect(code.body.contains("Denne koden er ikke gyldig"))
        // A typing mistake is put right, not all of it typed again.
        #expect(code.body.contains(#"name="code" value="abc""#))
        for form in ["quietFrom=25:00&quietUntil=06:00", "quietFrom=22:00&quietUntil="] {
            let wrong = try lobby.ask("POST", "/alerts/quiet-hours", cookie: kari, form: form)
            #expect(wrong.status == 400)
            #expect(wrong.body.contains("Stille timer trenger begge klokkeslettene"))
            for part in [#"role="alert""#, #"value="kari@example.org""#] {
                #expect(wrong.body.contains(part), "\(part)")
            }
            let typed = form.contains("25:00") ? #"value="06:00""# : #"value="22:00""#
            #expect(wrong.body.contains(typed) && !wrong.body.contains(#"value="22:30""#))
        }
        // Hours stay in the zone that the page shows, even if an old page doesn't say which.
        for form in ["&quietZone=America/New_York", "", "&quietZone="] {
            _ = try lobby.ask(
                "POST", "/alerts/quiet-hours", cookie: kari,
                form: "quietFrom=22:30&quietUntil=06:05" + form)
            let page = try lobby.ask("GET", "/alerts/preferences", cookie: kari).body
            #expect(page.contains("Tidene er i sonen America/New_York."))
            #expect(page.contains(#"name="quietZone" value="America/New_York""#))
        }
        // The invalid forms changed nothing. Both fields empty means no quiet hours.
        #expect(
            try lobby.ask("GET", "/alerts/preferences", cookie: kari).body.contains("22:30"))
        _ = try lobby.ask(
            "POST", "/alerts/quiet-hours", cookie: kari, form: "quietFrom=&quietUntil=")
        #expect(
            try !lobby.ask("GET", "/alerts/preferences", cookie: kari).body.contains("22:30"))
    }

    @Test func `a damaged channel is shown as damaged, and can only be removed`() throws {
        let lobby = try Lobby()
        let id = try lobby.add("kari", .administrator)
        let kari = try lobby.logIn("kari")
        try lobby.system.edit(
            .notifier,
            """
            INSERT INTO channel (feed, name, organisation, recipient, channel, secret, blocked,
                isFailing, urgent)
            VALUES ('alert.local.\(id).', 'phone', 'local', '\(id)', x'FF', '', 0, 0, 0)
            """)

        let page = try lobby.ask("GET", "/alerts/preferences", cookie: kari).body
        #expect(page.contains("<b>phone</b>") && page.contains("is damaged"))
        #expect(!page.contains("unspecified") && !page.contains("/alerts/channels/phone/test"))
        _ = try lobby.ask("POST", "/alerts/channels/phone/remove", cookie: kari, form: "")
        let left = try lobby.ask("GET", "/alerts/preferences", cookie: kari).body
        #expect(!left.contains("<b>phone</b>"))
    }

    /// The rules for idle log-ins, in hours; nil for never.
    @Test(arguments: [
        ([Role.display], false, nil), ([.display], true, nil), ([.crew], false, 12),
        ([.crew], true, 720), ([.siteManager, .display], true, 720),
        ([.administrator], true, 12), ([.owner], true, 12), ([.crew, .administrator], true, 12),
        ([], false, 12),
    ])
    func `how long a log-in lasts without use follows from the roles`(
        roles: [Role], stays: Bool, hours: Int64?
    ) {
        let account = Account(grants: roles.map { Grant(role: $0) })
        #expect(People.lasts(account, stays: stays) == (hours ?? 0) * 3_600_000)
    }
}
