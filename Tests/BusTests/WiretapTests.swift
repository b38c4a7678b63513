import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// What someone who listens between two hosts can read.
@Suite(.serialized, .waiting) struct WiretapTests {
    static let payload = "Marker-of-the-payload-7Q"
    static let token = "Marker-of-the-token-7Q"

    @Test func `without keys an eavesdropper reads the payload, the token and the title`() throws {
        let heard = try listen(isEncrypted: false)

        #expect(heard.contains(Self.payload))
        #expect(heard.contains(Self.token))
        #expect(heard.contains(Stage.title))
    }

    @Test func `with keys an eavesdropper reads nothing`() throws {
        #expect(try listen(isEncrypted: true) == [])
    }

    /// Sends a command and receives an alert through a relay.
    ///
    /// - Returns: the markers that the relay has seen.
    private func listen(isEncrypted: Bool) throws -> [String] {
        let stage = try Stage(isEncrypted: isEncrypted)
        let relayed = stage.port + 25
        let (commands, alerts) = (
            ServiceName.notifier.commandsPort, ServiceName.notifier.alertsPort
        )
        let taps = [
            try Wiretap(from: relayed + commands, to: stage.port + commands),
            try Wiretap(from: relayed + alerts, to: stage.port + alerts),
        ]
        let keys = isEncrypted ? "keys" : nil
        let client = try Client(
            stage.connection(keys: keys, port: relayed), to: .notifier, isPatient: true)
        client.patience = .seconds(60)
        client.token = Array(Self.token.utf8)

        let told = try stage.topic()
        let socket = try stage.listen([told + "urgent."], keys: keys, port: relayed)
        #expect(throws: ClientError.self) {
            try client.ask(AcknowledgeAlert(id: Self.payload), for: AlertAcknowledged.self)
        }
        let topic = try #require(try socket.nextTopic())

        #expect(topic == told + "urgent.")
        #expect(taps.allSatisfy { $0.count > 200 })
        if !isEncrypted { #expect(taps[1].heard(Stage.title)) }
        return [Self.payload, Self.token, Stage.title].filter { marker in
            taps.contains { $0.heard(marker) }
        }
    }
}

extension ServiceName {
    /// The distance of the commands port from that of the bus.
    var commandsPort: Int { port(.commands) }
    /// The distance of the alerts port from that of the bus.
    var alertsPort: Int { port(.alerts) }

    private func port(_ kind: EndpointKind) -> Int {
        let text = BusAddress.tcp(host: "h", port: 2000).connecting(self, kind)
        return (Int(text.split(separator: ":").last ?? "") ?? 0) - 2000
    }
}

/// Secret keys stay in their files.
@Suite(.serialized, .waiting) struct SecretKeyTests {
    @Test func `a secret key is in no environment, command line or log`() throws {
        let stage = try Stage(isEncrypted: true, log: "trace")
        let topic = try stage.topic()
        let secrets = try FileManager.default.contentsOfDirectory(atPath: stage.system.path("keys"))
            .filter { $0.hasSuffix(".secret") }
            .map { try String(contentsOfFile: stage.system.path("keys/\($0)"), encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let hidden = secrets + [String(topic.split(separator: ".")[3])]

        let places = try ["environ", "cmdline"].map {
            String(
                decoding: try Data(contentsOf: URL(filePath: "/proc/\(stage.service.pid)/\($0)")),
                as: UTF8.self)
        }

        #expect(secrets.count == ServiceName.allCases.count + 2)
        #expect(places[0].contains("STEWARD_KEYS="))
        #expect(places[1].contains("notifier"))
        for text in places + [stage.service.err, stage.service.out] {
            #expect(hidden.filter { text.contains($0) } == [])
        }
    }
}
