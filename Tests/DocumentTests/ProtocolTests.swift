import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The examples of the protocol's page, over TCP with CURVE keys: a person who logs in, and a
/// display.
@Suite(.serialized, .waiting) struct ProtocolTests {
    private let system: System
    private let port = Loopback.port()
    private var bus: String { "tcp://127.0.0.1:\(port)" }
    private let page: Document

    /// Makes keys for a person's program and for a display, an account, and an alert for it that is
    /// repeated every five seconds.
    init() throws {
        system = try System()
        page = try Document("docs/protocol.md")
        try system.makeKeys(["laptop": .gateway, "wall": .display])
        let ann = try atHome { try $0.signUp("ann", [Grant(role: .administrator)]) }
        try system.raiseAlert("Get off", for: ann.id)
        let script = page.blocks("sh")[0].replacing("_out=.", with: "_out=\(system.directory)")
        try Terminal(system: system).run(script)
        for (file, code) in zip(["person.py", "display.py"], page.blocks("python")) {
            try code.write(toFile: system.path(file), atomically: true, encoding: .utf8)
        }
    }

    /// Runs `body` in the directory of the owner, who needs no log-in.
    private func atHome<R>(_ body: (Client) throws -> R) throws -> R {
        let service = try system.start("account-service")
        defer { service.kill() }
        return try body(try system.client(of: .account))
    }

    private func start(_ service: String) throws -> Program {
        let program = try system.launch(
            service, bus: bus, adding: ["STEWARD_KEYS": system.path("keys")])
        try program.waitUntilReady()
        return program
    }

    private func run(_ file: String, _ words: String..., typing: String = "") throws -> Program {
        let input = system.path("typed")
        try Data((typing + "\n").utf8).write(to: URL(filePath: input))
        let line = ([file, "127.0.0.1", "\(port)", system.path("keys")] + words)
            .joined(separator: " ")
        return try system.spawn(
            [
                "/bin/sh", "-c",
                "cd '\(system.directory)' && exec /usr/bin/python3 \(line) < '\(input)'",
            ], environment: ["HOME": system.directory, "PATH": "/usr/bin:/bin"])
    }

    /// The positions that an example has printed with the alert, in order.
    private func positions(_ program: Program) -> [Int] {
        program.out.split(separator: "\n").filter { $0.hasSuffix(" Get off") }
            .compactMap { Int($0.split(separator: " ")[0]) }
    }

    @Test func `a person's program logs in, renews its tokens, and survives a restored store`()
        throws
    {
        var account = try start("account-service")
        var notifier = try start("notifier")
        let person = try run("person.py", "laptop", "ann", typing: Client.password)
        let heard = { (count: Int) in
            try eventually("\(count) positions came\n\(person.out)\n\(person.err)") {
                positions(person).count >= count
            }
        }
        try heard(2)
        try system.backUp(.notifier, to: "backup")

        // Its tokens are no longer valid: it asks for new ones by itself.
        account.kill()
        try atHome { owner in
            _ = try owner.ask(
                RevokeRole(account: "ann", grant: Grant(role: .administrator)), for: Account.self)
        }
        account = try start("account-service")
        try heard(positions(person).count + 3)
        #expect(positions(person) == positions(person).sorted())

        // The store is set back and so are the positions, so the program starts over.
        let before = try #require(positions(person).max())
        notifier.kill()
        try system.restore(.notifier, from: "backup")
        notifier = try system.launch(
            "notifier", bus: bus, adding: ["STEWARD_KEYS": system.path("keys")], ["--restored"])
        try notifier.waitUntilReady()
        try eventually("it has started over\n\(person.out)\n\(person.err)") {
            let all = positions(person)
            let after = all.drop { $0 <= before }.isEmpty ? all.reversed().prefix(2) : []
            return after.contains { $0 > 0 && $0 < before }
        }
        #expect(person.isRunning)
        withExtendedLifetime((account, notifier)) {}
    }

    @Test func `a person's program reports a refusal and ends`() throws {
        let services = try [start("account-service"), start("notifier")]
        let person = try run("person.py", "laptop", "ann", typing: "a wrong password")

        #expect(try person.waitForEnd() == .exited(1))
        #expect(person.err.contains("refused: the name or the password is wrong"))
        withExtendedLifetime(services) {}
    }

    @Test func `a display receives its topic, and reports that it missed something`() throws {
        let account = try start("account-service")
        var notifier = try start("notifier")
        let topic = try topic()
        let display = try run("display.py", "wall", topic)
        try eventually("it is heard\n\(display.out)\n\(display.err)") {
            !positions(display).isEmpty
        }

        display.signal(SIGSTOP)
        notifier.kill()
        // Alerts published while it can't listen: the repetitions that were due.
        try system.edit(.notifier, "UPDATE feed SET head = head + 3")
        notifier = try start("notifier")
        display.signal(SIGCONT)

        try eventually("it says that something was missed\n\(display.out)\n\(display.err)") {
            display.out.contains("something was missed")
        }
        withExtendedLifetime((account, notifier)) {}
    }

    /// The topic of ann's alerts, as she learns it.
    private func topic() throws -> String {
        let accounts = try system.client(of: .account, as: "laptop", bus: bus, keys: "keys")
        let notifier = try system.client(of: .notifier, as: "laptop", bus: bus, keys: "keys")
        notifier.token = try accounts.logIn("ann", for: .notifier)
        var topic = ""
        try eventually("the notifier knows the key of the token") {
            do { topic = try notifier.ask(OpenFeed(), for: AlertFeed.self).topic } catch ClientError
                .refused
            { return false }
            return true
        }
        return topic
    }
}
