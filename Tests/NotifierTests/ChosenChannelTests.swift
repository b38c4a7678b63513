import Messages
import ServiceRuntime
import TestSupport
import Testing

@testable import Notifier

/// By which channels an alert goes whose source names some.
extension ChannelTests {
    @Test func `an alert that none of its channels delivers goes by all, and only such a one`()
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

        try eventually("all three are to be delivered") { try deliveries().count >= 3 }

        let planned = try Set(deliveries().map { "\($0.severity) by \($0.channel)" })
        #expect(planned == ["warning by phone", "urgent by watch", "info by phone"])
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

    @Test func `an alert that becomes urgent still goes by all channels that have told of it`()
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
}
