import Bus
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What waits for a channel that its owner removes.
struct RemovedChannelTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    private let notifier: MemoryStore

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func raise(_ key: String, at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: key, kind: "test", severity: .warning, title: "Look",
                recipient: Self.feed.recipient)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    @Test func `spare channels deliver what a channel that is removed hasn't delivered`() throws {
        try notifier.run(at: Self.now) { transaction in
            for name in ["phone", "spare"] {
                let channel = AlertChannel(
                    name: name, kind: .webhook, address: "https://example.org/\(name)",
                    from: .info, spare: name == "spare")
                try KeptChannel(feed: Self.feed, channel, secret: "").save(transaction.db)
            }
        }
        try raise("a", at: Self.now + 1)
        try raise("b", at: Self.now + 2)
        // One of them is over, and the other under way.
        try notifier.run(at: Self.now + 3) {
            try AlertHandling.withdraw("a", from: ServiceName.checklist.rawValue, in: $0)
        }
        let handler = try #require(Notifier.errands.first { $0.kind == "delivery" })
        let errand = try #require(try notifier.run(at: Self.now + 4) { try handler.take($0) })
        try raise("c", at: Self.now + 5)

        _ = try notifier.run(at: Self.now + 6) {
            try Channels.remove(RemoveChannel(name: "phone"), in: $0)
        }
        try notifier.run(at: Self.now + 7) {
            try errand.finish(DeliveryOutcome.delayed("it doesn't answer", after: 0), $0)
        }

        let alerts = try notifier.alerts()
        #expect(alerts.map(\.key) == ["a", "b", "c"])
        let planned = try notifier.run { transaction in
            try alerts.map { try AlertDelivery.all(of: $0.id, transaction.db).map(\.channel) }
        }
        #expect(planned == [[], ["spare"], ["spare"]])
    }
}
