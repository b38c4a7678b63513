import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests people and their alerts on a bus that leaves the machine: real services with keys on TCP,
/// and the program `steward`.
@Suite(.serialized, .waiting) struct TransportTests {
    private let system: System
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"
    private let ann: Account

    /// Starts account-service and notifier, with ann, who has an open alert.
    init() throws {
        system = try System()
        try system.makeKeys(["steward": .gateway, "phone": .display])
        ann = try Self.makeAccount(system)
        try system.raiseAlert("Get off", for: ann.id)
        for service in ["account-service", "notifier"] { try start(service) }
    }

    @discardableResult
    private func start(_ service: String) throws -> Program {
        let program = try system.launch(
            service, bus: bus, adding: ["STEWARD_KEYS": system.path("keys")])
        try program.waitUntilReady()
        return program
    }

    /// Creates ann's account through the local bus, where the owner needs no login.
    private static func makeAccount(_ system: System) throws -> Account {
        let service = try system.start("account-service")
        let owner = try system.client(of: .account)
        defer { service.kill() }
        return try owner.signUp("ann")
    }

    /// Runs `steward` with lines on its standard input.
    private func steward(
        _ arguments: String, typing lines: [String] = []
    ) throws -> (end: Program.End, out: String, err: String) {
        let input = system.path("typed")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: input))
        let program = try system.spawn(
            ["/bin/sh", "-c", "exec '\(System.executables)/steward' \(arguments) < '\(input)'"],
            environment: system.environment(
                bus: bus, adding: ["STEWARD_KEYS": system.path("keys")]))
        return (
            try program.waitForEnd(), program.out.trimmingCharacters(in: .newlines), program.err
        )
    }

    /// Logs ann in, and waits until the notifier knows the key that signed her token.
    private func logIn() throws {
        #expect(try steward("login ann", typing: [Client.password]).end == .exited(0))
        try eventually("the notifier lets her in") {
            try steward("alerts list").end == .exited(0)
        }
    }

    private func listen(_ topic: String) throws -> Socket {
        try system.connection(as: "phone", bus: bus, keys: "keys")
            .connect(.subscriber, to: .notifier, .alerts, subscribing: [topic])
    }

    private func hear(_ socket: Socket) throws -> String {
        var topic = ""
        try eventually("something is told") {
            guard let frames = try socket.receive() else { return false }
            topic = String(decoding: frames[0].bytes, as: UTF8.self)
            return true
        }
        return topic
    }

    @Test func `a person who has logged in gets a topic, and a display receives it`() throws {
        let before = try steward("alerts topic")
        try logIn()

        let topic = try steward("alerts topic").out
        let phone = try listen(topic)

        #expect(before.end == .exited(1))
        #expect(before.err.contains("log in with steward login"))
        #expect(topic.hasPrefix("alert.local.\(ann.id)."))
        #expect(topic.wholeMatch(of: /alert\.local\.[^.]+\.[0-9a-f]{32}\./) != nil)
        #expect(try hear(phone).hasPrefix(topic))
    }

    @Test func `OpenFeed is answered only with a token`() throws {
        let (accounts, notifier) = try (
            system.client(of: .account, as: "steward", bus: bus, keys: "keys"),
            system.client(of: .notifier, as: "steward", bus: bus, keys: "keys")
        )
        let token = try accounts.logIn("ann", for: .notifier)

        let refused = #expect(throws: ClientError.self) {
            try notifier.ask(OpenFeed(), for: AlertFeed.self)
        }
        notifier.token = token
        var feed = AlertFeed()
        try eventually("the token is valid") {
            do {
                feed = try notifier.ask(OpenFeed(), for: AlertFeed.self)
            } catch ClientError.refused(let refusal) where refusal.code == .badToken {
                return false
            }
            return true
        }
        let other = #expect(throws: ClientError.self) {
            try notifier.ask(OpenFeed(recipient: "bob"), for: AlertFeed.self)
        }

        #expect(refused.map { "\($0)" } == "this needs an account; log in with steward login")
        #expect(feed.open.map { $0.raised?.title } == ["Get off"])
        #expect(
            other.map { "\($0)" } == "only the recipient and their carers may do this")
    }

    @Test func `a renewed topic delivers alerts, and the old one is silent from then on`() throws {
        try logIn()
        let old = try steward("alerts topic").out
        let lost = try listen(old)
        _ = try hear(lost)

        let renewed = try steward("alerts renew-topic")
        let phone = try listen(renewed.out)
        // These were already on their way.
        while try lost.receive() != nil {}
        for _ in 0..<3 { #expect(try hear(phone).hasPrefix(renewed.out)) }
        let again = try listen(old)
        for _ in 0..<2 { #expect(try hear(phone).hasPrefix(renewed.out)) }

        #expect(renewed.end == .exited(0))
        #expect(renewed.out != old)
        #expect(try steward("alerts topic").out == renewed.out)
        #expect(try lost.receive() == nil)
        #expect(try again.receive() == nil)
    }

    @Test func `a running watch continues under the renewed topic`() throws {
        try logIn()
        let watch = try system.spawn(
            ["\(System.executables)/steward", "alerts", "watch"],
            environment: system.environment(
                bus: bus, adding: ["STEWARD_KEYS": system.path("keys")]))
        let count = { watch.out.components(separatedBy: "Get off").count - 1 }
        try eventually("the alert is shown\n\(watch.err)") { count() > 0 }

        #expect(try steward("alerts renew-topic").end == .exited(0))

        let before = count()
        try eventually("it is shown again\n\(watch.out)\(watch.err)") { count() > before + 1 }
    }
}
