import Bus
import Foundation
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier

/// Mails of alerts that wait for the end of a maintenance or of quiet hours.
@Suite(.serialized, .waiting) struct MailPeaceTests {
    private let office: PostOffice
    private let end = WallClock.milliseconds() + 3_600_000

    init() throws {
        office = try PostOffice(hasServer: false)
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
    }

    private func beginMaintenance() throws -> MaintenanceWindow {
        try office.ask(
            BeginMaintenance(window: MaintenanceWindow(kind: "test", until: end)),
            for: MaintenanceWindow.self)
    }

    /// Raises an alert, and waits until its mail waits.
    private func raise() throws {
        try office.raiseByAccounts(
            AlertRaised(
                key: "a", kind: "test", severity: .warning, title: "Late",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true))
        try eventually("its mail waits") { try office.mails().map(\.due) == [end] }
    }

    @Test func `maintenance that ends early releases its mails`() throws {
        let window = try beginMaintenance()
        try raise()

        _ = try office.ask(EndMaintenance(id: window.id), for: MaintenanceWindow.self)

        let mails = try office.mails()
        #expect(mails.map(\.state) == [.pending])
        #expect(mails.allSatisfy { $0.due <= WallClock.milliseconds() })
    }

    @Test func `an alert that is over by then is not mailed, but is if it comes again`() throws {
        let window = try beginMaintenance()
        try raise()

        try office.withdrawByAccounts("a")
        try eventually("its mail is gone") { try office.mails().isEmpty }
        #expect(try office.system.query(.notifier, "SELECT key FROM mailRequest").isEmpty)

        try raise()
        _ = try office.ask(EndMaintenance(id: window.id), for: MaintenanceWindow.self)
        #expect(try office.mails().count == 1)
    }

    @Test func `a mail whose time has come is kept even if its alert is over`() throws {
        try office.raise(
            AlertRaised(
                key: "a", kind: "test", severity: .urgent, title: "Late",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true))
        try eventually("its mail is kept") { try office.mails().count == 1 }

        try office.withdraw("a")
        try office.raise(
            AlertRaised(
                key: "b", kind: "test", severity: .urgent, title: "Next",
                recipient: Principal.machineOwner.account))
        try eventually("the next one's is, too") { try office.mails().count == 2 }
    }
}
