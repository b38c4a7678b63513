import Foundation
import HTTPExchange
import Markup
import Messages
import Phrases
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// Who gets what over HTTP, served by real services.
@Suite(.waiting) struct VisitTests {
    @Test func `without a log-in every page leads to the log-in`() throws {
        let lobby = try Lobby()
        let cookies: [String?] = [
            nil, "steward=", "steward=" + String(repeating: "ab", count: 32), "steward=é",
        ]
        for path in ["/", "/alerts", "/board/x", "/shift/x", "/password"] {
            for cookie in cookies {
                let answer = try lobby.ask("GET", path, cookie: cookie)
                let visit = "\(path) with \(cookie ?? "no cookie")"
                #expect([303, 401].contains(answer.status), "\(visit)")
                if answer.status == 303 {
                    #expect(answer.header("Location")?.hasPrefix("/login") == true, "\(visit)")
                }
                // Someone who isn't logged in learns nothing about the machine's owner.
                #expect(!answer.body.contains("local"), "\(visit)")
            }
        }
        let answer = try lobby.ask("POST", "/alerts/1234/acknowledge", form: "")
        #expect(answer.status == 303)
    }

    @Test func `a link that is followed without a log-in leads there afterwards, with its query`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let answer = try lobby.ask("GET", "/people/audit?text=b%26c+%C3%A5&before=7")
        let wanted = "/people/audit?text=b%26c%20%C3%A5&before=7"
        #expect(answer.header("Location") == "/login?next=" + Target.encoded(wanted))
        let page = try lobby.ask("GET", try #require(answer.header("Location"))).body
        #expect(page.contains("value=\"\(wanted.replacing("&", with: "&amp;"))\""))
        // Whoever chooses another look on the way gets there too.
        #expect(page.contains("value=\"/login?next=\(Target.encoded(wanted))\""))
        let form =
            "name=kari&password=\(Target.encoded(Lobby.password))&next=\(Target.encoded(wanted))"
        #expect(try lobby.ask("POST", "/login", form: form).header("Location") == wanted)
    }

    @Test func `a stream without a log-in says that it is over, as its page has to know`() throws {
        let lobby = try Lobby()
        for path in ["/alerts/stream", "/board/x/stream"] {
            let answer = try lobby.ask(
                "GET", path, cookie: "steward=" + String(repeating: "ab", count: 32))
            #expect(answer.header("Content-Type") == "text/event-stream", "\(path)")
            #expect(answer.body == "event: over\ndata: \n\n", "\(path)")
        }
    }

