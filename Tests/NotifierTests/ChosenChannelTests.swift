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
}
