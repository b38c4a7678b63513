import Bus
import Checksum
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

/// What web-service keeps, and what it doesn't.
@Suite(.waiting) struct KeptTests {
    private struct Sending: Encodable {
        let operations: [ShiftOperation]
        let deviceHead: UInt64
    }

    @Test func `a log-in survives a wrong clock of the web server`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        // Whatever it asks now comes too late.
        let clock = URL(filePath: lobby.system.path("clock"))
        try Data("-120".utf8).write(to: clock)
        lobby.kill()
        try lobby.start(clock: clock.path)
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 503)
        try Data("0".utf8).write(to: clock, options: .atomic)
        try eventually("she is still logged in") {
            try lobby.ask("GET", "/", cookie: cookie).status == 200
        }
    }

    @Test func `an open page doesn't keep an administrator logged in`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let cookie = try lobby.logIn("kari")
        let clock = URL(filePath: lobby.system.path("clock"))
        try Data("0".utf8).write(to: clock)
        lobby.kill()
        try lobby.start(clock: clock.path)
        let page = try HTTPPeer(port: lobby.port)
        try page.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try page.receive(1, of: "event: part")
        // The other services don't understand what it asks now, but it goes on trying.
        try Data("\(7 * 3600)".utf8).write(to: clock, options: .atomic)
        try page.receive(1, of: "no contact with")
        // Seven hours ago it asked by itself, and thirteen ago someone logged in.
        try Data("\(13 * 3600)".utf8).write(to: clock, options: .atomic)
        #expect(try page.untilEnd().contains("event: over"))
    }

    /// For how many hours the only log-in is still kept.
    private func hours(_ lobby: Lobby) throws -> Int64 {
        let rows = try lobby.system.query(.web, "SELECT ends FROM logIn")
        let ends = try #require(rows.first?.first.flatMap { Int64($0) })
        return (ends - WallClock.milliseconds()) / 3_600_000
    }

    @Test func `whoever becomes an administrator is logged out after twelve hours`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .crew)
        let word = Target.encoded(Lobby.password)
        let answer = try lobby.ask(
            "POST", "/login", form: "name=kari&password=\(word)&stay=yes")
        let cookie = try #require(answer.cookie)
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
        #expect(try hours(lobby) > 700)
        let page = try HTTPPeer(port: lobby.port)
        try page.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try page.receive(1, of: "event: part")
        try lobby.command("role", "grant", "kari", "administrator")
        // Her open page asks at once who she is, although her tokens are valid for some minutes.
        try withExtendedLifetime(page) {
            try eventually("the log-in is shorter") { try hours(lobby) <= 12 }
        }
        // It isn't made longer again.
        try lobby.command("role", "revoke", "kari", "administrator")
        try eventually("she is no administrator") {
            try lobby.ask("GET", "/people/audit", cookie: cookie).status == 403
        }
        #expect(try hours(lobby) <= 12)
    }

    @Test func `whoever comes back to an open page is noted at once`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .administrator)
        let cookie = try lobby.logIn("kari")
        lobby.kill()
        let rows = try lobby.system.query(.web, "SELECT hex(logIn) FROM logIn")
        let digits = Array(try #require(rows.first?.first))
        var logIn = try BrowserLogIn(
            unpacking: stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<$0 + 2]), radix: 16)
            })
        // The log-in was last used five hours ago.
        logIn.used -= 5 * 3_600_000
        try lobby.system.edit(
            .web, "UPDATE logIn SET logIn = X'\(Checksum.digits(logIn.packed()))'")
        try lobby.start()
        let page = try HTTPPeer(port: lobby.port)
        try page.send(
            "GET /alerts/stream HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\n"
                + "Cookie: \(cookie)\r\n\r\n")
        try page.receive(1, of: "event: part")
        // A page without scripts loads itself again and again, whether or not she is there.
        #expect(try lobby.ask("GET", "/alerts?again=1", cookie: cookie).status == 200)
        #expect(try hours(lobby) == 6)
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
        #expect(try hours(lobby) == 11)
    }

    @Test func `a display goes on without a limit, although it had no role for a while`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        try lobby.add("wall", .display)
        let cookie = try lobby.logIn("wall")
        func status() throws -> Int {
            try lobby.ask("GET", "/board/Harbour", cookie: cookie).status
        }
        #expect(try status() == 200)
        try lobby.command("role", "revoke", "wall", "display")
        try eventually("it sees nothing") { try status() != 200 }
        try lobby.command("role", "grant", "wall", "display")
        try eventually("it sees the board again") { try status() == 200 }
        // It is kept for 100 days, and in no case ends before its session.
        #expect(try hours(lobby) > 2000)
    }

    @Test func `what web-service has confirmed is kept, whenever it is killed`() throws {
        let lobby = try Lobby()
        try lobby.openShift()
        let account = try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        let shift = try #require(
            try lobby.system.client(of: .checklist)
                .ask(ReadShift(site: "Harbour"), for: ShiftSnapshot.self).shift)
        var ids = MessageID.Generator()
        for number in 1...5 as ClosedRange<UInt64> {
            let now = WallClock.milliseconds()
            let todo = ShiftOperation(
                id: ids.next(at: now).bytes, shift: shift.id, device: "phone",
                deviceSequence: number, deviceTime: now,
                change: .addTodo(
                    AddTodo(title: "To-do \(number)", area: "kitchen", priority: "immediate")))
            let sent = try JSONEncoder().encode(Sending(operations: [todo], deviceHead: number))
            let answer = try lobby.ask(
                "POST", "/operations", cookie: cookie, form: String(decoding: sent, as: UTF8.self),
                kind: "application/json", ["Steward-Account: \(account)"])
            #expect(answer.status == 200, "\(answer.body)")
            try lobby.restart()
        }
        let read = try lobby.system.client(of: .checklist)
            .ask(ReadOperations(shift: shift.id), for: OperationPage.self).operations
        let kept = read.filter { if case .addTodo = $0.change { true } else { false } }
        #expect(kept.map(\.deviceSequence) == [1, 2, 3, 4, 5])
    }

    @Test func `without its store everyone logs in again, and nothing else is missing`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        lobby.kill()
        let folder = lobby.system.path("data")
        let own = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("web-service.sqlite") }
        #expect(!own.isEmpty)
        for name in own { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        try lobby.start()
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 303)
        let again = try lobby.logIn("kari")
        #expect(try lobby.ask("GET", "/", cookie: again).body.contains("Hello, kari"))
    }

    @Test func `a page that was loaded before an upgrade still gets its files`() throws {
        let lobby = try Lobby()
        let page = try lobby.ask("GET", "/login").body
        let path = String(
            try #require(page.firstMatch(of: /href="(\/files\/[^"]+\/steward\.css)"/)).1)
        let before = try lobby.ask("GET", path)
        #expect(before.status == 200)
        try lobby.upgrade()
        #expect(try !lobby.ask("GET", "/login").body.contains(path))
        let after = try lobby.ask("GET", path)
        #expect(after.status == 200)
        #expect(after.body == before.body)
        // Where nothing can be kept, pages are served all the same.
        lobby.kill()
        let folder = lobby.system.path("data/web-service.files")
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        try lobby.start()
        #expect(try lobby.ask("GET", path).status == 200)
    }

    @Test func `a log-in that is deleted while its tokens are renewed stays deleted`() throws {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        // A new process has no tokens, and account-service gives none yet.
        try lobby.restart()
        let before = try lobby.system.query(.web, "SELECT hex(logIn) FROM logIn")
        try lobby.holdOther("account-service", true)
        let peer = try HTTPPeer(port: lobby.port)
        try peer.send(
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(lobby.port)\r\nCookie: \(cookie)\r\n\r\n")
        try eventually("the next token is kept") {
            try lobby.system.query(.web, "SELECT hex(logIn) FROM logIn") != before
        }
        try lobby.system.edit(.web, "DELETE FROM logIn")
        try lobby.holdOther("account-service", false)

        #expect(try !peer.response().hasPrefix("HTTP/1.1 200 "))
        #expect(try lobby.system.query(.web, "SELECT count(*) FROM logIn") == [["0"]])
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 303)
    }
}
