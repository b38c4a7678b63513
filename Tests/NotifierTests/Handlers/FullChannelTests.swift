import Bus
import GRDB
import Messages
import TestStore
import Testing

@testable import Notifier

/// What happens to an alert whose channel has no room for another one.
struct FullChannelTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let source = ServiceName.checklist.rawValue

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(organisation: "", recipient: "ann")

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        let feed = self.feed
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "siren", kind: .webhook, address: "https://example.org/siren", from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
    }

    private func raise(_ title: String, at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .warning, title: title,
                recipient: feed.recipient)
            try AlertHandling.raise(raised, from: Self.source, id: transaction.id, in: transaction)
        }
    }

    /// Lets as many deliveries of other alerts wait as there is room for.
    private func fill() throws {
        try notifier.run(at: Self.now) { transaction in
            for number in 0..<DeliveryPlan.mostWaiting {
                try AlertDelivery(
                    id: "other/\(number)", channel: "siren", alert: "other/\(number)",
                    severity: .info, state: .waiting, due: Self.now, changed: Self.now
                ).save(feed, transaction.db)
            }
        }
    }

    /// The deliveries of the alert, oldest first.
    private func deliveries() throws -> [AlertDelivery] {
        let alert = try #require(try notifier.alerts(of: feed.recipient).first)
        return try notifier.run { try AlertDelivery.all(of: alert.id, $0.db) }
    }

    @Test func `an alert that changes while it waits keeps its place on a full channel`() throws {
        try raise("Late", at: Self.now)
        try fill()

        try raise("Later", at: Self.now + 1)

        let deliveries = try deliveries()
        #expect(deliveries.map(\.state) == [.skipped, .waiting])
        #expect(deliveries[0].note == DeliveryPlan.overtaken)
        #expect(deliveries[1].due == Self.now)
    }

    @Test func `a full channel has no room for a new alert`() throws {
        try fill()
        try raise("Late", at: Self.now + 1)

        let deliveries = try deliveries()
        #expect(deliveries.map(\.state) == [.skipped])
        #expect(deliveries[0].note == "too many deliveries wait on this channel")
    }

    @Test func `a full channel has room for the end of an alert that it has delivered`() throws {
        try raise("Late", at: Self.now)
        try notifier.run(at: Self.now + 1) { transaction in
            let alert = try #require(
                try Alert.open(source: Self.source, key: "k", transaction.db))
            for var delivery in try AlertDelivery.all(of: alert.id, transaction.db) {
                (delivery.state, delivery.due) = (.sent, 0)
                try delivery.save(feed, transaction.db)
            }
        }
        try fill()

        try notifier.run(at: Self.now + 2) {
            try AlertHandling.withdraw("k", from: Self.source, in: $0)
        }

        let deliveries = try deliveries()
        #expect(deliveries.map(\.reason) == [.raised, .closed])
        #expect(deliveries.map(\.state) == [.sent, .waiting])
    }
}
