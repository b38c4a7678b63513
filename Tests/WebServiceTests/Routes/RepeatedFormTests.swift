import Bus
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// Forms that a browser sends again, as when a person presses a button twice, by real services.
@Suite(.waiting) struct RepeatedFormTests {
    private let lobby: Lobby
    private let ole: String
    private let kari: String
    private let accounts: Client

    init() throws {
        lobby = try Lobby()
        try lobby.add("kari", .administrator)
        ole = try lobby.add("ole", .crew)
        kari = try lobby.logIn("kari")
        accounts = try lobby.system.client(of: .account)
    }

    /// A form as the page of people has it now.
    private func form(_ action: String) throws -> PageForm {
        let page = try lobby.ask("GET", "/people", cookie: kari).body
        return try #require(PageForm.all(in: page).first { $0.action == action })
    }

    private func send(_ form: PageForm, by cookie: String? = nil) throws -> Lobby.Answer {
        try lobby.ask(
            "POST", form.action, cookie: cookie ?? kari, form: form.sent("", in: ""))
    }

    /// Has kari's alerts mailed to a new mailbox, and fills in the form for its code.
    private func confirmation() throws -> (action: String, sent: String) {
        let path = "/alerts/preferences"
        let saved = try lobby.ask(
            "POST", path, cookie: kari, form: "mail=kari%40example.org&from=info&language=en")
        #expect(saved.status == 303)
        let rows = try lobby.system.query(
            .notifier, "SELECT hex(request) FROM mailRequest WHERE key GLOB 'mailbox/*'")
        let digits = Array(try #require(rows.first?.first))
        let mail = try MailRequested(
            unpacking: stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<$0 + 2]), radix: 16)
            })
        let code = try #require(mail.text.firstMatch(of: /code ([0-9A-Z-]{23})/)).1
        let page = try lobby.ask("GET", path, cookie: kari).body
        let form = try #require(PageForm.all(in: page).first { $0.action == "/alerts/mailbox" })
        return (form.action, form.sent(String(code), in: "code"))
    }

    private func roles() throws -> [Role] {
        let found = try accounts.ask(ListAccounts(), for: Accounts.self).accounts
        return try #require(found.first { $0.id == ole }).grants.map(\.role)
    }

    @Test func `an invitation that is asked for twice is made once, and shown twice`() throws {
        func code(_ answer: Lobby.Answer) throws -> String {
            String(try #require(answer.body.firstMatch(of: /<dd id="code">([^<]+)</)).1)
        }
        let form = try form("/people/invite")
        let first = try code(send(form))
        #expect(try code(send(form)) == first)
        // The next page is for another one.
        #expect(try code(send(self.form("/people/invite"))) != first)
        // A web-service that was started again doesn't know the code.
        try lobby.restart()
        let late = try send(form)
        #expect(late.status == 409 && late.body.contains("This was done before"))
    }

    @Test func `a form that is sent again is answered by the ledger, and not carried out again`()
        throws
    {
        let form = try form("/people/\(ole)/grant")
        let mailbox = try confirmation()
        #expect(try send(form).header("Location") == "/people")
        #expect(try roles().contains(.display))
        _ = try accounts.ask(
            RevokeRole(account: ole, grant: Grant(role: .display)), for: Account.self)
        for _ in 1...2 {
            #expect(try send(form).header("Location") == "/people")
            #expect(try !roles().contains(.display))
            let confirmed = try lobby.ask(
                "POST", mailbox.action, cookie: kari, form: mailbox.sent)
            #expect(confirmed.header("Location") == "/alerts/preferences?saved=1")
            try lobby.restart()
        }
        // What was changed in the same page is another command.
        let changed = form.sent("siteManager", in: "role")
        let answer = try lobby.ask("POST", form.action, cookie: kari, form: changed)
        #expect(answer.header("Location") == "/people")
        #expect(try roles().contains(.siteManager))
    }

    @Test func `a form that led to the new password first is carried out when it is sent again`()
        throws
    {
        let form = try form("/people/\(ole)/grant")
        let all = try accounts.ask(ListAccounts(), for: Accounts.self).accounts
        let account = try #require(all.first { $0.name == "kari" }).id
        let code = try accounts.ask(ResetPassword(account: account), for: ResetCode.self).code
        let new = try lobby.logIn("kari", with: code)
        #expect(try send(form, by: new).header("Location") == "/password")
        let words = [code, Lobby.password].map(Target.encoded)
        let password = "present=\(words[0])&new=\(words[1])"
        #expect(try lobby.ask("POST", "/password", cookie: new, form: password).status == 303)
        let again = try lobby.logIn("kari")
        #expect(try send(form, by: again).header("Location") == "/people")
        #expect(try roles().contains(.display))
    }

    @Test func `a shift that a script starts twice under one id is started once`() throws {
        try lobby.openShift()
        try lobby.command("shift", "end", "--despite-open")
        let ann = try lobby.add("ann", .siteManager)
        let cookie = try lobby.logIn("ann")
        var ids = MessageID.Generator()
        func start(_ id: String) throws -> Lobby.Answer {
            try lobby.ask(
                "POST", "/shift/Harbour/start", cookie: cookie,
                form: #"{"id":"\#(id)","dayPart":1}"#, kind: "application/json",
                ["Steward-Account: \(ann)"])
        }
        #expect(try start("x").status == 400)
        let id = "\(ids.next(at: WallClock.milliseconds()))"
        var first: Lobby.Answer?
        try eventually("it is started") {
            first = try start(id)
            return first?.status == 200
        }
        let second = try start(id)
        #expect(second.status == 200 && second.body == first?.body)
        let other = "\(ids.next(at: WallClock.milliseconds()))"
        #expect(try start(other).status != 200)
    }

    @Test func `a form of a page that was made for another log-in does nothing`() throws {
        try lobby.add("ann", .administrator)
        let ann = try lobby.logIn("ann")
        let form = try form("/people/\(ole)/grant")
        let answer = try send(form, by: ann)
        #expect(answer.status == 409 && answer.body.contains("made for another log-in"))
        for key in ["", "abc", "/", "0192e4a1-7b3c-4def-8123-456789abcdef/x"] {
            let wrong = try lobby.ask(
                "POST", form.action, cookie: kari, form: form.sent(key, in: "command"))
            #expect(wrong.status == 400, "\(key)")
        }
        let twice = form.sent("", in: "") + "&command=x"
        let answered = try lobby.ask("POST", form.action, cookie: kari, form: twice)
        #expect(answered.status == 400)
        #expect(try roles() == [.crew])
    }
}
