import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// A notifier on a loopback port that lets in the processes of its key ring.
@Suite(.serialized) struct KeyTests {
    @Test func `whoever is in the key ring is let in`() throws {
        let system = try System()
        let bus = try startNotifier(system)

        let client = try Client(system.connection(bus: bus, keys: "keys"), to: .notifier)
        client.isPatient = true

        #expect(
            try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(30)).service
                == "notifier")
    }

    @Test func `a key that is not in the ring is refused`() throws {
        let system = try System()
        let bus = try startNotifier(system)
        let stranger = KeyRing(directory: system.path("stranger"))
        try stranger.create("test")
        try copyKey("notifier", from: "keys", to: "stranger", system)

        let client = try Client(system.connection(bus: bus, keys: "stranger"), to: .notifier)

        #expect(throws: ClientError.denied(.notifier)) {
            try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(30))
        }
    }

    @Test func `a client without keys gets no answer`() throws {
        let system = try System()
        let bus = try startNotifier(system)

        let client = try Client(system.connection(bus: bus), to: .notifier)

        #expect(throws: ClientError.self) {
            try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(1))
        }
    }

    @Test func `a service with another key than expected gets no command`() throws {
        let system = try System()
        let bus = try startNotifier(system)
        try KeyRing(directory: system.path("fooled")).create("notifier")
        for kind in ["public", "secret"] {
            try FileManager.default.copyItem(
                atPath: system.path("keys/test.\(kind)"), toPath: system.path("fooled/test.\(kind)")
            )
        }

        let client = try Client(system.connection(bus: bus, keys: "fooled"), to: .notifier)

        #expect(throws: ClientError.self) {
            try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(1))
        }
    }

    @Test func `a missing or malformed key is named`() throws {
        let system = try System()
        let ring = KeyRing(directory: system.path("keys"))
        let path = system.path("keys/test.public")

        #expect(throws: ConfigurationError("the key file \(path) is missing")) {
            try ring.publicKey(of: "test")
        }
        try system.makeFolder("keys")
        try Data("short\n".utf8).write(to: URL(filePath: path))
        #expect(throws: ConfigurationError("\(path) is not a CURVE key of 40 characters")) {
            try ring.publicKey(of: "test")
        }
    }

    @Test func `a secret key can be read by its owner alone, and is made once`() throws {
        let system = try System()
        let ring = KeyRing(directory: system.path("keys"))
        try ring.create("test")
        let first = try ring.pair(of: "test")
        try ring.create("test")

        let mode =
            try FileManager.default.attributesOfItem(
                atPath: system.path("keys/test.secret"))[.posixPermissions] as? Int

        #expect(mode == 0o600)
        #expect(try ring.pair(of: "test").secretKey == first.secretKey)
        #expect(try ring.allowed() == [first.publicKey])
    }

    private func startNotifier(_ system: System) throws -> String {
        let ring = KeyRing(directory: system.path("keys"))
        for service in ServiceName.allCases { try ring.create(service.rawValue) }
        try ring.create("test")
        let bus = "tcp://127.0.0.1:\(Int.random(in: 20_000..<30_000))"
        let service = try system.launch(
            "notifier", bus: bus, adding: ["STEWARD_KEYS": system.path("keys")])
        try service.waitUntilReady()
        return bus
    }

    private func copyKey(
        _ process: String, from: String, to: String, _ system: System
    ) throws {
        try FileManager.default.copyItem(
            atPath: system.path("\(from)/\(process).public"),
            toPath: system.path("\(to)/\(process).public"))
    }
}
