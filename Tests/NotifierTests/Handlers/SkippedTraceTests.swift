import Bus
import Messages
import TestStore
import Testing

@testable import Notifier

/// What the trace of an alert says of mail and channels that don't deliver it.
struct SkippedTraceTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let source = ServiceName.checklist.rawValue

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(organisation: "", recipient: "ann")

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try prefer(from: .info)
    }

    private func prefer(from severity: Severity) throws {
        try notifier.run(at: Self.now) { transaction in
            try AlertPreference(mail: "ann@example.org", from: severity, language: "en")
                .save(feed, transaction.db)
        }
    }

    private func add(_ name: String, from severity: Severity = .info) throws {
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: name, kind: .webhook, address: "https://example.org/hook", from: severity)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
    }

    private func raise(
        _ severity: Severity = .warning, title: String = "Late", by channels: [String] = [],
        at now: Int64 = Self.now
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: severity, title: title,
                recipient: feed.recipient, channels: channels)
            try AlertHandling.raise(raised, from: Self.source, id: transaction.id, in: transaction)
        }
    }

    /// What became of the alert, by channel.
    private func trace() throws -> [String] {
        let alert = try #require(try notifier.alerts(of: feed.recipient).first)
        return try notifier.run { try AlertDelivery.everything(of: alert, $0.db) }
            .map { "\($0.channel) \($0.state) \($0.note)" }
    }

    @Test func `the trace of an alert that isn't mailed names the silence`() throws {
        try notifier.run(at: Self.now) { transaction in
            try Silence(id: "s", kind: "test", until: Self.now + Self.hour)
                .save(feed, transaction.db)
        }
        try raise()
        try raise(title: "Later", at: Self.now + 1)

        // Once, however often the alert changes.
        #expect(try trace() == ["mail skipped silenced by s"])
    }

    @Test func `the trace of an alert that isn't mailed names the digest`() throws {
        try notifier.run(at: Self.now) { transaction in
            try AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
                .save(feed, since: Self.now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: feed.topic, due: Self.now + Self.hour)
        }
        try raise()

        #expect(try trace() == ["mail skipped told in the digest"])
    }

    @Test func `the trace names what is not severe enough, and what is mailed later`() throws {
        try prefer(from: .urgent)
        try add("siren", from: .urgent)
        try raise()
        #expect(
            try trace().sorted() == [
                "mail skipped alerts from urgent on are mailed",
                "siren skipped not for alerts of this severity",
            ])

        try raise(.urgent, at: Self.now + 1)
        let now = try trace()
        #expect(now.count == 4)
        #expect(now.contains("mail waiting ") && now.contains("siren waiting "))
    }

    @Test func `the trace names the channels that were not chosen`() throws {
        try add("phone")
        try add("watch")
        try raise(by: ["watch"])

        #expect(
            try trace().sorted() == [
                "mail skipped other channels were chosen for it",
                "phone skipped other channels were chosen for it", "watch waiting ",
            ])
    }

    @Test func `the trace says if an alert was over before it was mailed`() throws {
        try notifier.run(at: Self.now) { transaction in
            try QuietHours(from: 0, until: 1_439, timeZone: "Etc/UTC").save(feed, transaction.db)
        }
        try raise()
        #expect(try trace() == ["mail waiting "])

        try notifier.run(at: Self.now + 1) {
            try AlertHandling.withdraw("k", from: Self.source, in: $0)
        }

        #expect(try trace() == ["mail skipped it is over"])
    }
}
