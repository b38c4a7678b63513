import Foundation
import TestSupport
import TestThreads
import Testing

/// Requests that are almost right, from many addresses: MUTATED_REQUESTS=1000000 for a long run.
@Suite(.waiting) struct MutatedRequestTests {
    private static let count =
        ProcessInfo.processInfo.environment["MUTATED_REQUESTS"].flatMap { Int($0) } ?? 3000
    private static let atOnce = 20_000
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../WebPages/mutate.py").standardized.path

    @Test func `whatever is sent, the server answers or hangs up, never fails and never grows`()
        throws
    {
        let lobby = try Lobby()
        try lobby.add("kari", .siteManager)
        let cookie = try lobby.logIn("kari")
        var statuses = ""
        var seed = Int(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 1
        // Small enough parts that each ends within the time limit.
        func send(_ count: Int) throws {
            for start in stride(from: 0, to: count, by: Self.atOnce) {
                let part = "\(min(Self.atOnce, count - start))"
                let run = try lobby.system.spawn(
                    ["/usr/bin/python3", Self.script, "\(lobby.port)", part, "\(seed)", cookie],
                    environment: lobby.system.environment())
                let end = try run.waitForEnd()
                try #require(end == .exited(0), "\(run.err.prefix(2000))")
                statuses += run.out
                seed += 1
            }
        }
        // Whatever is allocated only once is allocated in the first third.
        try send(Self.count / 3)
        let before = try memory(lobby)
        try send(Self.count - Self.count / 3)
        // Some requests get pages, some are refused as forms and some as bytes, so the mutations
        // are mild enough to be parsed.
        for status in ["200", "400", "404"] {
            #expect(statuses.contains("\(status)="), "\(statuses)")
        }
        #expect(try memory(lobby) < before * 3 / 2 + 20_000)
        #expect(try lobby.ask("GET", "/", cookie: cookie).status == 200)
    }

    /// The memory that the process uses, in KiB.
    private func memory(_ lobby: Lobby) throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(lobby.web.pid)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    }
}
