import Foundation
import Messages
import TestSupport
import Testing

@testable import Notifier

/// What channels deliver of an alert to which something happens while they are trying.
extension ChannelTests {
    private func acknowledge() throws {
        let id = try #require(try office.ask(ListAlerts(), for: Alerts.self).alerts.first).id
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
    }

    @Test func `a phone doesn't ring again for what was acknowledged while it was tried`() throws {
        try add("phone", .ntfy, "/alerts")
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        try acknowledge()
        office.killNotifier()
        try server.behave("200")

        try office.startNotifier()
        try raise("b", title: "Next")
        try wait(for: 2)

        #expect(try server.requests().map { $0.body.contains("Next") } == [false, true])
        #expect(try deliveries().first?.state == .skipped)
        #expect(try deliveries().first?.note == "it is over")
    }

    @Test func `a program isn't told that an alert is open after it was told that it is over`()
        throws
    {
        try add()
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        try acknowledge()
        try eventually("the end waits") { try deliveries().count == 2 }
        server.stop()
        try eventually("the attempt has failed") {
            try deliveries().first.map { $0.state == .waiting && !$0.note.isEmpty } ?? false
        }

        let other = try WebServer(in: office.system, folder: "others")
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(name: "phone", kind: .webhook, address: other.url("/hook"))),
            for: AlertChannel.self)
        try eventually("the end is delivered") {
            try other.requests().count == 1
        }
        try office.setClock(60)
        try raise("b")
        try eventually("the next is delivered") {
            try other.requests().count >= 2
        }

        let told = try other.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
        #expect(told.map(\.alert.key) == ["a", "b"])
        #expect(told.map(\.reason) == ["closed", "raised"])
    }

    @Test func `a delivery whose alert is no longer kept doesn't stop the next start`() throws {
        try add()
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        office.killNotifier()
        try server.behave("200")
        try office.system.edit(.notifier, "DELETE FROM alert")

        try office.startNotifier()
        try raise("b")
        try wait(for: 2)

        #expect(try told().map(\.alert.key) == ["a", "b"])
        #expect(try deliveries().first?.state == .skipped)
    }

    @Test func `a delivery that can't be read is given up and reported, and the next is made`()
        throws
    {
        try add()
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        office.killNotifier()
        try server.behave("200")
        try office.system.edit(.notifier, "UPDATE delivery SET delivery = x'FF'")

        try office.startNotifier()
        try raise("b")
        try eventually("the next is told, and the report") {
            let keys = try told().map(\.alert.key)
            return keys.contains("b") && keys.contains { $0.hasPrefix("aside/notifier/") }
        }

        let first = try #require(try deliveries().first)
        #expect(first.state == .refused && first.note.contains("can't be read"))
        #expect(try told().count { $0.alert.key == "a" } == 1)

        // It may have arrived.
        try office.withdraw("a")
        try eventually("its end is delivered") { try hasTold("closed", "a") }
    }

    private func hasTold(_ reason: String, _ key: String) throws -> Bool {
        try told().contains { $0.reason == reason && $0.alert.key == key }
    }

    /// Raises an alert whose first delivery fails, so that it waits for an hour; whether it arrived
    /// isn't known.
    private func raiseWithoutAnswer(_ key: String) throws {
        try add()
        try server.behave("429 3600")
        try raise(key)
        try eventually("it waits") {
            try deliveries().contains { $0.state == .waiting && $0.attempts == 1 }
        }
        try server.behave("200")
    }

    @Test func `an alert's end is delivered though its waiting delivery can't be read`() throws {
        try raiseWithoutAnswer("a")
        try office.system.edit(.notifier, "UPDATE delivery SET delivery = x'FF'")

        try office.withdraw("a")
        try eventually("its end waits") {
            try office.system.query(.notifier, "SELECT count(*) FROM delivery") == [["2"]]
        }
        try office.setClock(3_700)

        try eventually("its end is delivered") { try hasTold("closed", "a") }
    }

    @Test func `an alert's end is delivered though the attempt before it was overtaken`() throws {
        try raiseWithoutAnswer("a")
        try raise("a", title: "Get off here")
        try eventually("the change waits") { try deliveries().count == 2 }

        try office.withdraw("a")
        try eventually("its end waits") { try deliveries().count == 3 }
        try office.setClock(3_700)

        try eventually("its end is delivered") { try hasTold("closed", "a") }
    }

    @Test func `an alert's end isn't delivered if nothing of the alert was attempted`() throws {
        try raiseWithoutAnswer("a")
        try raise("b", .warning)
        try eventually("it waits") { try deliveries().count == 2 }

        try office.withdraw("b")
        try office.withdraw("a")
        try eventually("the end of the other waits") { try deliveries().count == 3 }
        try office.setClock(3_700)

        try eventually("the end of the other is delivered") { try hasTold("closed", "a") }
        #expect(try told().allSatisfy { $0.alert.key == "a" })
    }

    @Test func `a channel that can't be read stops, and the others deliver`() throws {
        try add("damaged", .webhook, "/damaged")
        try add("whole", .webhook, "/whole")
        try server.behave("hang")
        try raise("a")
        try wait(for: 2)
        office.killNotifier()
        try server.behave("200")
        try office.system.edit(
            .notifier,
            """
            UPDATE channel SET channel = x'FF' WHERE name = 'damaged';
            UPDATE delivery SET state = 1, due = 0;
            UPDATE channel SET next = 0
            """)

        try office.startNotifier()
        try raise("b")
        try eventually("the other channel tells both, and the report") {
            let keys = try zip(server.requests(), told()).filter { $0.0.path == "/whole" }
                .map { $0.1.alert.key }
            return keys.contains("b") && keys.contains { $0.hasPrefix("aside/notifier/") }
        }
        #expect(try server.requests().count { $0.path == "/damaged" } == 1)
    }

    @Test func `a channel that couldn't be read at a start delivers when it is kept again`()
        throws
    {
        try add()
        try server.behave("hang")
        try raise("a")
        try wait(for: 1)
        office.killNotifier()
        try server.behave("200")
        try office.system.edit(.notifier, "UPDATE channel SET channel = x'FF'")

        try office.startNotifier()
        try add()
        try wait(for: 2)

        #expect(try told().prefix(2).map(\.alert.key) == ["a", "a"])
    }

    @Test func `a spare channel delivers what an unreadable channel would have delivered`() throws {
        try add("damaged", .webhook, "/damaged")
        try add("spare", .webhook, "/spare", spare: true)
        office.killNotifier()
        try office.system.edit(
            .notifier, "UPDATE channel SET channel = x'FF' WHERE name = 'damaged'")

        try office.startNotifier()
        try raise("a", .info)
        try eventually("it is told") { try told().map(\.alert.key).contains("a") }

        #expect(try server.requests().allSatisfy { $0.path == "/spare" })
    }

    @Test func `a spare channel delivers what is given up because it can't be read`() throws {
        try add("a", .webhook, "/a")
        try add("b", .webhook, "/b")
        try add("spare", .webhook, "/spare", spare: true)
        try server.behave("hang")
        try raise("first")
        try wait(for: 2)
        try raise("next")
        try eventually("all wait") { try deliveries().count >= 4 }
        office.killNotifier()
        try server.behave("200")
        try office.system.edit(
            .notifier,
            """
            UPDATE delivery SET delivery = x'FF' WHERE channel = 'a' AND state = 2;
            DELETE FROM delivery WHERE channel = 'a' AND state = 1;
            DELETE FROM delivery WHERE channel = 'b' AND state = 2;
            UPDATE channel SET channel = x'FF' WHERE name = 'b'
            """)

        try office.startNotifier()
        try eventually("the spare channel delivers both") {
            let keys = try zip(server.requests(), told()).filter { $0.0.path == "/spare" }
                .map { $0.1.alert.key }
            return keys.contains("first") && keys.contains("next")
        }
    }

    @Test func `a channel that is damaged during a delivery stops, and its spare one takes over`()
        throws
    {
        let other = try WebServer(in: office.system, folder: "others")
        try add("damaged", .webhook, "/damaged")
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "spare", kind: .webhook, address: other.url("/spare"), from: .info,
                    spare: true)), for: AlertChannel.self)
        try server.behave("hang")
        try raise("a", .warning)
        try wait(for: 1)

        try office.system.edit(
            .notifier, "UPDATE channel SET channel = x'FF' WHERE name = 'damaged'")
        server.stop()

        try eventually("the spare one delivers the alert, and the report") {
            let keys = try other.requests().map {
                try JSONDecoder().decode(Told.self, from: Data($0.body.utf8)).alert.key
            }
            return keys.contains("a") && keys.contains { $0.hasPrefix("channel/") }
        }
        let waiting = try deliveries().filter { $0.channel == "damaged" && $0.state == .waiting }
        #expect(waiting.count == 1)
    }

    @Test func `a channel that can't be read is reported once, listed, and can be removed`()
        throws
    {
        try add("damaged", .webhook, "/damaged")
        try add("whole", .webhook, "/whole")
        office.killNotifier()
        try office.system.edit(
            .notifier, "UPDATE channel SET channel = x'FF' WHERE name = 'damaged'")
        func reports() throws -> [Alert] {
            try office.ask(ListAlerts(), for: Alerts.self).alerts
                .filter { $0.raised?.kind == AlertChannel.failingKind }
        }

        try office.startNotifier()
        try eventually("its owner and the caretaker are told") {
            let keys = try told().map(\.alert.key)
            return keys.contains { $0.hasPrefix("channel/") }
                && keys.contains { $0.hasPrefix("aside/notifier/") }
        }
        let report = try #require(try reports().first)
        _ = try office.ask(AcknowledgeAlert(id: report.id), for: AlertAcknowledged.self)
        office.killNotifier()
        try office.startNotifier()
        try raise("a")
        try eventually("the next is delivered") { try told().map(\.alert.key).contains("a") }

        #expect(try reports().map(\.id) == [report.id])
        let listed = try office.ask(ListChannels(), for: AlertChannels.self).channels
        #expect(listed.map(\.name) == ["damaged", "whole"])
        #expect(listed.map(\.kind) == [.unspecified, .webhook])
        #expect(listed.first?.error.contains("can't be read") == true)
        let removed = try office.ask(RemoveChannel(name: "damaged"), for: AlertChannel.self)
        #expect(removed.name == "damaged")
        let left = try office.ask(ListChannels(), for: AlertChannels.self).channels
        #expect(left.map(\.name) == ["whole"])
    }
}
