import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A notifier on a loopback port that admits the processes of its key ring.
@Suite(.serialized, .waiting) struct KeyTests {
    @Test func `keys in the key ring are let in`() throws {
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
        try stranger.create("test", role: .gateway)
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

    @Test func `a service with an unexpected key is sent no command`() throws {
        let system = try System()
        let bus = try startNotifier(system)
        try KeyRing(directory: system.path("fooled")).create("notifier", role: .service)
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

    @Test func `a display receives alerts and can neither command nor follow events`() throws {
        let stage = try Stage(isEncrypted: true)
        let topic = try stage.topic()
        let display = try stage.connection(as: "screen", keys: "keys")
        let events = try display.connect(
            .subscriber, to: .notifier, .events, subscribing: [""])

        let alerts = try stage.listen([topic], as: "screen", keys: "keys")

        let time = try shortestTime(under: .seconds(1)) {
            let client = try Client(display, to: .notifier)
            return ContinuousClock().measure {
                #expect(throws: ClientError.denied(.notifier)) {
                    try client.ask(
                        AcknowledgeAlert(id: "0193"), for: AlertAcknowledged.self,
                        deadline: .seconds(60))
                }
            }
        }

        #expect(time < .seconds(1))
        #expect(try alerts.nextTopic()?.hasPrefix(topic) == true)
        #expect(try alerts.nextTopic()?.hasPrefix(topic) == true)
        // There are heartbeats by now, but the display doesn't get them.
        #expect(try events.receive() == nil)
    }

    @Test func `only a service may follow events`() throws {
        let stage = try Stage(isEncrypted: true)
        func follow(as process: String) throws -> Socket {
            try stage.connection(as: process, keys: "keys")
                .connect(.subscriber, to: .notifier, .events, subscribing: [Heartbeat.topic])
        }
        let (gateway, service) = try (follow(as: "test"), follow(as: "transit-alert-service"))

        for _ in 0..<2 { #expect(try service.nextTopic() == Heartbeat.topic) }
        #expect(try gateway.receive() == nil)
    }

    @Test func `what a peer says about its own key doesn't count`() throws {
        let router = try Socket(.router, in: .shared)
        let port = Loopback.port()
        try router.bind("tcp://127.0.0.1:\(port)")

        let peer = try RawPeer(port: port)
        peer.shakeHands(as: "DEALER", saying: ["User-Id": "service notifier"])
        peer.send(RawPeer.frame(Array("hello".utf8)))

        var frames: [Frame]?
        try eventually("the message comes") {
            frames = try router.receive()
            return frames != nil
        }
        #expect(frames?.last?.bytes == Array("hello".utf8))
        #expect(frames?.map(\.peer) == [nil, nil])
    }

    @Test func `an unlisted key is not let in`() throws {
        let stage = try Stage(isEncrypted: true)
        let topic = try stage.topic()
        let known = try stage.listen([topic], keys: "keys")
        let stranger = KeyRing(directory: stage.system.path("stranger"))
        try stranger.create("test", role: .service)
        try copyKey("notifier", from: "keys", to: "stranger", stage.system)
        let connection = try stage.connection(keys: "stranger")

        let client = try Client(connection, to: .notifier)
        let others = try [EndpointKind.events, .alerts].map {
            try connection.connect(
                .subscriber, to: .notifier, $0, subscribing: ["", topic])
        }

        #expect(throws: ClientError.denied(.notifier)) {
            try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(60))
        }
        for _ in 0..<2 { #expect(try known.nextTopic() != nil) }
        for socket in others { #expect(try socket.receive() == nil) }
    }

    @Test func `a running service lets in a key that was added`() throws {
        let stage = try Stage(isEncrypted: true)
        try stage.ring.create("late", role: .gateway)

        let client = try Client(stage.connection(as: "late", keys: "keys"), to: .notifier)
        client.patience = .seconds(60)

        #expect(try client.ask(ReadStatus(), for: ServiceStatus.self).service == "notifier")
    }

    @Test func `a revoked key is disconnected, and all others continue`() throws {
        let stage = try Stage(isEncrypted: true)
        try stage.ring.create("lost", role: .gateway)
        let lost = try Client(stage.connection(as: "lost", keys: "keys"), to: .notifier)
        let other = try Client(stage.connection(keys: "keys"), to: .notifier, isPatient: true)
        for client in [lost, other] { client.patience = .seconds(60) }
        _ = try lost.ask(ReadStatus(), for: ServiceStatus.self)
        _ = try other.ask(ReadStatus(), for: ServiceStatus.self)

        try stage.ring.revoke("lost")

        try eventually("the revoked key gets no answer\n\(stage.service.err)") {
            do {
                _ = try lost.ask(
                    ReadStatus(), for: ServiceStatus.self, deadline: .milliseconds(500))
                return false
            } catch ClientError.denied {
                return true
            } catch ClientError.noAnswer {
                return false
            } catch ClientError.notRunning {
                return false  // The service is opening its endpoints again.
            } catch ClientError.noHandshake {
                return false  // Handshakes broke off while it did.
            }
        }
        #expect(try other.ask(ReadStatus(), for: ServiceStatus.self).service == "notifier")
        #expect(throws: ConfigurationError.self) {
            try Client(stage.connection(as: "lost", keys: "keys"), to: .notifier)
        }
    }

    private func startNotifier(_ system: System) throws -> String {
        try system.makeKeys()
        let bus = "tcp://127.0.0.1:\(Loopback.port())"
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
