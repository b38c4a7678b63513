import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// The digest of someone whose time zone this machine doesn't know, for example after a restoration
/// on another machine.
struct UnknownZoneTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "phone", kind: .ntfy, address: "https://example.org/alerts", from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
    }

    private func keep(_ zone: String) throws {
        try notifier.run(at: Self.now) { transaction in
            try AlertDigest(at: 420, timeZone: zone, upTo: .warning)
                .save(feed, since: Self.now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: feed.topic, due: Self.now + 3_600_000)
        }
    }

    /// Raises an alert, and returns what becomes of it.
    private func raise(_ key: String = "late") throws -> [DeliveryState] {
        try notifier.run(at: Self.now + 1) { transaction in
            let raised = AlertRaised(
                key: key, kind: "test", severity: .info, title: "Late",
                recipient: feed.recipient)
            try AlertHandling.raise(
                raised, from: "checklist-service", id: transaction.id, in: transaction)
            return try AlertDelivery.all(of: "\(transaction.id)", transaction.db).map(\.state)
        }
    }

    @Test func `alerts are delivered one by one if it isn't known when the next digest is due`()
        throws
    {
        try keep("Europe/Nowhere")

        #expect(try raise() == [.waiting])
    }

    @Test func `what was collected is delivered though no further digest can be`() throws {
        try keep("Etc/UTC")
        #expect(try raise() == [.skipped])
        try keep("Europe/Nowhere")

        try notifier.run(at: Self.now + 3_600_000) {
            try AlertDigest.collect(feed.topic, due: Self.now + 3_600_000, in: $0)
        }

        let list = try #require(
            try notifier.run { try AlertDigest.openList(of: feed, in: $0) })
        #expect(list.raised?.body.contains("Late") == true)
        #expect(try notifier.run { try AlertDelivery.all(of: list.id, $0.db) }.count == 1)
    }

    @Test func `digests are sent again once this machine knows the time zone`() throws {
        try keep("Europe/Nowhere")
        try notifier.run(at: Self.now) { transaction in
            // The timer has fired.
            try transaction.cancelTimer(AlertDigest.collecting, subject: feed.topic)
            try AlertDigest.collect(feed.topic, due: Self.now, in: transaction)
        }
        func due() throws -> Int64? {
            try notifier.run(at: Self.now + 1) {
                try $0.timerDue(AlertDigest.collecting, subject: feed.topic)
            }
        }
        #expect(try raise() == [.waiting])
        #expect(try due() == nil)

        let digest = AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
        try notifier.run(at: Self.now) { try digest.save(feed, since: Self.now, $0.db) }

        #expect(try raise("later") == [.skipped])
        let next = try #require(digest.due(after: Self.now + 1))
        #expect(try due() == next)
    }
}
