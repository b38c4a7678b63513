import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// What happens when a service refuses access tokens, or a session ends, served by real services.
@Suite(.waiting) struct TokenTests {
    private static let commands =
        "\(ServiceName.plan.rawValue).\(EndpointKind.commands.rawValue)"

    /// Starts a plan-service that never gets the key to verify tokens with, but has another key.
    ///
    /// - Parameters:
    ///   - lobby: the installation.
    ///   - name: what the key that it has is called, as hexadecimal digits; nil for the name of the
    ///     right one, whose tokens it then takes for forged.
    private func startApart(_ lobby: Lobby, knowing name: String? = nil) throws -> Program {
        let system = lobby.system
        try system.makeFolder("apart")
        try FileManager.default.createSymbolicLink(
            atPath: system.path("run/\(Self.commands)"),
            withDestinationPath: system.path("apart/\(Self.commands)"))
        try system.start(ServiceName.plan.rawValue, bus: "apart").kill()
        let right = try system.query(.account, "SELECT hex(id) FROM accessKey").first?.first
        let name = try #require(name ?? right)
        try system.edit(.plan, "INSERT INTO accessKey VALUES (x'\(name)', zeroblob(32), 0)")
        return try system.start(ServiceName.plan.rawValue, bus: "apart")
    }

    /// Replaces it by a plan-service that gets the right key.
    private func replace(_ service: Program, in lobby: Lobby) throws {
        service.kill()
        try FileManager.default.removeItem(atPath: lobby.system.path("run/\(Self.commands)"))
        try lobby.startOther("plan-service")
    }

    @Test func `while a new key is on its way a page loads again, and nobody is logged out`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let service = try startApart(lobby, knowing: "0011223344556677")
        let cookie = try lobby.logIn("kari")
        var answer: Lobby.Answer?
        try eventually("it is to load again") {
            answer = try lobby.ask("GET", "/plans", cookie: cookie)
            return answer?.body.contains("does not know your log-in yet") == true
        }
        #expect(answer?.status == 503 && answer?.header("Refresh") == "5; url=/plans?again=1")
        #expect(answer?.header("Set-Cookie") == nil)

        try replace(service, in: lobby)

        try eventually("the page is served") {
            answer = try lobby.ask("GET", "/plans", cookie: cookie)
            return answer?.status == 200
        }
    }

    @Test func `a page that redirects to itself stops if new tokens are refused too`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let service = try startApart(lobby)
        var statuses: Set<Int> = []
        try eventually("it says why") {
            let status = try lobby.ask("GET", "/plans", cookie: cookie).status
            statuses.insert(status)
            return status == 401
        }
        #expect(statuses.contains(303))
        service.kill()
    }

    @Test func `a token that is refused after it was replaced casts no doubt on the new one`()
        throws
    {
        let person = Person(BrowserLogIn(), seen: 0)
        func fetch(_ token: [UInt8]) throws -> Proof {
            let tokens = [ServiceName.plan.rawValue: token]
            person.use(AccessGranted(tokens: tokens, expires: 1_000_000))
            return try #require(person.proof(for: .plan))
        }
        // Three requests had sent it. One is answered at once, one while new tokens are fetched.
        let first = try fetch([1])
        for now: Int64 in [10_000, 10_001] {
            person.distrust(first, at: now)
            #expect(person.renewal == 0 && person.mayTryAgain(at: now))
        }
        let second = try fetch([2])

        person.distrust(first, at: 10_002)

        #expect(person.renewal > 0 && person.mayTryAgain(at: 10_002))
        // A third token won't help only if the new one is refused too.
        person.distrust(second, at: 10_003)
        #expect(person.renewal > 0 && !person.mayTryAgain(at: 10_003))
        // It may be revoked later.
        person.distrust(second, at: 20_000)
        #expect(person.renewal == 0 && person.mayTryAgain(at: 20_000))
    }

    @Test func `a log-in that replaces another one ends its session`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let first = try lobby.logIn("kari")
        let form = "name=kari&password=" + Target.encoded(Lobby.password)
        let second = try lobby.ask("POST", "/login", cookie: first, form: form)
        #expect(second.status == 303)

        let client = try lobby.system.client(of: .account)
        client.token = try client.logIn("kari", for: .account)
        try eventually("only the second one is left, and that of this test") {
            try client.ask(ListSessions(), for: Sessions.self).sessions.count == 2
        }
        #expect(try lobby.ask("GET", "/", cookie: second.cookie).status == 200)
    }

    @Test func `a stream of a plan whose token is refused is opened with a new one`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let service = try startApart(lobby)
        try eventually("the token is refused") {
            try lobby.ask("GET", "/plans", cookie: cookie).status == 401
        }
        let path = "/plan/" + String(repeating: "0", count: 32) + "/stream"
        func stream() throws -> Int { try lobby.ask("GET", path, cookie: cookie).status }
        #expect(try stream() == 503)
        try replace(service, in: lobby)
        // There is no such plan.
        try eventually("the new token is good") { try stream() == 404 }
    }

    @Test func `a board whose tokens are all refused says that nothing new comes`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        lobby.killChecklists()
        // It takes every token for forged from now on.
        try lobby.system.edit(.checklist, "UPDATE accessKey SET key = zeroblob(32)")
        try lobby.startChecklists()

        let page = try HTTPPeer(port: lobby.port)
        try page.send(
            "GET /board/Harbour/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")

        try page.receive(1, of: "stale")
    }
}
