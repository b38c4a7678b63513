import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// Log-ins that are over.
@Suite(.waiting) struct EndedLogInTests {
    @Test func `however many log-ins are over, all are deleted soon`() throws {
        let lobby = try Lobby()
        lobby.kill()
        try lobby.system.edit(
            .web,
            """
            INSERT INTO logIn (cookie, session, ends, logIn)
            WITH RECURSIVE one (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < 2500)
            SELECT randomblob(32), 'session', 1, x'' FROM one
            """)
        try lobby.start()

        try eventually("all are deleted") {
            try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]]
        }
    }

    @Test func `a form that is sent after the log-in is over leads back to its page, with a note`()
        throws
    {
        let lobby = try Lobby()
        for (path, page) in [
            ("/alerts/preferences", "/alerts/preferences"), ("/people/invite", "/people"),
            ("/alerts/1234/acknowledge", "/alerts"), ("/sites", "/"),
        ] {
            let form = "mail=&language=en&from=info&name=Harbour&zone=UTC"
            let answer = try lobby.ask("POST", path, form: form)
            let place = try #require(answer.header("Location"), "\(path)")
            #expect(place == "/login?form=1&next=" + Target.encoded(page))
            let logIn = try lobby.ask("GET", place).body
            #expect(logIn.contains("It is not known whether this was done."), "\(path)")
            #expect(logIn.contains("name=\"next\" value=\"\(page)\""), "\(path)")
        }
    }

    @Test func `a session that ends just after its token was exchanged shows no page`() throws {
        let lobby = try Lobby(isOverseen: true)
        let overseer = try #require(lobby.overseer)
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        overseer.holdBack(WhoAmI.protobufName)
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\nConnection: close\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try eventually("it asks whose page it is") {
            try lobby.overseen().contains { $0.type == WhoAmI.protobufName }
        }

        try lobby.system.edit(.account, "UPDATE session SET ended = 1")
        overseer.holdBack(nil)

        #expect(try peer.untilEnd().hasPrefix("HTTP/1.1 503 "))
        let next = try lobby.ask("GET", "/", cookie: cookie)
        #expect(next.status == 303 && next.header("Location") == "/login")
    }

    @Test func `an exchange of tokens that is refused as one too many is not repeated at once`()
        throws
    {
        let lobby = try Lobby(isOverseen: true)
        let kari = try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
        func exchanges() throws -> Int {
            try lobby.overseen().count { $0.type == RefreshAccess.protobufName }
        }
        var (before, begun, round) = (0, ContinuousClock.now, 0)
        try eventually("an exchange is refused") {
            // Another language needs other tokens.
            let wish = "mail=kari%40example.org&from=warning&language=\(["nb", "sv"][round % 2])"
            let kept = try lobby.ask("POST", "/alerts/preferences", cookie: cookie, form: wish)
            #expect(kept.status == 303)
            round += 1
            // All exchanges of a day are used up. On a busy machine, one more may be allowed by the
            // time that it is asked for.
            let full = Int64(Date().timeIntervalSince1970 * 1000) + 86_400_000
            try lobby.system.edit(
                .account, "INSERT OR REPLACE INTO refreshAllowance VALUES ('\(kari)', \(full))")
            (before, begun) = (try exchanges(), ContinuousClock.now)
            return try lobby.ask("GET", "/", cookie: cookie).status == 503
        }
        for _ in 0..<9 { _ = try lobby.ask("GET", "/", cookie: cookie) }
        // One more is allowed after seven seconds.
        let seconds = Int((ContinuousClock.now - begun) / .seconds(1))
        #expect(try exchanges() - before <= 1 + seconds / 5)
        try eventually("it goes on by itself") {
            try lobby.ask("GET", "/", cookie: cookie).status == 200
        }
    }
}
