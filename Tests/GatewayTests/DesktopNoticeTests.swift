import Messages
import Testing

@testable import Gateway

/// Which notices are shown on a desktop, and how.
struct DesktopNoticeTests {
    private func notice(
        _ reason: AlertNotice.Reason, _ severity: Severity = .warning, title: String = "Late",
        body: String = ""
    ) -> AlertNotice {
        let raised = AlertRaised(severity: severity, title: title, body: body)
        return AlertNotice(
            reason: reason,
            alert: Alert(id: "1", raised: raised, state: .open, severity: severity))
    }

    @Test func `a change is shown if it is louder, and an end isn't shown`() {
        var desktop = DesktopNotice()
        let shown = [
            notice(.raised), notice(.changed), notice(.changed, .urgent), notice(.changed),
            notice(.repeated), notice(.closed), notice(.raised),
        ].map { desktop.arguments(for: $0) != nil }

        #expect(shown == [true, false, true, false, true, false, true])
    }

    @Test func `the help names every reason with which a command is run`() {
        let help = AlertsCommand.Watch.configuration.discussion
        for reason in AlertNotice.Reason.allCases where reason != .unspecified {
            #expect(help.contains("\(reason)"), "\(reason)")
        }
    }

    @Test func `a text is bounded, and shown as it is`() {
        var desktop = DesktopNotice()
        let body = "\\n <b>1 & 2</b>\0"

        let first = desktop.arguments(for: notice(.raised, .info, title: "-i x", body: body))
        #expect(
            first == [
                "--app-name=Steward", "--urgency=low", "--", "-i x",
                "\\\\n &lt;b&gt;1 &amp; 2&lt;/b&gt;",
            ])
        let long = String(repeating: "å", count: 5_000)
        let arguments = desktop.arguments(for: notice(.raised, title: long, body: long)) ?? []
        #expect(arguments.suffix(2).map(\.utf8.count) == [200, 1_000])
    }
}
