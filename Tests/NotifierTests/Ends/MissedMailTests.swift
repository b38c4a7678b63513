import Bus
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// The mails of urgent alerts that end before they are mailed.
struct MissedMailTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let source = ServiceName.checklist.rawValue

    private let notifier: MemoryStore

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        try notifier.run(at: Self.now) { transaction in
            let feed = AlertFeedAddress(organisation: "", recipient: "ann")
            try AlertPreference(mail: "ann@example.org", from: .urgent, language: "en")
                .save(feed, transaction.db)
        }
    }

    private func raise(for recipient: String = "ann", at now: Int64 = Self.now) throws {
        let raised = AlertRaised(
            key: "smoke", kind: "test", severity: .urgent, title: "Smoke", recipient: recipient)
        try notifier.run(at: now) { transaction in
            try AlertHandling.raise(raised, from: Self.source, id: transaction.id, in: transaction)
        }
    }

    private func begin(at now: Int64) throws -> ErrandHandler.Errand? {
        let handler = try #require(Notifier.errands.first { $0.kind == "urgentMail" })
        return try notifier.run(at: now) { try handler.take($0) }
    }

    /// The subjects of the mails being sent.
    private func subjects() throws -> [String] {
        try notifier.run(at: Self.now) { transaction in
            try Mail.underWay(transaction.db).compactMap { try Mail.ofID($0, transaction.db) }
                .map(\.subject)
        }
    }

    @Test func `an alert that is for others now isn't mailed as over`() throws {
        try raise()
        try raise(for: "bob", at: Self.now + 1)

        let isMailed = try begin(at: Self.now + 2) != nil
        #expect(!isMailed)
    }

    @Test func `a mail that was tried doesn't say that an alert is over that is for others now`()
        throws
    {
        try raise()
        let first = try #require(try begin(at: Self.now + 1))
        try notifier.run(at: Self.now + 2) {
            try first.finish(MailOutcome.delayed("452 4.2.2 mailbox full"), $0)
        }
        try raise(for: "bob", at: Self.now + 3)

        let isMailed = try begin(at: Self.now + 60_000) != nil
        #expect(isMailed)
        #expect(try subjects() == ["urgent: Smoke"])
    }

    @Test func `an urgent alert that was raised while the clock was ahead is mailed as over`()
        throws
    {
        try raise(at: Self.now + 3_600_000)
        try notifier.run(at: Self.now) {
            try AlertHandling.withdraw("smoke", from: Self.source, in: $0)
        }

        let isMailed = try begin(at: Self.now + 1) != nil
        #expect(isMailed)
        #expect(try subjects() == ["urgent (over): Smoke"])
    }
}
