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

    /// Starts a plan-service that no key to check tokens with reaches.
    private func startApart(_ lobby: Lobby) throws -> Program {
        let system = lobby.system
        try system.makeFolder("apart")
        try FileManager.default.createSymbolicLink(
            atPath: system.path("run/\(Self.commands)"),
            withDestinationPath: system.path("apart/\(Self.commands)"))
        return try system.start(ServiceName.plan.rawValue, bus: "apart")
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
        // Only if the new one is refused too, a third won't help.
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
        service.kill()
        try FileManager.default.removeItem(atPath: lobby.system.path("run/\(Self.commands)"))
        try lobby.startOther("plan-service")
        // There is no such plan.
        try eventually("the new token is good") { try stream() == 404 }
    }
}