    @Test func `a person logs in, sees the first page, and logs out`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/", cookie: cookie).body.contains("Hello, kari"))
        let out = try lobby.ask("POST", "/logout", cookie: cookie, form: "")
        #expect(out.header("Location") == "/login?out=1")
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 303)
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]])
    }

    @Test func `whoever logs out while account-service is down is logged out for good`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        lobby.others["account-service"]?.kill()
        // A new process has none of the tokens with which a log-in is ended elsewhere.
        try lobby.restart()
        let out = try lobby.ask("POST", "/logout", cookie: cookie, form: "")
        #expect(out.header("Location") == "/login?out=1")
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]])
        try lobby.startOther("account-service")
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 303)
    }

    @Test func `a log-in survives a kill, and its store logs no one in`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        for _ in 0..<3 {
            try lobby.restart()
            #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
        }
        let row = try #require(try lobby.system.query(.web, "SELECT hex(cookie) FROM logIn").first)
        let stolen = try lobby.ask("GET", "/", cookie: "steward=" + row[0].lowercased())
        #expect(stolen.status == 303)
    }

    @Test func `a wrong name and a wrong password are answered alike, and give no cookie`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let forms = ["name=kari&password=wrong+password", "name=nobody&password=wrong+password"]
        let answers = try forms.map { try lobby.ask("POST", "/login", form: $0) }
        #expect(answers.map(\.status) == [403, 403])
        #expect(answers.allSatisfy { $0.cookie == nil })
        let texts = answers.map {
            $0.body.replacing(/value="(kari|nobody)"|data-now="[0-9]+"/, with: "")
        }
        #expect(texts[0] == texts[1])
    }

    @Test func `whoever tried too often is told how long to wait`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        try eventually("there were too many attempts") {
            try lobby.ask("POST", "/login", form: "name=kari&password=wrong+password")
                .body.contains("too many failed attempts. Try again in ")
        }
    }

    @Test func `a cookie that the browser arrives with is not adopted, and the former one ends`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let planted = "steward=" + String(repeating: "cd", count: 32)
        let form = "name=kari&password=correct+horse+battery"
        let answer = try lobby.ask("POST", "/login", cookie: planted, form: form)
        let first = try #require(answer.cookie)
        #expect(first != planted)
        #expect(try lobby.ask("GET", "/", cookie: planted).status == 303)
        let second = try #require(try lobby.ask("POST", "/login", cookie: first, form: form).cookie)
        #expect(try lobby.ask("GET", "/", cookie: first).status == 303)
        #expect(try lobby.ask("GET", "/", cookie: second).status == 200)
    }

    @Test func `what one person ticked is not sent in the name of another`() throws {
        let lobby = try Lobby()
        let kari = try lobby.add("kari", .siteManager)
        let ole = try lobby.add("ole", .siteManager)
        let cookie = try lobby.logIn("kari")
        let path = "/operations/01a20724-d52d-7112-ad88-3525653e35da"
        #expect(try lobby.ask("GET", path, cookie: cookie).status == 401)
        #expect(
            try lobby.ask("GET", path, cookie: cookie, ["Steward-Account: \(ole)"]).status == 401)
        let own = try lobby.ask("GET", path, cookie: cookie, ["Steward-Account: \(kari)"])
        #expect(own.status == 404)
        #expect(own.body.contains("notFound"))
    }

    @Test func `a service that can't check tokens yet doesn't end the log-in of a page`() throws {
        let lobby = try Lobby(with: ["transit-alert-service"])
        let account = ["Steward-Account: \(try lobby.add("kari", .siteManager))"]
        let cookie = try lobby.logIn("kari")
        func ask() throws -> Int {
            try lobby.ask("GET", "/ride/current", cookie: cookie, account).status
        }
        #expect(try ask() == 200)
        // Without account-service, a service with a new store gets no key to check tokens with.
        for name in ["account-service", "transit-alert-service"] { lobby.others[name]?.kill() }
        let folder = lobby.system.path("data")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix("transit-alert-service.sqlite") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try lobby.startOther("transit-alert-service")
        #expect(try ask() == 503)
        try lobby.startOther("account-service")
        try eventually("it goes on") { try ask() == 200 }
    }

    @Test func `a phone that has the shift is sent it again only when it has changed`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        let name = ["Steward-Account: \(try lobby.add("kari", .siteManager))"]
        let cookie = try lobby.logIn("kari")
        func ask(_ more: String...) throws -> Lobby.Answer {
            try lobby.ask("GET", "/shift/Harbour/snapshot", cookie: cookie, name + more)
        }
        let first = try ask()
        #expect(first.status == 200 && first.body.contains("\"lists\""))
        #expect(first.header("Cache-Control") == "private, no-cache")
        let tag = "If-None-Match: " + (try #require(first.header("ETag")))
        try lobby.command("todo", "add", "Tap drips")
        let again = try ask(tag)
        #expect(again.status == 304 && again.bytes.isEmpty)
        try lobby.command("shift", "end", "--despite-open")
        #expect(try ask(tag).status == 404)
        try lobby.command("shift", "start", "day")
        let next = try ask(tag)
        #expect(next.status == 200)
        #expect(next.header("ETag") != first.header("ETag"))
    }

    @Test func `without JavaScript the checklist leads to what is to be done`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        try lobby.add("kari", .crew)
        let cookie = try lobby.logIn("kari")
        let checklist = try lobby.ask("GET", "/shift/Harbour", cookie: cookie).body
        let link = try #require(checklist.firstMatch(of: /<noscript>.*href="(\/todos\/[^"]+)"/)).1
        let page = try lobby.ask("GET", String(link), cookie: cookie)
        #expect(page.status == 200)
        #expect(page.body.contains("Mop the cellar"))
        // It has no stream.
        #expect(page.header("Refresh") == "15; url=\(link)?again=1")
    }

    @Test func `the script that opens pages without a network is requested each time`() throws {
        let lobby = try Lobby()
        let answer = try lobby.ask("GET", "/sw.js")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/javascript; charset=utf-8")
        #expect(answer.header("Cache-Control") == "no-cache")
        let tag = try #require(answer.header("ETag"))
        #expect(try lobby.ask("GET", "/sw.js", ["If-None-Match: \(tag)"]).status == 304)
    }

    @Test func `a page that says that it tries again does, and a form that wasn't sent says so`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let wish = "mail=kari%40example.org&from=warning&language=nb"
        #expect(
            try lobby.ask("POST", "/alerts/preferences", cookie: cookie, form: wish).status == 303)
        // Plan-service isn't running. The browser wants English, the person Norwegian.
        let page = try lobby.ask("GET", "/plans", cookie: cookie)
        #expect(page.status == 503)
        #expect(page.header("Refresh") == "5; url=/plans?again=1")
        #expect(page.body.contains("lang=\"nb\""))
        #expect(page.body.contains("plan-service"))
        #expect(page.body.contains("prøver igjen av seg selv"))

        lobby.others["notifier"]?.kill()
        let form = "quietFrom=&quietUntil="
        let sent = try lobby.ask("POST", "/alerts/quiet-hours", cookie: cookie, form: form)
        #expect(sent.status == 503)
        #expect(sent.header("Refresh") == nil)
        #expect(!sent.body.contains("prøver igjen av seg selv"))
    }

    @Test func `a change from another site is refused`() throws {
        let lobby = try Lobby()
        for site in ["cross-site", "same-site", "none"] {
            let answer = try lobby.ask(
                "POST", "/logout", form: "", ["Sec-Fetch-Site: \(site)"])
            #expect(answer.status == 403, "\(site)")
        }
    }

    @Test func `another host is misdirected, and each answer has the security headers`() throws {
        let lobby = try Lobby()
        #expect(try lobby.ask("GET", "/", ["Host: evil.example"]).status == 421)
        for path in ["/login", "/", "/nothing", "/gallery", "/health", "/files/0/x.js"] {
            let answer = try lobby.ask("GET", path)
            #expect(
                answer.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(!answer.body.contains("style=") && !answer.body.contains("<script>"))
        }
    }

    @Test func `a session that is ended elsewhere is over here too`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let (here, there) = (try lobby.logIn("kari"), try lobby.logIn("kari"))
        #expect(try lobby.ask("GET", "/", cookie: here).status == 200)
        let form = "present=correct+horse+battery&new=another+long+password"
        #expect(try lobby.ask("POST", "/password", cookie: there, form: form).status == 303)
        try eventually("the other log-in has ended") {
            try lobby.ask("GET", "/", cookie: here).status == 303
        }
    }

    @Test func `whoever loses a role gets no more of a board that others continue to see`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        let peers = try ["kari", "ola"].map { name in
            try lobby.add(name, .siteManager)
            let peer = try HTTPPeer(port: lobby.port)
            try peer.send(
                "GET /board/Harbour/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                    + "Cookie: \(try lobby.logIn(name))\r\n\r\n")
            try peer.receive(1, of: "\"todos\"")
            return peer
        }
        try lobby.command("todo", "add", "Mop the cellar", "--priority", "immediate")
        for peer in peers { try peer.receive(1, of: "Mop the cellar") }
        try lobby.command("role", "revoke", "ola", "site-manager")
        let rest = try peers[1].untilEnd()
        #expect(rest.contains("event: over"))
        try lobby.command("todo", "add", "Fetch the ice", "--priority", "immediate")
        try peers[0].receive(1, of: "Fetch the ice")
    }

    @Test func `the stream of a plan ends with its log-in, even when web-service has forgotten it`()
        throws
    {
        let lobby = try Lobby(with: ["plan-service"])
        try lobby.add("kari", .siteManager)
        let plan = try lobby.drawBathroom()
        let cookie = try lobby.logIn("kari")
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET /plan/\(plan)/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try peer.receive(1, of: "event: changed")
        // Another language needs other tokens; without account-service there are none.
        lobby.others["account-service"]?.kill()
        let wish = "mail=kari%40example.org&from=warning&language=nb"
        #expect(
            try lobby.ask("POST", "/alerts/preferences", cookie: cookie, form: wish).status == 303)
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 503)
        try lobby.startOther("account-service")
        let there = try lobby.logIn("kari")
        let form = "present=\(Target.encoded(Lobby.password))&new=another+long+password"
        #expect(try lobby.ask("POST", "/password", cookie: there, form: form).status == 303)
        #expect(try peer.untilEnd().contains("event: over"))
    }

    @Test func `a cached drawing of a plan is shown to no other log-in and in no other language`()
        throws
    {
        let lobby = try Lobby(with: ["plan-service"])
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let id = try lobby.drawBathroom()
        let plans = try lobby.system.client(of: .plan).ask(ListPlans(), for: Plans.self).plans
        let plan = try #require(plans.first)
        let path = "/plan/\(id)/drawing.svg?revision=\(plan.revision)&changed=\(plan.changed)"
        let page = try lobby.ask("GET", "/plan/\(id)", cookie: cookie).body
        #expect(page.contains(path.replacing("&", with: "&amp;") + "&amp;language=en&amp;"))
        let answer = try lobby.ask("GET", path + "&language=en", cookie: cookie)
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "private, max-age=86400")
        #expect(answer.header("Vary") == "Cookie")
        for other in ["", "&language=nb"] {
            let drawn = try lobby.ask("GET", path + other, cookie: cookie)
            #expect(drawn.header("Cache-Control") == "no-store", "\(other)")
        }
    }

    @Test func `open alerts say since when the notifier hasn't answered, until it does`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(try lobby.logIn("kari"))\r\n\r\n")
        let state = #"data: {"id":"alert-state""#
        try peer.receive(1, of: state)
        lobby.others["notifier"]?.kill()
        try peer.receive(1, of: "no contact with notifier")
        try lobby.startOther("notifier")
        try peer.receive(3, of: state)
    }

    @Test(arguments: [
        ("plan.finding", "", "/plan/p%2F1"), ("transit.now", "", "/ride"),
        ("checklist.scheduled", "", "/shift/p%2F1"), ("checklist.overdue", "", "/"),
        ("checklist.overdue", "s 1", "/shift/s%201"), ("mail.dead", "", nil),
    ])
    func `an alert leads to the page of what it is about`(
        kind: String, site: String, path: String?
    ) {
        let raised = AlertRaised(kind: kind, title: "Look", subject: "p/1", site: site)
        let alert = Alert(id: "1", raised: raised, state: .open, severity: .warning)
        let html = AlertPage(alerts: [alert], language: .english, zone: "UTC").list.html
        let found = html.firstMatch(of: /href="([^"]*)"/).map { String($0.1) }
        #expect(found == path)
    }

    @Test func `an answer that comes too late for everyone keeps no processor busy`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        try lobby.openShift()
        let cookie = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/board/Harbour", cookie: cookie).status == 200)
        lobby.holdChecklists(true)
        // After waiting for the service, the page is shown without what isn't known.
        #expect(try lobby.ask("GET", "/board/Harbour", cookie: cookie).status == 200)
        lobby.holdChecklists(false)
        // The answer to another query shows that the earlier, late one has arrived.
        let client = try lobby.system.client(of: .checklist)
        _ = try client.ask(ReadShift(site: "Harbour"), for: ShiftSnapshot.self)

        let before = try lobby.effort()
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        // They come one second apart.
        try peer.receive(4, of: "event: beat")
        #expect(try lobby.effort() - before < 100)
    }
}
