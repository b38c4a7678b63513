import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// Requests on their way to an answer: how many there are at once, and what the log says of them.
@Suite(.waiting) struct FlightTests {
    @Test func `one log-in can't have more than twenty requests answered at the same time`() throws
    {
        let lobby = try Lobby()
        try lobby.openShift()
        for name in ["kari", "ola"] { try lobby.add(name, .siteManager) }
        let (kari, ola) = (try lobby.logIn("kari"), try lobby.logIn("ola"))
        lobby.holdChecklists(true)
        let begun = ContinuousClock.now
        let peers = try (0..<60).map { _ in
            let peer = try HTTPPeer(port: lobby.port)
            try peer.send(
                "GET /board/Harbour HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                    + "Cookie: \(kari)\r\n\r\n")
            return peer
        }
        // Others aren't held up.
        #expect(try lobby.ask("GET", "/", cookie: ola).status == 200)
        let answers = try peers.map { try $0.response() }
        // On a busy machine, some of the sixty may come when the first twenty have been answered
        // without the service.
        let rounds = 1 + Int((ContinuousClock.now - begun) / Switchboard.patience)
        lobby.holdChecklists(false)
        let refused = answers.filter { $0.hasPrefix("HTTP/1.1 429 ") }
        #expect((60 - 20 * rounds...40).contains(refused.count))
        #expect(!refused.isEmpty && refused.allSatisfy { $0.contains("Retry-After: 1\r\n") })
        #expect(answers.contains { $0.hasPrefix("HTTP/1.1 200 ") })
        // None of them counts any more.
        for _ in 0..<25 { #expect(try lobby.ask("GET", "/", cookie: kari).status == 200) }
    }

    @Test func `strangers of one address are slowed down, but nobody who is logged in`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
        #expect(try refusalOfStrangers(lobby).contains("Retry-After: 1\r\n"))
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
    }

    /// Sends requests, each with another made-up cookie, until one is refused.
    private func refusalOfStrangers(_ lobby: Lobby) throws -> String {
        let peer = try HTTPPeer(port: lobby.port)
        var refused: [String] = []
        for round in 10..<30 where refused.isEmpty {
            let requests = (10..<30).map { number in
                "GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\nCookie: steward="
                    + String(repeating: "\(round)\(number)", count: 16) + "\r\n\r\n"
            }
            try peer.send(requests.joined())
            let answers = try requests.map { _ in try peer.response() }
            refused = answers.filter { $0.hasPrefix("HTTP/1.1 429 ") }
        }
        return try #require(refused.first)
    }

    private static func request(_ path: String, _ lobby: Lobby, _ cookie: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\nCookie: \(cookie)\r\n\r\n"
    }

    @Test func `whoever only follows a stream isn't a stranger after a restart`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        try lobby.restart()
        let page = try HTTPPeer(port: lobby.port)
        try page.send(Self.request("/alerts/stream", lobby, cookie))
        try page.receive(1, of: "event: version")
        _ = try refusalOfStrangers(lobby)
        // Strangers may send ten a second.
        let peer = try HTTPPeer(port: lobby.port)
        let request = Self.request("/health", lobby, cookie)
        try peer.send(String(repeating: request, count: 100))
        for _ in 0..<100 { #expect(try peer.response().hasPrefix("HTTP/1.1 200 ")) }
    }

    @Test func `acknowledging again and again causes no reads for other people's pages`() throws {
        let lobby = try Lobby(isOverseen: true)
        for name in ["kari", "ola"] { try lobby.add(name, .siteManager) }
        let (kari, ola) = (try lobby.logIn("kari"), try lobby.logIn("ola"))
        let page = try HTTPPeer(port: lobby.port)
        try page.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(ola)\r\n\r\n")
        try page.receive(1, of: "event: part")
        func reads() throws -> Int {
            try lobby.overseen().count { $0.type == OpenFeed.protobufName }
        }
        let (begun, before) = (ContinuousClock.now, try reads())
        for _ in 0..<60 {
            let path = "/alerts/0192ffff/acknowledge"
            #expect(try lobby.ask("POST", path, cookie: kari, form: "").status != 303)
        }
        // An open page reads them every five seconds by itself.
        let seconds = Int((ContinuousClock.now - begun) / .seconds(1))
        #expect(try reads() - before <= seconds / 5 + 2)
    }

    @Test func `a log-in has at most six streams, an account 300, and all together have 500`() {
        var streams = LogInCount.streams
        for number in 1...6 as ClosedRange<UInt64> {
            #expect(streams.begin([0], of: "kari") == number)
        }
        #expect(streams.begin([0], of: "kari") == nil)
        streams.end(3)
        streams.end(3)
        #expect(streams.begin([0], of: "kari") == 7)
        #expect(streams.begin([0], of: "kari") == nil)
        let own = (0..<294).map { streams.begin([1, UInt8($0 / 6)], of: "kari") }
        #expect(!own.contains(nil))
        #expect(streams.begin([2], of: "kari") == nil)
        for (number, name) in ["per", "liv", "ann", "tor"].enumerated() {
            let others = (0..<50).map {
                streams.begin([3, UInt8(number), UInt8($0 / 6)], of: name)
            }
            #expect(!others.contains(nil))
        }
        #expect(streams.begin([4], of: "ola") == nil)
        streams.end(1)
        #expect(streams.begin([4], of: "ola") != nil)
    }

    @Test func `two accounts can't take the streams that a third one needs for its boards`() {
        var streams = LogInCount.streams
        for (number, name) in ["kari", "per"].enumerated() {
            for logIn in 0..<100 as Range<UInt8> {
                for _ in 0..<6 { _ = streams.begin([UInt8(number), logIn], of: name) }
            }
        }
        let own = (0..<50).map { streams.begin([2, UInt8($0 / 6)], of: "ola") }
        #expect(!own.contains(nil))
        // Those who have taken the most get no more, while others still do.
        #expect(streams.begin([0, 200], of: "kari") == nil)
        #expect(streams.begin([1, 200], of: "per") == nil)
        #expect(streams.begin([2, 200], of: "ola") == nil)
        #expect(streams.begin([3], of: "liv") != nil)
    }

    @Test func `a page that connects again replaces its stream, which its proxy keeps open`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        /// Opens a stream that the test, as a proxy would, never closes.
        func open(_ page: String, _ attempt: Int, first: Int) throws -> HTTPPeer {
            let peer = try HTTPPeer(port: lobby.port)
            let path = "/alerts/stream?page=\(page)&attempt=\(attempt)&first=\(first)"
            try peer.send(Self.request(path, lobby, cookie))
            return peer
        }
        let peers = try (1...20).map { attempt in
            let peer = try open("one", attempt, first: attempt)
            try peer.receive(1, of: "event: version")
            return peer
        }
        for peer in peers.dropLast() { _ = try peer.untilEnd() }
        // One that the page still waits for goes on.
        let next = try open("one", 21, first: 20)
        try next.receive(1, of: "event: version")
        peers[19].discard()
        try peers[19].receive(1, of: "event: beat")
        // Other pages have theirs, up to six in all.
        let others = try (1...4).map { try open("other\($0)", 1, first: 1) }
        for other in others { try other.receive(1, of: "event: version") }
        let refused = try open("another", 1, first: 1).response()
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("Retry-After: 5\r\n"))
        for peer in [next] + others { try peer.receive(2, of: "event: beat") }
    }

    @Test func `neither a log-in nor an account can make others wait for all of its drawings`() {
        var drawings = LogInCount.drawings
        for number in 1...6 as ClosedRange<UInt64> {
            #expect(drawings.begin([0], of: "kari") == number)
        }
        #expect(drawings.begin([0], of: "kari") == nil)
        for _ in 0..<2 { #expect(drawings.begin([1], of: "kari") != nil) }
        #expect(drawings.begin([2], of: "kari") == nil)
        for _ in 0..<4 { #expect(drawings.begin([3], of: "ola") != nil) }
        // Two accounts together leave something to others, too.
        #expect(drawings.begin([3], of: "ola") == nil)
        #expect(drawings.begin([4], of: "liv") != nil)
    }

    @Test func `each request is logged with its route and its log-in, and with nothing secret`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let row = try lobby.system.query(.web, "SELECT session FROM logIn").first
        let session = try #require(row?.first)
        _ = try lobby.ask("GET", "/people/audit?text=unheard", cookie: cookie)
        _ = try lobby.ask("GET", "/login?next=%2Funseen")
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        for line in [
            "message=\"GET /people/audit\" id=\(session) code=", "message=\"GET /login\" id=- ",
            "message=\"GET /alerts/stream\" id=\(session) code=200",
        ] {
            try eventually("there is the line \(line)") { lobby.web.err.contains(line) }
        }
        let secret = String(cookie.dropFirst("steward=".count))
        for text in ["unheard", "unseen", secret, Lobby.password] {
            #expect(!lobby.web.err.contains(text), "\(text)")
        }
    }

    @Test func `what is refused at the door is logged with its route, and with nothing secret`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        _ = try lobby.ask("GET", "/people/audit?text=unheard", cookie: cookie, ["Host: unasked"])
        _ = try lobby.ask(
            "POST", "/alerts/untold/acknowledge", cookie: cookie, form: "note=unsaid",
            ["Sec-Fetch-Site: cross-site"])
        let long = String(repeating: "untyped", count: 1000)
        _ = try lobby.ask("POST", "/login", form: "name=unnamed&password=\(long)")
        try eventually("the account-service answers in time") {
            try lobby.ask("POST", "/login", form: "name=unnamed&password=untyped").status == 403
        }
        // One more is allowed every three seconds, and each takes far less.
        try eventually("no more log-ins are allowed") {
            try lobby.ask("POST", "/login", cookie: cookie, form: "").status == 429
        }
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send("GET /unseen HTTP/1.1\r\nunread : 1\r\n\r\n")
        _ = try peer.untilEnd()

        for line in [
            #"event=refused message="GET /people/audit" code=421 count=0"#,
            #"event=refused message="POST /alerts/{id}/acknowledge" code=403 count=0"#,
            #"event=refused message="POST /login" code=413 count=0"#,
            #"event=refused message="POST /login" code=429 count=0"#,
            "event=refused message=- code=400 count=0",
            #"event=request message="POST /login" id=- code=403 "#,
        ] {
            try eventually("there is the line \(line)") { lobby.web.err.contains(line) }
        }
        let secret = String(cookie.dropFirst("steward=".count))
        for text in [
            "unasked", "unheard", "untold", "unsaid", "unnamed", "untyped", "unseen", "unread",
            secret, Lobby.password,
        ] {
            #expect(!lobby.web.err.contains(text), "\(text)")
            for (name, program) in lobby.others {
                #expect(!program.err.contains(text), "\(name): \(text)")
            }
        }
    }

    @Test func `each file that is sent is logged, and a flood of them is counted`() throws {
        let lobby = try Lobby()
        let page = try lobby.ask("GET", "/login").body
        let found = try #require(page.firstMatch(of: #/\/files\/[0-9a-f]+\/steward\.css/#))
        let path = String(found.output)
        let begun = ContinuousClock.now
        let file = try lobby.ask("GET", path)
        let line = #"event=request message="GET /files/{version}/{name}" id=- code="#
        try eventually("there is its line") {
            lobby.web.err.contains("\(line)200 ms=0 count=\(file.bytes.count)\n")
        }
        let tag = try #require(file.header("ETag"))
        _ = try lobby.ask("GET", path, ["If-None-Match: \(tag)"])
        try eventually("there is a line of what the browser has") {
            lobby.web.err.contains("\(line)304 ms=0 count=0\n")
        }
        let request =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
            + "If-None-Match: \(tag)\r\n\r\n"
        for _ in 0..<20 {
            let peer = try HTTPPeer(port: lobby.port)
            try peer.send(String(repeating: request, count: 20))
            try peer.receive(20, of: "HTTP/1.1 304 ")
        }
        let lines = lobby.web.err.components(separatedBy: "\(line)304 ").count - 1
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        #expect(lines >= 200 && lines <= 201 + Int(seconds) / 3)
        try eventually("how many were not logged is told") {
            _ = try lobby.ask("GET", path, ["If-None-Match: \(tag)"])
            return lobby.web.err.contains(/event=unlogged .* code=304 count=[1-9]/)
        }
        #expect(!lobby.web.err.contains("steward.css"))
    }

    @Test func `a flood of refused requests is counted in the log, and doesn't fill it`() throws {
        let lobby = try Lobby()
        let begun = ContinuousClock.now
        let peer = try HTTPPeer(port: lobby.port)
        for _ in 0..<10 {
            let request = "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n"
            try peer.send(String(repeating: request, count: 20))
            for _ in 0..<20 { #expect(try peer.response().hasPrefix("HTTP/1.1 421 ")) }
        }
        let lines = lobby.web.err.components(separatedBy: " code=421 ").count - 1
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        #expect(lines >= 20 && lines <= 21 + Int(seconds) / 3)
        try eventually("how many were not logged is told") {
            _ = try lobby.ask("GET", "/", ["Host: other.example"])
            return lobby.web.err.contains(/code=421 count=[1-9]/)
        }
    }
}
