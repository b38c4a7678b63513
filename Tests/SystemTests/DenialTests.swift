import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that denials by one service appear in the audit of another.
@Suite(.serialized, .waiting) struct DenialTests {
    @Test func `denials by transit-alert-service are in the audit`() throws {
        let system = try System()
        try system.start("account-service")
        let transit = try system.start("transit-alert-service")
        let accounts = try system.client(of: .account)
        let ann = try accounts.signUp("ann")
        let client = try system.client()
        client.token = try accounts.logIn("ann", for: .transitAlert)
        let begun = ContinuousClock.now
        try eventually("the service knows the key") { try denial(client).code == .forbidden }

        for _ in 0..<20 { _ = try denial(client) }

        let what = "transit.ImportFeed to transit-alert-service"
        try eventually("the audit names it") {
            try denials(accounts).contains { $0.actor == ann.id && $0.detail == what }
        }
        let page = try system.run("steward", "user", "audit")
        #expect(page.end == .exited(0))
        #expect(
            page.out.split(separator: "\n").contains {
                $0.contains("ann") && $0.contains("denied") && $0.contains(what)
            })
        // The other twenty are reported as a number a minute later, not as twenty entries. A busy
        // machine may have taken that minute for all this.
        let entries = try denials(accounts).filter { $0.actor == ann.id }.count
        #expect(entries == 1 || entries == 2 && ContinuousClock.now - begun > .seconds(60))
        withExtendedLifetime(transit) {}
    }

    private func denial(_ client: Client) throws -> Refusal {
        do {
            _ = try client.ask(ImportFeed(feed: "x", path: "/"), for: JobAccepted.self)
            throw Complaint("it was accepted")
        } catch ClientError.refused(let refusal) { return refusal }
    }

    private func denials(_ accounts: Client) throws -> [Audit.Entry] {
        try accounts.ask(ReadAudit(), for: Audit.self).entries.filter { $0.action == "denied" }
    }
}
