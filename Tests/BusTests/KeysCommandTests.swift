import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// The steps of docs/transport.md, with a separate key ring for each host.
@Suite(.serialized, .waiting) struct KeysCommandTests {
    let system: System
    let port = Loopback.port()

    init() throws { system = try System() }

    @Test func `two hosts and a laptop can communicate`() throws {
        let made = try steward("first", "keys", "init")
        #expect(made.contains("STEWARD_KEYS=\(system.path("first"))\n"))
        try steward("second", "keys", "add", "notifier", "--role", "service")
        try steward("first", "keys", "revoke", "notifier")
        let commands = [
            (try steward("second", "keys", "add", "notifier", "--role", "service"), "first"),
            (try steward("second", "keys", "add", "notifier", "--role", "service"), "laptop"),
            (
                try steward("first", "keys", "add", "transit-alert-service", "--role", "service"),
                "second"
            ),
            (
                try steward("first", "keys", "add", "transit-alert-service", "--role", "service"),
                "laptop"
            ),
        ]
        for service in ServiceName.allCases where ![.notifier, .transitAlert].contains(service) {
            let key = try steward("first", "keys", "add", service.rawValue, "--role", "service")
            for host in ["second", "laptop"] { try steward(host, key) }
        }
        for (command, host) in commands { try steward(host, command) }
        let laptop = try steward("laptop", "keys", "add", "steward", "--role", "gateway")
            .replacing("add steward", with: "add laptop")
        for host in ["first", "second"] { try steward(host, laptop) }

        let programs = try ServiceName.allCases.map {
            try launch($0.rawValue, $0 == .notifier ? "second" : "first")
        }

        try eventually("the notifier hears the other host") { try hears() }
        withExtendedLifetime(programs) {}
    }

    /// Whether the notifier has heard transit-alert-service since its start, as the laptop is told.
    private func hears() throws -> Bool {
        let status = try steward("laptop", "status", "--json")
        let json = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
        let services = json?["services"] as? [[String: Any]] ?? []
        let notifier = services.first { $0["service"] as? String == "notifier" }
        let cursors = (notifier?["status"] as? [String: Any])?["cursors"] as? [[String: Any]] ?? []
        return cursors.contains {
            $0["producer"] as? String == "transit-alert-service" && $0["heard"] is String
        }
    }

    @Test func `the list shows who is admitted and whose secret is here`() throws {
        try steward("keys", "keys", "init")
        try steward("keys", "keys", "add", "screen", "--role", "display")
        try steward("keys", "keys", "revoke", "screen")

        let lines = try steward("keys", "keys", "list").split(separator: "\n")

        #expect(lines.count == ServiceName.allCases.count + 3)
        #expect(
            lines.contains { $0.contains(/^screen +display +revoked +elsewhere +\S{40}$/) })
        #expect(
            lines.contains { $0.contains(/^steward +gateway +admitted +on this host +\S{40}$/) })
    }

    @Test func `after a key was revoked, the way to a new one is shown`() throws {
        try steward("keys", "keys", "init")

        let service = try run("keys", ["keys", "revoke", "notifier"]).err
        let gateway = try run("keys", ["keys", "revoke", "steward"]).err

        #expect(
            service.contains(
                "with Docker Compose: docker compose stop notifier, then docker compose up "
                    + "--detach\n"))
        #expect(
            service.contains(
                "elsewhere: steward keys add notifier --role service, then restart it\n"))
        #expect(gateway.contains("with Docker Compose: docker compose up --detach\n"))
        #expect(gateway.contains("elsewhere: steward keys add steward --role gateway\n"))
    }

    @Test func `a bus without keys lists none`() throws {
        let none = try run("keys", ["keys", "list"])
        #expect(none.end == .exited(0))
        #expect(none.err.contains("there are no keys here"))
        let list = try run("keys", ["keys", "list", "--json"])
        #expect(list.end == .exited(0) && list.out.contains("\"keys\""))
    }

    @Test func `what can't be done is reported in a sentence`() throws {
        let missing = try run("keys", ["keys", "revoke", "nobody"])
        let wrong = try run("keys", ["keys", "add", "x", "--role", "display", "--public-key", "y"])

        #expect(missing.end == .exited(1))
        #expect(missing.err.contains("there is no key of “nobody” in"))
        #expect(wrong.end == .exited(64))
        #expect(wrong.err.contains("is not a CURVE key of 40 characters"))
    }

    private func launch(_ service: String, _ keys: String) throws -> Program {
        let program = try system.launch(
            service, data: "data-\(keys)", bus: "tcp://127.0.0.1:\(port)",
            adding: ["STEWARD_KEYS": system.path(keys)])
        try program.waitUntilReady()
        return program
    }

    /// Runs a command line exactly as it was shown.
    @discardableResult
    private func steward(_ keys: String, _ line: String) throws -> String {
        let words = line.trimmingCharacters(in: .whitespacesAndNewlines).replacing("'", with: "")
            .split(separator: " ").dropFirst().map(String.init)
        return try steward(keys, words)
    }

    @discardableResult
    private func steward(_ keys: String, _ words: String...) throws -> String {
        try steward(keys, words)
    }

    private func steward(_ keys: String, _ words: [String]) throws -> String {
        let (end, out, err) = try run(keys, words)
        guard end == .exited(0) else { throw Complaint("steward \(words): \(end) \(err)") }
        return out
    }

    private func run(
        _ keys: String, _ words: [String]
    ) throws -> (end: Program.End, out: String, err: String) {
        let program = try system.spawn(
            ["\(System.executables)/steward"] + words,
            environment: system.environment(
                data: "data-\(keys)", bus: "tcp://127.0.0.1:\(port)",
                adding: ["STEWARD_KEYS": system.path(keys)]))
        return (try program.waitForEnd(), program.out, program.err)
    }
}
