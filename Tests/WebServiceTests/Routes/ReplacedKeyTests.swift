import Bus
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// Services that get another key while web-service runs.
@Suite(.waiting) struct ReplacedKeyTests {
    private let system: System
    private let ring: KeyRing
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"

    /// Makes kari's account on a bus without keys, where the owner needs no log-in.
    init() throws {
        system = try System()
        ring = try system.makeKeys()
        let accounts = try system.start("account-service")
        try system.client(of: .account).signUp("kari", [Grant(role: .siteManager)])
        accounts.kill()
    }

    private func start(_ service: String) throws -> Program {
        let program = try system.launch(
            service, bus: bus,
            adding: ["STEWARD_KEYS": system.path("keys"), "STEWARD_WEB_FILES": Lobby.files])
        try program.waitUntilReady()
        return program
    }

    private func logIn(at port: Int) throws -> String {
        let peer = try HTTPPeer(port: port)
        let form = "name=kari&password=\(Target.encoded(Lobby.password))"
        let lines = [
            "POST /login HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
            "Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: \(form.utf8.count)", "", form,
        ]
        try peer.send(lines.joined(separator: "\r\n"))
        return try peer.untilEnd()
    }

    @Test func `people log in again as soon as account-service has another key`() throws {
        let accounts = try start("account-service")
        let web = try start("web-service")
        let line = try #require(web.err.firstMatch(of: /event=listening bus=127.0.0.1:(\d+)/))
        let port = try #require(Int(line.1))
        try eventually("somebody can log in") {
            try logIn(at: port).hasPrefix("HTTP/1.1 303 ")
        }

        accounts.kill()
        try ring.revoke("account-service")
        try ring.create("account-service", role: .service)
        let next = try start("account-service")

        try eventually("somebody can log in again") {
            try logIn(at: port).hasPrefix("HTTP/1.1 303 ")
        }
        #expect(web.err.contains("service has another key"))
        withExtendedLifetime(next) {}
    }
}
