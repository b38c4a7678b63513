import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// What pages, texts and log-ins of other people can't do, tried in Chromium.
@Suite(.serialized, .waiting, .enabled(if: Browser.isHere, Browser.lack))
struct BrowserSafetyTests {
    private let browser: Browser

    init() throws { browser = try Browser() }

    private func begin(_ name: String, _ lobby: Lobby) throws -> Browser.Page {
        try browser.begin(name, profile: lobby.system.path("browser-\(name)"))
    }

    /// Another port of the same host is the same site: its requests come with every cookie.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a page of another origin changes nothing, reads nothing and frames nothing`(
        host: String
    ) throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let page = try begin("kari", lobby)
        try page.logIn(lobby, as: "kari")
        let port = try browser.serve(
            """
            <!DOCTYPE html><title>Other</title>
            <form id="out" method="post" action="\(lobby.address)/logout">
            <button>Win</button></form>
            <iframe src="\(lobby.address)/"></iframe>
            """)
        let other = "http://\(host):\(port)/"
        try page.go(other)
        try eventually("the frame is refused") {
            try page.frames.first?.hasPrefix("chrome-error:") == true
        }
        let read = """
            fetch('\(lobby.address)/', {credentials: 'include'})
                .then((it) => it.text(), () => 'no')
            """
        #expect(try page.run(read) == "no")
        // A request is sent even if its response can't be read.
        let blind = """
            fetch('\(lobby.address)/logout', {method: 'POST', mode: 'no-cors', \
            credentials: 'include', body: new URLSearchParams({})})
                .then((it) => it.type, () => 'no')
            """
        #expect(try page.run(blind) == "no")
        try page.click("#out button")
        try eventually("the form was answered") { try page.address != other }
        #expect(try page.text("body").contains("Forbidden"))

        #expect(try page.go(lobby.address + "/") == 200)
        #expect(try page.text("h1") == "Hello, kari")
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["1"]])
    }

    @Test func `another name that leads to this machine gets nothing`() throws {
        let lobby = try Lobby()
        let page = try begin("kari", lobby)
        #expect(try page.go("http://rebound.example:\(lobby.port)/login") == 421)
        #expect(
            try page.text("body").trimmingCharacters(in: .whitespacesAndNewlines)
                == "Misdirected Request")
        #expect(try page.cookies == [])
    }

    @Test func `a cookie that someone planted logs no one in`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let planted = "steward=" + String(repeating: "cd", count: 32)
        let (victim, thief) = (try begin("victim", lobby), try begin("thief", lobby))
        for page in [victim, thief] { try page.plant(planted, at: lobby.address) }
        try victim.logIn(lobby, as: "kari")
        #expect(try !victim.cookies.contains(planted))
        try thief.go(lobby.address + "/")
        #expect(try thief.address.hasPrefix(lobby.address + "/login"))
    }

    @Test func `scripts of a page see no cookie`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let page = try begin("kari", lobby)
        try page.logIn(lobby, as: "kari")
        #expect(try page.cookies.contains { $0.hasPrefix("steward=") })
        #expect(try page.run("document.cookie") == "")
    }

    @Test func `a log-in that is ended elsewhere ends the open page, and keeps what waits`() throws
    {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let (page, phone) = (try begin("page", lobby), try begin("phone", lobby))
        for it in [page, phone] { try it.logIn(lobby, as: "kari") }
        try page.go(lobby.address + "/alerts")
        try eventually("it is shown") { try page.text("#list").contains("No open alerts") }
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")

        // A new password ends every log-in.
        let there = try lobby.logIn("kari")
        let form = "present=\(Target.encoded(Lobby.password))&new=another+long+password"
        #expect(try lobby.ask("POST", "/password", cookie: there, form: form).status == 303)
        try eventually("the page leads to the log-in") {
            try page.address.hasPrefix(lobby.address + "/login")
        }
        try phone.click("button.good.big")
        try eventually("it waits for a log-in") {
            let text = try phone.text("#sending")
            return text.contains("1 wait here") && text.contains("Log in again")
        }
        #expect(try lobby.marks(at: "Harbour") == [])

        try phone.click("#sending a.button")
        try phone.fill("#name", "kari")
        try phone.fill("#password", "another long password")
        try phone.click("button.main")
        try lobby.awaitMarks(1, from: phone)
    }

    @Test func `another person on the same phone neither sees nor sends what waits`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let ole = try lobby.add("ole", .siteManager)
        let phone = try begin("phone", lobby)
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try phone.click("button.list")
        lobby.killChecklists()
        try phone.click("button.good.big")
        try eventually("it waits") { try phone.text("#sending").contains("1 wait here") }
        try phone.go(lobby.address + "/")
        try phone.click(".bar form button")
        try eventually("kari is logged out") { try phone.address.contains("/login") }
        try eventually("the page says what waits") {
            try phone.text("#waiting").contains("Waiting on this device: 1")
        }
        try lobby.startChecklists()
        try phone.logIn(lobby, as: "ole")
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("ole has sent all") { try phone.text("#sending") == "All sent" }
        try phone.click("button.list")
        try phone.click("button.bad.big")
        try eventually("ole's was sent") { try lobby.marks(at: "Harbour").count == 1 }
        #expect(try lobby.marks(at: "Harbour").map(\.actor) == [ole])

        try phone.go(lobby.address + "/")
        try phone.click(".bar form button")
        try eventually("ole is logged out") { try phone.address.contains("/login") }
        try phone.logIn(lobby, as: "kari")
        try phone.go(lobby.address + "/shift/Harbour")
        try eventually("kari's is sent") { try lobby.marks(at: "Harbour").count == 2 }
    }

    @Test func `what people type is shown as they typed it, and never run`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let page = try begin("kari", lobby)
        try page.logIn(lobby, as: "kari")
        let hostile = [
            "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>",
            "\"><svg onload=window.pwned=1>", "'-window.pwned=1-'", "{{pwned}}", "</style><b>bold",
            "&lt;b&gt;", "javascript:window.pwned=1", "\\u003cscript\\u003e", "%3Cscript%3E",
            "]]><!--", "`${window.pwned=1}`",
        ]
        for text in hostile {
            try lobby.command("todo", "add", text, "--priority", "next-shift")
        }
        try page.go(lobby.address + "/shift/Harbour")
        try page.click("button.list:has-text('To do')")
        for text in hostile {
            try eventually("\(text) is shown") { try page.text("#shift").contains(text) }
        }
        try page.go(lobby.address + "/board/Harbour")
        try eventually("the board is shown") { try page.text("#todos").contains("12") }
        #expect(try page.run("window.pwned") == "undefined")
        #expect(try page.run("document.querySelectorAll('img,script:not([src])').length") == "0")
        #expect(try page.problems == [])
    }

    @Test func `nothing is asked without the token of the person in whose name it is asked`() throws
    {
        let lobby = try Lobby(
            isOverseen: true, with: ["plan-service", "transit-alert-service"])
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let own = try lobby.overseen()
        // The queries of the process itself, before anyone has come: for events that it follows.
        let page = try begin("kari", lobby)
        for path in ["/", "/board/Harbour", "/shift/Harbour", "/alerts", "/password", "/gallery"] {
            try page.go(lobby.address + path)
        }
        try page.plant("steward=" + String(repeating: "ab", count: 32), at: lobby.address)
        for path in ["/", "/alerts/stream", "/shift/Harbour/snapshot", "/operations/x"] {
            _ = try page.run("fetch('\(path)').then((it) => it.status, () => 0)")
        }
        try page.logIn(lobby, as: "kari")
        for path in [
            "/", "/board/Harbour", "/alerts", "/alerts/preferences", "/plans", "/ride",
            "/ride/favourites", "/log-ins", "/people", "/people/audit",
        ] { try page.go(lobby.address + path) }
        try page.go(lobby.address + "/shift/Harbour")
        try page.click("button.list")
        try page.click("button.good.big")
        try lobby.awaitMarks(1, from: page)
        try page.go(lobby.address + "/")
        try page.click(".bar form button")
        try eventually("kari is logged out") { try page.address.contains("/login") }

        let sent = try lobby.overseen()
        let bare = Set(sent.filter(\.token.isEmpty).map(\.type))
        #expect(
            bare.subtracting(own.map(\.type)) == [LogIn.protobufName, RefreshAccess.protobufName])
        // During the run, each service was asked for something in kari's name.
        let named = sent.filter { !$0.token.isEmpty }
        for type in [
            WhoAmI.protobufName, ReadShift.protobufName, RecordOperations.protobufName,
            OpenFeed.protobufName, LogOut.protobufName, ReadQuietHours.protobufName,
            ListPlans.protobufName, ListSessions.protobufName, ListAccounts.protobufName,
            ReadAudit.protobufName, ListDestinations.protobufName,
        ] {
            #expect(named.contains { $0.type == type }, "\(type)")
        }
        // None of the messages sent earlier without a token is one that people send.
        #expect(Set(own.map(\.type)).isDisjoint(with: named.map(\.type)))
    }
}
