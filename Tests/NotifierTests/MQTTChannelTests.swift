import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing
import Transfers

@testable import Notifier

/// Alerts from a service, published to topics of a real MQTT broker.
@Suite(.serialized, .waiting) struct MQTTChannelTests {
    private let office: PostOffice

    init() throws { office = try PostOffice(hasServer: false) }

    private func add(_ address: String, secret: String? = nil) throws {
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(name: "siren", kind: .mqtt, address: address),
                secret: secret), for: AlertChannel.self)
    }

    private func raise(_ key: String) throws {
        try office.raise(
            AlertRaised(
                key: key, kind: "test", severity: .urgent, title: "Fire",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true))
    }

    private func deliveries() throws -> [AlertDelivery] {
        try office.system.reading(.notifier) { db in
            try Data.fetchAll(db, sql: "SELECT delivery FROM delivery ORDER BY id")
                .map { try AlertDelivery(unpacking: [UInt8]($0)) }
        }
    }

    private struct Told: Decodable {
        struct Alert: Decodable { let key: String }
        let id: String
        let reason: String
        let alert: Alert
    }

    private func told(_ broker: MQTTBroker) throws -> [Told] {
        try broker.messages().map {
            try JSONDecoder().decode(Told.self, from: Data($0.text.utf8))
        }
    }

    @Test func `a siren gets an alert and its end, with a password`() throws {
        let broker = try MQTTBroker(in: office.system, password: "hush:hush")
        try add(broker.url("kitchen/siren"), secret: "steward:hush:hush")
        try raise("a")
        try eventually("it is on") { broker.messages().count == 1 }
        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
        try eventually("it is off") { broker.messages().count == 2 }

        #expect(broker.messages().map(\.topic) == ["kitchen/siren", "kitchen/siren"])
        #expect(try told(broker).map(\.reason) == ["raised", "closed"])
        try eventually("both are acknowledged") {
            try deliveries().map(\.state) == [.sent, .sent]
        }
    }

    @Test func `a wrong password is reported, and the alert waits for the right one`() throws {
        let broker = try MQTTBroker(in: office.system, password: "right")
        try add(broker.url("siren"), secret: "steward:wrong")
        try raise("a")
        try eventually("it is refused") {
            try deliveries().first?.note.contains("the broker refuses the connection") ?? false
        }
        try add(broker.url("siren"), secret: "steward:right")

        try eventually("it is on") { broker.messages().count == 1 }
    }

    @Test func `a broker that is down, or killed in between, gets each alert in the end`() throws {
        let broker = try MQTTBroker(in: office.system)
        try add(broker.url("siren"))
        broker.stop()
        for key in ["a", "b", "c"] { try raise(key) }
        try eventually("the first has failed") {
            try deliveries().contains { $0.attempts > 0 && $0.state == .waiting }
        }
        office.killNotifier()
        try broker.resume()
        try office.startNotifier()
        try office.setClock(700)

        try eventually("all are sent") {
            try deliveries().filter { $0.reason == .raised }.map(\.state)
                == [.sent, .sent, .sent]
        }
        try eventually("all have arrived") {
            try Set(told(broker).filter { $0.reason == "raised" }.map(\.id)).count == 3
        }
    }

    @Test(arguments: ["hang", "cut"])
    func `a server that isn't a broker is given up in time, and tried again`(
        fault: String
    ) throws {
        let server = try WebServer(in: office.system)
        try server.behave(fault)
        let message = MQTTMessage(
            host: "127.0.0.1", port: server.port, isEncrypted: false, user: "", password: "",
            topic: "siren", payload: [1])

        let time = shortestTime(under: .seconds(20)) {
            ContinuousClock().measure {
                let outcome = MQTTTransfer(limit: .seconds(2)).send(message)
                guard case .delayed(let reason, _) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(!reason.isEmpty)
            }
        }
        #expect(time < .seconds(20))
    }

    @Test(arguments: [
        "mqtt://broker.lan", "mqtt://broker.lan/a/#", "mqtt://broker.lan/+/b",
        "mqtt://broker.lan/$SYS/a", "https://broker.lan/a", "mqtt://ann:secret@broker.lan/a",
        "mqtt://broker.lan/" + String(repeating: "a", count: 501),
    ])
    func `a topic that can't be published to is refused`(address: String) {
        let channel = AlertChannel(name: "siren", kind: .mqtt, address: address)

        #expect(throws: Refusal.self) { try channel.validate(secret: nil) }
    }

    @Test func `a broker's address isn't a web server's, and a log-in has two parts`() {
        let siren = AlertChannel(name: "s", kind: .mqtt, address: "mqtts://broker.lan/a/b")
        let hook = AlertChannel(name: "s", kind: .webhook, address: siren.address)

        #expect(throws: Never.self) { try siren.validate(secret: "ann:secret") }
        #expect(throws: Refusal.self) { try siren.validate(secret: "secret") }
        #expect(throws: Refusal.self) { try hook.validate(secret: nil) }
    }
}
