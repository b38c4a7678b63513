import Bus
import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// By which channels an alert goes whose source names some.
extension ChannelTests {
    @Test func `an alert goes by all channels if, and only if, none of its own delivers it`()
        throws
    {
        try add("phone", .webhook, "/phone")
        try add("watch", .webhook, "/watch", from: .urgent)
        // There is an address, but no mail server.
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        let alerts: [(key: String, severity: Severity, channel: String)] = [
            ("ready", .warning, "watch"), ("now", .urgent, "watch"), ("mailed", .info, "mail"),
        ]
        for alert in alerts {
            try office.raise(
                AlertRaised(
                    key: alert.key, kind: "test", severity: alert.severity, title: "Get off",
                    recipient: Principal.machineOwner.account, channels: [alert.channel]))
        }

        func planned() throws -> [AlertDelivery] {
            try deliveries().filter { $0.state != .skipped }
        }
        try eventually("all three are to be delivered") { try planned().count >= 3 }

        let channels = try Set(planned().map { "\($0.severity) by \($0.channel)" })
        #expect(channels == ["warning by phone", "urgent by watch", "info by phone"])
    }

    /// Raises an alert that chooses the watch.
    private func raise(
        _ severity: Severity, by channel: String = "watch", at office: PostOffice
    ) throws {
        try office.raise(
            AlertRaised(
                key: "a", kind: "test", severity: severity, title: "Get off",
                recipient: Principal.machineOwner.account, channels: [channel]))
    }

    @Test func `an alert that becomes urgent still goes by all channels that have delivered it`()
        throws
    {
        try add("phone", .webhook, "/phone")
        try add("watch", .webhook, "/watch", from: .urgent)
        try add("siren", .webhook, "/siren", from: .urgent)
        try raise(.warning, at: office)
        try wait(for: 1)

        try raise(.urgent, at: office)
        try wait(for: 3)

        #expect(try server.requests().map(\.path).sorted() == ["/phone", "/phone", "/watch"])
    }

    @Test func `an alert that becomes urgent is still mailed if it was mailed before`() throws {
        let office = try PostOffice()
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "watch", kind: .webhook, address: server.url("/watch"), from: .urgent)),
            for: AlertChannel.self)
        try raise(.warning, at: office)
        try office.waitForMail(.sent)

        try raise(.urgent, at: office)

        try eventually("it is mailed again") { try office.mails().map(\.state) == [.sent, .sent] }
        try wait(for: 1)
    }

    /// Lets as many deliveries wait on a channel as it has room for, until next year.
    private func fill(_ channel: String) throws {
        try office.system.edit(
            .notifier,
            """
            WITH RECURSIVE number (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(DeliveryPlan.mostWaiting))
            INSERT INTO delivery (id, feed, channel, alert, isUrgent, state, due, changed, delivery)
            SELECT 'wait/' || name || '/' || n, feed, name, 'other', 0, 1,
                \(WallClock.milliseconds() + 366 * 24 * 3_600_000), 0, x''
            FROM number, channel WHERE name = '\(channel)'
            """)
    }

    @Test func `an alert whose chosen channel has no room for it goes by the others`() throws {
        try add("phone", .webhook, "/phone")
        try add("watch", .webhook, "/watch")
        try fill("watch")

        try raise(.warning, at: office)
        try wait(for: 1)

        #expect(try server.requests().map(\.path) == ["/phone"])
    }

    @Test func `an alert goes by the others while its chosen channel fails and isn't tried`()
        throws
    {
        let other = try WebServer(in: office.system, folder: "others")
        try other.behave("429 3600")
        try add("phone", .webhook, "/phone")
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "watch", kind: .webhook, address: other.url("/watch"), from: .info)),
            for: AlertChannel.self)
        try raise(.urgent, at: office)
        try eventually("the watch is put off") {
            try deliveries().contains { $0.state == .waiting && $0.attempts == 1 }
        }
        try wait(for: 1)

        try office.raise(
            AlertRaised(
                key: "b", kind: "test", severity: .urgent, title: "Get off",
                recipient: Principal.machineOwner.account, channels: ["watch"]))
        try wait(for: 2)

        #expect(try told().map(\.alert.key) == ["a", "b"])
        let waiting = try deliveries().filter { $0.state == .waiting }
        #expect(waiting.map(\.channel) == ["watch", "watch"])
    }

    @Test func `an alert that chooses mail goes by the others while the mail server is down`()
        throws
    {
        let office = try PostOffice()
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        _ = try office.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "phone", kind: .webhook, address: server.url("/phone"), from: .info)),
            for: AlertChannel.self)
        office.stopServer()
        try raise(.urgent, by: "mail", at: office)
        try eventually("it can't be sent") { try office.mails().map(\.state) == [.retry] }
        try wait(for: 1)
        func raiseByMail(_ key: String) throws {
            try office.raise(
                AlertRaised(
                    key: key, kind: "test", severity: .urgent, title: "Get off",
                    recipient: Principal.machineOwner.account, channels: ["mail"]))
        }

        try raiseByMail("b")
        try wait(for: 2)

        // It is mailed, too, once the server is back, and then mail is enough again.
        try office.startServer()
        try office.setClock(3_700)
        try eventually("both are sent") { try office.mails().map(\.state) == [.sent, .sent] }
        try raiseByMail("c")
        try eventually("it is mailed") { try office.mails().count == 3 }
        #expect(
            try office.system.query(.notifier, "SELECT count(*) FROM delivery WHERE state <> 5")
                == [["2"]])
    }

    @Test func `a spare channel delivers what another one has no room for`() throws {
        try add("phone", .webhook, "/phone")
        try add("spare", .webhook, "/spare", spare: true)
        try fill("phone")

        try raise("a", .warning)
        try wait(for: 1)

        #expect(try server.requests().map(\.path) == ["/spare"])
    }
}
