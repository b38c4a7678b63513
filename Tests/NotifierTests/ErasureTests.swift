import Bus
import Foundation
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Alerts that are erased while they are delivered.
@Suite(.serialized, .waiting) struct ErasureTests {
    @Test func `mails whose alerts are erased while they are sent don't hold up the next one`()
        throws
    {
        let office = try PostOffice()
        let owner = Principal.machineOwner.account
        func prefer(_ address: String) throws {
            _ = try office.ask(
                PreferAlerts(mail: address, from: .info), for: AlertPreference.self)
        }
        try prefer("hang@example.org")
        for severity in [Severity.warning, .urgent] {
            try office.raise(
                AlertRaised(
                    key: "\(severity)", kind: "test", severity: severity, title: "Get off",
                    recipient: owner, needsAcknowledgement: true))
        }
        // As many as are sent at once about one person's alerts.
        try eventually("both are being sent") {
            try office.mails().map(\.state) == [.sending, .sending]
        }
        // What an erasure deletes of alerts; that of journeys begins at another service.
        try office.system.edit(
            .notifier,
            """
            DELETE FROM delivery;
            DELETE FROM mail;
            DELETE FROM mailRequest;
            DELETE FROM alert;
            """)

        office.stopServer()
        try office.startServer()
        try prefer("ann@example.org")
        try office.raise(
            AlertRaised(
                key: "next", kind: "test", severity: .warning, title: "Next", recipient: owner,
                needsAcknowledgement: true))
        try office.waitForMail(.sent)

        #expect(office.notifier?.err.contains("errand failed") == false)
        #expect(try office.mails().count == 1)
    }
}
