import Foundation
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// What spare channels deliver while another one fails.
extension ChannelTests {
    /// Adds a spare webhook, and returns the server that it leads to.
    private func addSpare() throws -> WebServer {
        let other = try WebServer(in: office.system, folder: "others")
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "spare", kind: .webhook, address: other.url("/spare"), from: .info,
                    spare: true)), for: AlertChannel.self)
        return other
    }

    private func told(by server: WebServer) throws -> [Told] {
        try server.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    @Test func `a spare channel delivers what waits for a channel that is put off`() throws {
        let spare = try addSpare()
        try server.behave("429 3600")
        try add("phone")

        for key in ["a", "b", "c"] { try raise(key, .urgent) }
        try eventually("it delivers what waited before the failure") {
            try Set(told(by: spare).map(\.alert.key)) == ["a", "b", "c"]
        }
        try raise("d", .urgent)
        try eventually("it delivers what came after the failure") {
            try told(by: spare).contains { $0.alert.key == "d" }
        }

        try raise("calm", .warning)
        try eventually("the calm one waits") {
            try deliveries().contains { $0.severity == .warning && $0.state == .waiting }
        }
        #expect(try server.requests().count == 1)
        #expect(try told(by: spare).map(\.alert.key).sorted() == ["a", "b", "c", "d"])
    }

    @Test func `a spare channel delivers what can't be mailed in time`() throws {
        let office = try PostOffice()
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "spare", kind: .webhook, address: server.url("/spare"), from: .info,
                    spare: true)), for: AlertChannel.self)
        office.stopServer()
        for (key, severity) in [("calm", Severity.warning), ("a", .urgent)] {
            try office.raise(
                AlertRaised(
                    key: key, kind: "test", severity: severity, title: "Get off",
                    recipient: Principal.machineOwner.account))
        }

        try wait(for: 1)
        #expect(try told(by: server).map(\.alert.key) == ["a"])

        // The calm one is late after three failures.
        for (times, seconds) in [(2, 61), (3, 200)] {
            try office.setClock(seconds)
            try eventually("they were tried again") {
                try office.mails().allSatisfy { $0.attempts >= times }
            }
        }
        try eventually("both are delivered") {
            try Set(told(by: server).map(\.alert.key)) == ["a", "calm"]
        }
    }

    @Test func `a spare channel delivers the end of an alert that it has delivered`() throws {
        let spare = try addSpare()
        try server.behave("429 3600")
        try add("phone")
        try raise("a", .urgent)
        try eventually("it delivers the alert") { try told(by: spare).count == 1 }
        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id

        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)

        try eventually("it delivers the end") {
            try told(by: spare).map(\.reason) == ["raised", "closed"]
        }
    }

    @Test func `a spare channel delivers again what becomes urgent, and only that`() throws {
        let spare = try addSpare()
        try add("damaged")
        office.killNotifier()
        try office.system.edit(
            .notifier, "UPDATE channel SET channel = x'FF' WHERE name = 'damaged'")
        try office.startNotifier()
        let heard = { try self.told(by: spare).map(\.alert).filter { $0.key == "a" } }

        try raise("a", .info)
        try eventually("it is delivered") { try heard().count == 1 }
        try raise("a", .warning)
        try raise("a", .urgent)
        try eventually("it is delivered again") { try heard().count == 2 }

        #expect(try heard().map(\.severity) == ["info", "urgent"])
    }

    @Test func `a spare channel delivers a call again that is opened again`() throws {
        let spare = try addSpare()
        try server.behave("429 3600")
        try add("phone")
        _ = try office.ask(
            KeepPolicy(
                policy: EscalationPolicy(
                    name: "p", kind: "call",
                    steps: [EscalationStep(who: Audience(account: "dan"), after: 600_000)],
                    reopenAfter: 3_600_000)), for: EscalationPolicy.self)
        _ = try office.ask(
            RaiseAlert(
                audience: Audience(account: Principal.machineOwner.account), severity: .urgent,
                title: "Come", needsAcknowledgement: true), for: Call.self)
        try eventually("it delivers the call") { try told(by: spare).count == 1 }
        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
        try eventually("it delivers the end") { try told(by: spare).count == 2 }

        try office.setClock(3_700)

        try eventually("it delivers the reopened call") {
            try told(by: spare).map(\.reason) == ["raised", "closed", "reopened"]
        }
    }

    @Test func `a spare channel can be tested`() throws {
        let spare = try addSpare()

        let alert = try office.ask(TestChannel(name: "spare"), for: Alert.self)
        try eventually("it is sent") {
            try office.ask(ReadAlert(id: alert.id), for: AlertTrace.self).deliveries
                .map(\.state) == [.sent]
        }

        #expect(try spare.requests().count == 1)
    }
}
