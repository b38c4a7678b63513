import Bus
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What a mail that isn't accepted says about the mails of others.
struct MailFailureTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        try notifier.run(at: Self.now) { transaction in
            for recipient in ["ann", "bob"] {
                let feed = AlertFeedAddress(organisation: "", recipient: recipient)
                try AlertPreference(
                    mail: "\(recipient)@example.org", from: .info, language: "en"
                ).save(feed, transaction.db)
                let phone = AlertChannel(
                    name: "phone", kind: .webhook, address: "https://example.org/hook", from: .info)
                try KeptChannel(feed: feed, phone, secret: "").save(transaction.db)
            }
        }
    }

    /// Raises an urgent alert that chooses mail, and returns the channels that deliver it.
    private func channels(for recipient: String, at now: Int64) throws -> [String] {
        try notifier.run(at: now) { transaction in
            let id = transaction.makeID()
            let raised = AlertRaised(
                key: "\(id)", kind: "test", severity: .urgent, title: "Get off",
                recipient: recipient, channels: ["mail"])
            try AlertHandling.raise(
                raised, from: ServiceName.transitAlert.rawValue, id: id, in: transaction)
            let alert = try Alert.required("\(id)", transaction.db)
            return try AlertDelivery.everything(of: alert, transaction.db)
                .filter { $0.state == .waiting }.map(\.channel).sorted()
        }
    }

    /// Ends the attempt to send the mail that is due.
    private func end(_ outcome: MailOutcome, at now: Int64) throws {
        let handler = try #require(Notifier.errands.first { $0.kind == "urgentMail" })
        let errand = try #require(try notifier.run(at: now) { try handler.take($0) })
        try notifier.run(at: now) { try errand.finish(outcome, $0) }
    }

    @Test func `a full mailbox doesn't make mail fail for others, but a server without room does`()
        throws
    {
        #expect(try channels(for: "ann", at: Self.now) == ["mail"])
        try end(.delayed("452 4.2.2 mailbox full"), at: Self.now + 1)
        #expect(try channels(for: "bob", at: Self.now + 2) == ["mail"])

        try end(.delayed("452 4.3.1 disk full", ofServer: true), at: Self.now + 3)

        #expect(try channels(for: "ann", at: Self.now + 4) == ["mail", "phone"])
        try end(.delayed("452 4.2.2 mailbox full"), at: Self.now + 5)
        #expect(try channels(for: "bob", at: Self.now + 6) == ["mail", "phone"])
        // A mail accepted for anyone shows that the server works again.
        try end(.sent, at: Self.now + 7)
        #expect(try channels(for: "bob", at: Self.now + 8) == ["mail"])
    }

    @Test func `administrators are told, once, if the mail server has failed for ten minutes`()
        throws
    {
        try notifier.run(at: Self.now) {
            try CallHandling.accountChanged(
                AccountChanged(account: .local("head", Grant(role: .administrator))), Envelope(),
                in: $0)
        }
        func fail(at now: Int64) throws {
            _ = try channels(for: "ann", at: now)
            try end(.delayed("550 5.7.1 sender address rejected", ofServer: true), at: now + 1)
        }
        func reports() throws -> [Alert] {
            try notifier.alerts(of: "head").filter { $0.raised?.kind == MailHandling.serverKind }
        }
        for time in [0, 1_000, 2_000, 599_000] as [Int64] { try fail(at: Self.now + time) }
        #expect(try reports().isEmpty)

        try fail(at: Self.now + 600_001)

        let report = try #require(try reports().first)
        #expect(report.state == .open)
        #expect(report.raised?.body.contains("550 5.7.1 sender address rejected") == true)
        try notifier.run(at: Self.now + 600_003) {
            _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: report.id), in: $0)
        }
        try fail(at: Self.now + 700_000)
        #expect(try reports().map(\.state) == [.acknowledged])

        // It works, and fails again.
        _ = try channels(for: "ann", at: Self.now + 800_000)
        try end(.sent, at: Self.now + 800_001)
        for time in [900_000, 1_000_000, 1_600_000] as [Int64] { try fail(at: Self.now + time) }
        #expect(try reports().map(\.state) == [.acknowledged, .open])
        _ = try channels(for: "ann", at: Self.now + 1_700_000)
        try end(.sent, at: Self.now + 1_700_001)
        #expect(try reports().map(\.state) == [.acknowledged, .withdrawn])
    }

    @Test func `whoever becomes an administrator while the mail server fails is told, too`()
        throws
    {
        func publish(_ person: Account) throws {
            try notifier.run(at: Self.now) {
                try CallHandling.accountChanged(
                    AccountChanged(account: person), Envelope(), in: $0)
            }
        }
        func fail(at now: Int64) throws {
            _ = try channels(for: "ann", at: now)
            try end(.delayed("421 4.3.0 too busy", ofServer: true), at: now + 1)
        }
        func reports(to person: String) throws -> [Alert] {
            try notifier.alerts(of: person).filter { $0.raised?.kind == MailHandling.serverKind }
        }
        try publish(.local("head", Grant(role: .administrator)))
        for time in [0, 1_000, 600_001] as [Int64] { try fail(at: Self.now + time) }
        #expect(try reports(to: "head").map(\.state) == [.open])

        try publish(.local("head"))
        try publish(.local("next", Grant(role: .administrator)))
        for time in [700_000, 800_000] as [Int64] { try fail(at: Self.now + time) }

        #expect(try reports(to: "next").map(\.state) == [.open])
        #expect(try reports(to: "head").count == 1)
    }

    @Test(arguments: [
        MailOutcome.delayed("452 4.2.2 mailbox full"), .refused("550 5.1.1 no such mailbox"),
    ])
    func `a person whose mailbox is broken gets alerts that choose mail by other channels`(
        outcome: MailOutcome
    ) throws {
        #expect(try channels(for: "ann", at: Self.now) == ["mail"])
        try end(outcome, at: Self.now + 1)

        #expect(try channels(for: "ann", at: Self.now + 2) == ["mail", "phone"])
        #expect(try channels(for: "bob", at: Self.now + 3) == ["mail"])

        try end(.sent, at: Self.now + 4)
        #expect(try channels(for: "ann", at: Self.now + 5) == ["mail"])
    }
}
