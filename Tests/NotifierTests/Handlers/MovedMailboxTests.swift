import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// Mails of alerts that wait while their recipient has alerts mailed elsewhere, or no longer.
struct MovedMailboxTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore
    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        try prefer("old@example.org", at: Self.now)
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "spare", kind: .webhook, address: "https://example.org/hook", from: .info,
                spare: true)
            try KeptChannel(feed: owner, channel, secret: "").save(transaction.db)
        }
    }

    private func prefer(_ mail: String, at now: Int64) throws {
        try notifier.run(at: now) {
            _ = try Preferences.prefer(PreferAlerts(mail: mail, from: .info), in: $0)
        }
    }

    private func raise(at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "late", kind: "test", severity: .warning, title: "Late",
                recipient: owner.recipient)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    private func begin(at now: Int64) throws -> ErrandHandler.Errand? {
        let handler = try #require(Notifier.errands.first { $0.kind == "mail" })
        return try notifier.run(at: now) { try handler.take($0) }
    }

    /// All mails that are kept.
    private func mails() throws -> [Mail] {
        try notifier.run { transaction in
            try String.fetchAll(transaction.db, sql: "SELECT id FROM mail ORDER BY id")
                .compactMap { try Mail.ofID($0, transaction.db) }
        }
    }

    @Test func `what could not be mailed to the former mailbox is sent to the new one at once`()
        throws
    {
        try raise(at: Self.now)
        let errand = try #require(try begin(at: Self.now + 1))
        try notifier.run(at: Self.now + 2) {
            try errand.finish(MailOutcome.delayed("the mailbox is full"), $0)
        }

        try prefer("new@example.org", at: Self.now + 3)

        let isBegun = try begin(at: Self.now + 4) != nil
        #expect(isBegun)
        #expect(try mails().map(\.to) == ["new@example.org"])
        #expect(try mails().map(\.attempts) == [1])
    }

    @Test func `what is being mailed to the former mailbox and fails is sent to the new one`()
        throws
    {
        try raise(at: Self.now)
        let errand = try #require(try begin(at: Self.now + 1))
        try prefer("new@example.org", at: Self.now + 2)
        try notifier.run(at: Self.now + 3) {
            try errand.finish(MailOutcome.delayed("the mailbox is full"), $0)
        }

        let isBegun = try begin(at: Self.now + 60_000) != nil
        #expect(isBegun)
        #expect(try mails().map(\.to) == ["new@example.org"])
    }

    @Test func `spare channels deliver what was to be mailed when alerts are no longer mailed`()
        throws
    {
        try raise(at: Self.now)

        try prefer("", at: Self.now + 1)

        let isBegun = try begin(at: Self.now + 2) != nil
        #expect(!isBegun)
        #expect(try mails().isEmpty)
        let alert = try #require(try notifier.alerts().first)
        let deliveries = try notifier.run { try AlertDelivery.all(of: alert.id, $0.db) }
        #expect(deliveries.map(\.channel) == ["mail", "spare"])
        #expect(deliveries.map(\.state) == [.skipped, .waiting])
    }
}
